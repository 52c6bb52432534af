# The Debian packages that building Pipit takes, and how the missing ones come in.

# The libraries are named once, in the manifest's providers.
library_packages() {
  sed -n 's/.*\.apt(\[\([^]]*\)\]).*/\1/p' Package.swift | tr -d '",' | tr '\n' ' '
}

# g++ brings what the Swift compiler links with (crt1.o, libstdc++, a linker); the six after it are
# libraries that the toolchain's own programs load.
build_packages() {
  echo "$(library_packages) pkgconf g++ libcurl4 libncurses6 libsqlite3-0 libuuid1 libxml2 zlib1g" \
    "python3 python3-pip python3-venv"
}

# Those of the packages given that are not installed.
missing_packages() {
  local package
  for package in "$@"; do
    case $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true) in
      installed) ;;
      *) printf '%s ' "$package" ;;
    esac
  done
}

# Installs the packages given that are missing, or says how and stops.
ensure_packages() {
  if ! have dpkg-query; then
    say "This is not a Debian system: libraries are taken as they are. Needed: $(library_packages)"
    return
  fi
  local missing
  missing=$(missing_packages "$@")
  if [ -z "$missing" ]; then return; fi

  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! have sudo; then
      say "These Debian packages are missing. Install them as root, then run this again:"
      say "  apt-get update && apt-get install -y --no-install-recommends ${missing% }"
      exit 1
    fi
    as_root=(sudo)
  fi
  say "Installing Debian packages: ${missing% }"
  "${as_root[@]}" apt-get update -q >&2 || fail "apt-get update failed."
  # shellcheck disable=SC2086  # a list of names
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends $missing >&2 \
    || fail "These packages could not be installed: ${missing% }"
}
