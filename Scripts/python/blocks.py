"""Random weights in the block formats of GGUF, and what they stand for.

`random_rows` draws the codes themselves, so nothing is quantised and no accuracy is lost;
`dequantise` is exact (float64 of float16 scales times small integers), an implementation of its own
to compare with.
"""

import numpy as np

import gguf


def _scales(rng, count: int, step: float):
    """float16 scales around `step`, by a quarter up or down."""
    return (step * rng.uniform(0.75, 1.25, count)).astype("<f2")


def _bytes(array) -> "np.ndarray":
    return np.ascontiguousarray(array).view(np.uint8).reshape(array.shape[0], -1)


def _nibbles(codes):
    """32 codes of 4 bits in 16 bytes: element j and j + 16 share a byte."""
    return codes[:, :16] | codes[:, 16:] << 4


def _high_bits(codes):
    """The fifth bits of 32 codes, in 4 bytes."""
    return np.packbits(codes >> 4, axis=1, bitorder="little")


def random_rows(rng, type_name: str, rows: int, columns: int, deviation: float) -> bytes:
    """Rows whose values have about the standard deviation given, and mean 0."""
    _, elements, size = gguf.TYPES[type_name]
    count = rows * columns // elements
    codes = lambda low, high: rng.integers(low, high, (count, elements), dtype=np.uint8)

    if type_name == "F32":
        return rng.normal(0, deviation, count).astype("<f4").tobytes()
    if type_name == "F16":
        return rng.normal(0, deviation, count).astype("<f2").tobytes()
    if type_name == "BF16":
        bits = rng.normal(0, deviation, count).astype("<f4").view("<u4")
        return (bits >> 16).astype("<u2").tobytes()
    if type_name == "Q1_0":
        parts = [_bytes(_scales(rng, count, deviation)), rng.integers(0, 256, (count, 16), dtype=np.uint8)]
    elif type_name == "Q2_0":
        code = codes(0, 3)
        packed = code[:, 0::4] | code[:, 1::4] << 2 | code[:, 2::4] << 4 | code[:, 3::4] << 6
        parts = [_bytes(_scales(rng, count, deviation / 0.82)), packed]
    elif type_name == "Q4_0":
        parts = [_bytes(_scales(rng, count, deviation / 4.3)), _nibbles(codes(1, 16))]
    elif type_name == "Q4_1":
        d = _scales(rng, count, deviation / 4.6)
        parts = [_bytes(d), _bytes((d * np.float16(-7.5)).astype("<f2")), _nibbles(codes(0, 16))]
    elif type_name == "Q5_0":
        code = codes(1, 32)
        parts = [_bytes(_scales(rng, count, deviation / 8.9)), _high_bits(code), _nibbles(code & 15)]
    elif type_name == "Q5_1":
        code = codes(0, 32)
        d = _scales(rng, count, deviation / 9.2)
        parts = [_bytes(d), _bytes((d * np.float16(-15.5)).astype("<f2")), _high_bits(code), _nibbles(code & 15)]
    elif type_name == "Q8_0":
        parts = [_bytes(_scales(rng, count, deviation / 73)), rng.integers(-127, 128, (count, 32), dtype=np.int8).view(np.uint8)]
    elif type_name in ("Q4_K", "Q5_K"):
        middle = 7.5 if type_name == "Q4_K" else 15.5
        d = _scales(rng, count, deviation / (4.6 if type_name == "Q4_K" else 9.2) / 42)
        scale = rng.integers(21, 64, (count, 8), dtype=np.uint8)
        packed = np.empty((count, 12), np.uint8)
        low, high = scale[:, :4], scale[:, 4:]
        packed[:, 0:4] = packed[:, 4:8] = low | (high >> 4) << 6
        packed[:, 8:12] = (high & 15) | (high & 15) << 4
        parts = [_bytes(d), _bytes((d * np.float16(middle)).astype("<f2")), packed]
        if type_name == "Q5_K":
            parts.append(rng.integers(0, 256, (count, 32), dtype=np.uint8))
        parts.append(rng.integers(0, 256, (count, 128), dtype=np.uint8))
    elif type_name == "Q6_K":
        scale = rng.integers(20, 101, (count, 16)) * rng.choice([-1, 1], (count, 16))
        parts = [
            rng.integers(0, 256, (count, 192), dtype=np.uint8),
            scale.astype(np.int8).view(np.uint8),
            _bytes(_scales(rng, count, deviation / 18.5 / 60)),
        ]
    else:
        raise ValueError(f"no random rows of {type_name}")
    block = np.concatenate(parts, axis=1)
    assert block.shape[1] == size, type_name
    return block.tobytes()


