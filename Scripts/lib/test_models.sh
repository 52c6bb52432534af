# Fetches what tests read and the tree does not hold, and tells them where: PIPIT_TEST_MODELS/<name>/…
# (TestSupport's TestModels).

PIPIT_TEST_MODELS=$(cache_directory)/models
export PIPIT_TEST_MODELS
fetch_default_model "$PIPIT_TEST_MODELS"
fetch_qwen_ranks
