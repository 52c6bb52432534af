# llama.cpp as the Python package llama-cpp-python carries it, built for this machine.

# build_llama DIRECTORY MODEL: leaves its programs in DIRECTORY/bin, and what it was built with in
# DIRECTORY/flags. Takes minutes the first time. MODEL is what the build is tried on.
build_llama() {
  local folder=$1 model=$2 archive source
  if [ -x "$folder/bin/llama-bench" ]; then return; fi
  mkdir -p "$folder"
  if ! ls "$folder"/llama_cpp_python-*.tar.gz >/dev/null 2>&1; then
    say "Fetching the source of llama.cpp (llama-cpp-python==0.3.36)"
    python -m pip download --quiet --disable-pip-version-check --no-deps --no-binary :all: \
      --dest "$folder" llama-cpp-python==0.3.36 >&2 || fail "pip could not fetch llama-cpp-python."
  fi
  archive=$(ls "$folder"/llama_cpp_python-*.tar.gz)
  tar -xzf "$archive" -C "$folder"
  source=$folder/$(basename "$archive" .tar.gz)/vendor/llama.cpp

  compile_llama "$folder" "$source" -DGGML_NATIVE=ON
  # Debian 12's compiler drops a part of the tiles' set-up, so AMX code dies at its first
  # instruction; everything else that the CPU has stays on.
  local code=0
  "$source/build/bin/llama-bench" -m "$model" -p 16 -n 1 -r 1 >/dev/null 2>&1 || code=$?
  if [ "$code" -eq 132 ]; then
    say "The native build of llama.cpp dies of an illegal instruction here; building it without AMX."
    local flags
    mapfile -t flags < <(flags_without_amx)
    compile_llama "$folder" "$source" "${flags[@]}"
  fi
  ln -sfn "$source/build/bin" "$folder/bin"
}

# compile_llama DIRECTORY SOURCE FLAG…
compile_llama() {
  local folder=$1 source=$2
  shift 2
  printf '%s\n' "$*" >"$folder/flags"
  say "Building llama.cpp: $*"
  cmake -S "$source" -B "$source/build" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
    -DLLAMA_CURL=OFF -DLLAMA_OPENSSL=OFF -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF \
    -DLLAMA_BUILD_UI=OFF -DLLAMA_BUILD_MTMD=OFF "$@" >"$folder/build.log" 2>&1 \
    && cmake --build "$source/build" --parallel "$(nproc)" --target llama-bench llama-completion \
      llama-perplexity llama-tokenize >>"$folder/build.log" 2>&1 \
    || fail "llama.cpp does not build; see $folder/build.log"
}

# What the native build would switch on here, AMX aside.
flags_without_amx() {
  echo -DGGML_NATIVE=OFF
  local pair
  for pair in SSE42:sse4_2 AVX:avx AVX2:avx2 FMA:fma F16C:f16c BMI2:bmi2 AVX_VNNI:avx_vnni AVX512:avx512f \
    AVX512_VBMI:avx512vbmi AVX512_VNNI:avx512_vnni AVX512_BF16:avx512_bf16; do
    if grep -qw "${pair#*:}" /proc/cpuinfo; then echo "-DGGML_${pair%:*}=ON"; fi
  done
}
