# What every script here starts from: `source "$(dirname "$0")/lib/common.sh"`.
set -euo pipefail
# Lists are split on spaces below; a caller's IFS must not change that, nor its locale the sorting.
IFS=$' \t\n'
export LC_ALL=C.UTF-8

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root"

say() { printf '%s\n' "$*" >&2; }

fail() {
  say "$(basename "$0"): $*"
  exit 1
}

# Whether a command can be run.
have() { command -v "$1" >/dev/null 2>&1; }

# A Python that has pip: the one on PATH, else the system's.
python() {
  if [ -z "${pipit_python:-}" ]; then
    pipit_python=python3
    if ! python3 -m pip --version >/dev/null 2>&1; then pipit_python=/usr/bin/python3; fi
  fi
  "$pipit_python" "$@"
}