def _codes4(packed):
    return np.concatenate([packed & 15, packed >> 4], axis=1)


def dequantise(type_name: str, data: bytes, rows: int, columns: int):
    """float64 (rows × columns)."""
    _, elements, size = gguf.TYPES[type_name]
    if type_name == "F32":
        return np.frombuffer(data, "<f4").astype(np.float64).reshape(rows, columns)
    if type_name == "F16":
        return np.frombuffer(data, "<f2").astype(np.float64).reshape(rows, columns)
    if type_name == "BF16":
        bits = np.frombuffer(data, "<u2").astype("<u4") << 16
        return bits.view("<f4").astype(np.float64).reshape(rows, columns)

    block = np.frombuffer(data, np.uint8).reshape(-1, size)
    half = lambda start: np.ascontiguousarray(block[:, start : start + 2]).view("<f2").astype(np.float64)
    fifth = lambda start: np.unpackbits(block[:, start : start + 4], axis=1, bitorder="little") << 4

    if type_name == "Q1_0":
        bits = np.unpackbits(block[:, 2:], axis=1, bitorder="little")
        values = half(0) * (2.0 * bits - 1)
    elif type_name == "Q2_0":
        codes = np.stack([block[:, 2:] >> shift & 3 for shift in (0, 2, 4, 6)], axis=2)
        values = half(0) * (codes.reshape(len(block), -1) - 1.0)
    elif type_name == "Q4_0":
        values = half(0) * (_codes4(block[:, 2:]) - 8.0)
    elif type_name == "Q4_1":
        values = half(0) * _codes4(block[:, 4:]) + half(2)
    elif type_name == "Q5_0":
        values = half(0) * ((_codes4(block[:, 6:]) | fifth(2)) - 16.0)
    elif type_name == "Q5_1":
        values = half(0) * (_codes4(block[:, 8:]) | fifth(4)) + half(2)
    elif type_name == "Q8_0":
        values = half(0) * block[:, 2:].view(np.int8)
    elif type_name in ("Q4_K", "Q5_K"):
        packed = block[:, 4:16]
        low = packed[:, 0:4] & 63
        high = (packed[:, 8:12] & 15) | packed[:, 0:4] >> 6 << 4
        scale = half(0) * np.concatenate([low, high], axis=1)
        low = packed[:, 4:8] & 63
        high = packed[:, 8:12] >> 4 | packed[:, 4:8] >> 6 << 4
        offset = half(2) * np.concatenate([low, high], axis=1)
        quants = block[:, size - 128 :].reshape(-1, 4, 1, 32)
        codes = np.concatenate([quants & 15, quants >> 4], axis=2).reshape(-1, 8, 32)
        if type_name == "Q5_K":
            planes = block[:, 16:48].reshape(-1, 1, 32) >> np.arange(8, dtype=np.uint8).reshape(1, 8, 1)
            codes = codes | (planes & 1) << 4
        values = (scale[:, :, None] * codes - offset[:, :, None]).reshape(len(block), -1)
    elif type_name == "Q6_K":
        low = block[:, :128].reshape(-1, 2, 2, 32)
        high = block[:, 128:192].reshape(-1, 2, 1, 32)
        quarter = np.concatenate([low & 15, low >> 4], axis=2)
        shifts = np.array([0, 2, 4, 6], np.uint8).reshape(1, 1, 4, 1)
        codes = (quarter | (high >> shifts & 3) << 4).reshape(-1, 16, 16) - 32.0
        scale = half(208) * block[:, 192:208].view(np.int8)
        values = (scale[:, :, None] * codes).reshape(len(block), -1)
    else:
        raise ValueError(f"{type_name} is not known")
    return values.reshape(rows, columns)
