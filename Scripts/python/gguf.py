"""Writes GGUF version 3 files: metadata, then tensors streamed one after another."""

import struct

ALIGNMENT = 32

# name: (id, elements of a block, bytes of a block)
TYPES = {
    "F32": (0, 1, 4),
    "F16": (1, 1, 2),
    "Q4_0": (2, 32, 18),
    "Q4_1": (3, 32, 20),
    "Q5_0": (6, 32, 22),
    "Q5_1": (7, 32, 24),
    "Q8_0": (8, 32, 34),
    "Q4_K": (12, 256, 144),
    "Q5_K": (13, 256, 176),
    "Q6_K": (14, 256, 210),
    "BF16": (30, 1, 2),
    "Q1_0": (41, 128, 18),
    "Q2_0": (42, 64, 18),
}


def byte_count(type_name: str, rows: int, columns: int) -> int:
    _, elements, size = TYPES[type_name]
    if columns % elements:
        raise ValueError(f"{columns} columns are no multiple of the {elements} in a block of {type_name}")
    return rows * (columns // elements) * size


def _string(text) -> bytes:
    data = text if isinstance(text, bytes) else text.encode()
    return struct.pack("<Q", len(data)) + data


def _value(value) -> bytes:
    """A metadata value with its type: the widths that other programs expect (u32, f32, i32 arrays)."""
    if isinstance(value, bool):
        return struct.pack("<IB", 7, value)
    if isinstance(value, int):
        return struct.pack("<II", 4, value)
    if isinstance(value, float):
        return struct.pack("<If", 6, value)
    if isinstance(value, (str, bytes)):
        return struct.pack("<I", 8) + _string(value)
    if isinstance(value[0], (str, bytes)):
        return struct.pack("<IIQ", 9, 8, len(value)) + b"".join(map(_string, value))
    if isinstance(value[0], float):
        return struct.pack(f"<IIQ{len(value)}f", 9, 6, len(value), *value)
    return struct.pack(f"<IIQ{len(value)}i", 9, 5, len(value), *value)


def write(path, metadata: dict, tensors: list) -> None:
    """tensors: (name, type, shape outermost first, an iterable of the bytes of all rows in order)."""
    header = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(metadata))
    header += b"".join(_string(key) + _value(value) for key, value in metadata.items())
    offset = 0
    sizes = []
    for name, type_name, shape, _ in tensors:
        rows = 1
        for extent in shape[:-1]:
            rows *= extent
        sizes.append(byte_count(type_name, rows, shape[-1]))
        header += _string(name) + struct.pack("<I", len(shape))
        header += b"".join(struct.pack("<Q", extent) for extent in reversed(shape))
        header += struct.pack("<IQ", TYPES[type_name][0], offset)
        offset += -(-sizes[-1] // ALIGNMENT) * ALIGNMENT

    with open(path, "wb") as out:
        out.write(header + bytes(-len(header) % ALIGNMENT))
        for (name, *_, chunks), size in zip(tensors, sizes):
            written = 0
            for chunk in chunks:
                written += out.write(chunk)
            if written != size:
                raise ValueError(f"{name} has {written} bytes, expected {size}")
            out.write(bytes(-size % ALIGNMENT))
