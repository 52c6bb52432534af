# llama.cpp as the Python package llama-cpp-python carries it, built for this machine.

llama_release=0.3.36
llama_programs=(llama-bench llama-completion llama-perplexity llama-tokenize)

# build_llama DIRECTORY MODEL: leaves the programs in DIRECTORY/bin, and what they were built with in
# DIRECTORY/flags. Takes a quarter of an hour the first time; after that they are used again as long
# as release, compiler and CPU are the same. MODEL is what the build is tried on.
build_llama() {
  local folder=$1 model=$2 source stamp
  stamp="llama-cpp-python $llama_release, $(c++ -dumpfullversion), $(cpu_features | sha256sum | cut -c1-16)"
  if [ "$(cat "$folder/stamp" 2>/dev/null)" = "$stamp" ] && llama_runs "$folder/bin" "$model"; then
    return
  fi
  mkdir -p "$folder"
  rm -f "$folder/stamp" "$folder/bin"
  fetch_llama "$folder"
  source=$folder/llama_cpp_python-$llama_release/vendor/llama.cpp

  compile_llama "$folder" "$source" -DGGML_NATIVE=ON
  if ! llama_runs "$source/build/bin" "$model"; then
    # A CPU may have AMX and the kernel, or the machine it is virtual on, not grant it; and Debian 12's
    # compiler drops a part of the tiles' set-up. Everything else that the CPU has stays on.
    has_amx || fail "The llama.cpp that was built does not run; see $folder/build.log"
    say "The native build of llama.cpp dies here; building it without AMX."
    local flags
    mapfile -t flags < <(flags_without_amx)
    compile_llama "$folder" "$source" "${flags[@]}"
    llama_runs "$source/build/bin" "$model" \
      || fail "The llama.cpp that was built does not run; see $folder/build.log"
  fi
  ln -sfn "$source/build/bin" "$folder/bin"
  printf '%s\n' "$stamp" >"$folder/stamp"
}

# The source as the package index has it, unpacked; a download that was cut short leaves nothing.
fetch_llama() {
  local folder=$1 archive=$1/llama_cpp_python-$llama_release.tar.gz
  if [ ! -f "$archive" ]; then
    say "Fetching the source of llama.cpp (llama-cpp-python==$llama_release)"
    rm -rf "$folder/download"
    python -m pip download --quiet --disable-pip-version-check --no-deps --no-binary :all: \
      --dest "$folder/download" "llama-cpp-python==$llama_release" >&2 \
      || fail "pip could not fetch llama-cpp-python."
    mv "$folder/download/$(basename "$archive")" "$archive"
    rm -rf "$folder/download"
  fi
  if [ ! -f "$folder/llama_cpp_python-$llama_release/vendor/llama.cpp/CMakeLists.txt" ]; then
    tar -xzf "$archive" -C "$folder" || fail "$archive is damaged; remove it and try again."
  fi
}

# Whether the programs in a folder answer: a few tokens, with a prompt long enough for matrix products.
llama_runs() {
  [ -x "$1/llama-bench" ] \
    && timeout 120 "$1/llama-bench" -m "$2" -p 64 -n 2 -r 1 -t 2 >/dev/null 2>&1
}

# compile_llama DIRECTORY SOURCE FLAG…
compile_llama() {
  local folder=$1 source=$2
  shift 2
  printf '%s\n' "$*" >"$folder/flags"
  say "Building llama.cpp: $*"
  # Each build starts from its own flags, not from what an earlier one left in the cache.
  rm -f "$source/build/CMakeCache.txt"
  cmake -S "$source" -B "$source/build" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
    -DLLAMA_CURL=OFF -DLLAMA_OPENSSL=OFF -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF \
    -DLLAMA_BUILD_UI=OFF -DLLAMA_BUILD_MTMD=OFF "$@" >"$folder/build.log" 2>&1 \
    && cmake --build "$source/build" --parallel "$(nproc)" --target "${llama_programs[@]}" \
      >>"$folder/build.log" 2>&1 \
    || fail "llama.cpp does not build; see $folder/build.log"
}

cpu_features() { grep -m1 '^flags' /proc/cpuinfo || uname -m; }

has_amx() { cpu_features | grep -qw amx_tile; }

# What the native build would switch on here, AMX aside.
flags_without_amx() {
  echo -DGGML_NATIVE=OFF
  local pair
  for pair in SSE42:sse4_2 AVX:avx AVX2:avx2 FMA:fma F16C:f16c BMI2:bmi2 AVX_VNNI:avx_vnni AVX512:avx512f \
    AVX512_VBMI:avx512vbmi AVX512_VNNI:avx512_vnni AVX512_BF16:avx512_bf16; do
    if cpu_features | grep -qw "${pair#*:}"; then echo "-DGGML_${pair%:*}=ON"; fi
  done
}
