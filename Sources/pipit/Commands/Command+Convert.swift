import Conversion
import Inference
import ModelLibrary

extension Command {
  static let convert = Command(
    name: "convert",
    summary: "make a quantised model of a checkpoint or a GGUF file",
    usage: ["convert SOURCE OUTPUT [OPTIONS]"],
    discussion: [
      """
      SOURCE is a folder in the layout of Hugging Face (safetensors in bfloat16, float16 or \
      float32, or MLX's own), a GGUF file, or the name of an installed model; OUTPUT is a folder that \
      does not exist yet. It gets MLX's affine safetensors, which Pipit and mlx-lm load, with the \
      same scales, biases and codes that mlx-lm's own convert writes.
      """,
      """
      --override gives some layers another form; the last that matches counts. PATTERN is a layer's \
      path, in which * stands for anything: '*.down_proj=6', 'lm_head=8:32', '*embed_tokens=none'. \
      Layers whose rows are no multiple of the group, norms and biases stay as they are. Vision \
      towers and multi-token prediction are left out.
      """,
      """
      --ternary keeps weights that are −d, 0 or +d in each group exactly, in 2 bits, and refuses \
      others. --text tells the perplexity of a text before and after, for which both models are \
      loaded in turn.
      """,
    ],
    examples: [
      "pipit convert ~/Qwen3-0.6B ~/qwen3-4bit",
      "pipit convert model.gguf small --bits 3 --group 32 --override '*.down_proj=6'",
      "pipit models add ~/qwen3-4bit --name qwen3",
    ],
    flags: Flag.convert + Flag.named("--threads", "--force", "--json") + Flag.everywhere,
    operand: .model,
    run: { invocation in try await ConvertCommand(invocation).run() })
}
