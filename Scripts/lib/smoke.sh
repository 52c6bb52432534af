#!/usr/bin/env bash
# smoke.sh BINARY: the built program on the default model, as a user would run it.
source "$(dirname "$0")/common.sh"
source Scripts/lib/models.sh
source Scripts/lib/test_models.sh

pipit=$1
model=$PIPIT_TEST_MODELS/$default_model/SmolLM2-135M-Instruct.Q4_1.gguf
expected="Gravity is a fundamental concept in physics that describes the curvature of spacetime caused by the presence of mass."

PIPIT_HOME=$(mktemp -d)
export PIPIT_HOME
trap 'rm -rf "$PIPIT_HOME"' EXIT

# expect NAME CODE COMMAND…: runs it with what stdin holds; stdout is left in $out.
expect() {
  local name=$1 code=$2 got=0
  shift 2
  out=$("$@" 2>"$PIPIT_HOME/stderr") || got=$?
  if [ "$got" -ne "$code" ]; then
    cat "$PIPIT_HOME/stderr" >&2
    fail "$name: exit $got, expected $code"
  fi
}
begins() {
  case $out in
    "$2"*) ;;
    *) fail "$1: the answer begins with: ${out:0:200}" ;;
  esac
}

greedy=(-m "$model" --temperature 0 --max-tokens 40)
expect "from a prompt" 0 "$pipit" run "${greedy[@]}" "What is gravity?" </dev/null
begins "from a prompt" "$expected"
expect "from a pipe" 0 "$pipit" run "${greedy[@]}" <<<"What is gravity?"
begins "from a pipe" "$expected"
expect "BLAS" 0 "$pipit" run "${greedy[@]}" --backend blas "What is gravity?" </dev/null
begins "BLAS" "$expected"
expect "closed pipe" 0 bash -c 'set -o pipefail; "$0" "$@" </dev/null | head -c 10' \
  "$pipit" run "${greedy[@]}" "What is gravity?"
expect "unknown flag" 2 "$pipit" run --no-such-flag x </dev/null
expect "no model" 3 "$pipit" run "What is gravity?" </dev/null
expect "no prompt" 2 "$pipit" run "${greedy[@]}" </dev/null
expect "help" 0 "$pipit" --help </dev/null
say "smoke: all as expected"
