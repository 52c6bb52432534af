"""The shapes of real models: metadata and tensors of their GGUF files, but for the numbers.

From the configurations that their publishers give. A tensor is (name, shape outermost first, kind);
kinds are those of `make_shape.numbers`.
"""

import dataclasses


@dataclasses.dataclass
class Experts:
    count: int
    active: int
    size: int


@dataclasses.dataclass
class DeltaNet:
    key_heads: int
    value_heads: int
    dimension: int = 128
    taps: int = 4
    interval: int = 4


@dataclasses.dataclass
class Shape:
    layers: int
    hidden: int
    heads: int
    kv_heads: int
    forward: int
    vocabulary: int
    tied: bool
    head: int = 128
    context: int = 32768
    rope_base: float = 1e6
    experts: Experts = None
    delta_net: DeltaNet = None

    @property
    def architecture(self) -> str:
        if self.delta_net:
            return "qwen35"
        return "qwen3moe" if self.experts else "qwen3"

    @property
    def tokenizer(self) -> str:
        return "qwen35" if self.delta_net else "qwen2"


def _hybrid(layers, hidden, heads, kv_heads, forward, tied, key_heads, value_heads) -> Shape:
    return Shape(
        layers, hidden, heads, kv_heads, forward, 248320, tied, head=256, context=262144, rope_base=1e7,
        delta_net=DeltaNet(key_heads, value_heads),
    )


SHAPES = {
    "qwen3-0.6b": Shape(28, 1024, 16, 8, 3072, 151936, True),
    "bonsai-1.7b": Shape(28, 2048, 16, 8, 6144, 151669, True),
    "bonsai-4b": Shape(36, 2560, 32, 8, 9728, 151669, True),
    "bonsai-8b": Shape(36, 4096, 32, 8, 12288, 151669, False),
    "qwen3.5-0.8b": _hybrid(24, 1024, 8, 2, 3584, True, 16, 16),
    "qwen3.5-9b": _hybrid(32, 4096, 16, 4, 12288, False, 16, 32),
    "bonsai-27b": _hybrid(64, 5120, 24, 4, 17408, False, 16, 48),
    # Of the 48 layers, each with 128 experts, the first four.
    "qwen3-30b-a3b-4-layers": Shape(4, 2048, 32, 4, 6144, 151936, False, experts=Experts(128, 8, 768)),
}


def metadata(name: str, shape: Shape) -> dict:
    """The keys that describe the model, its tokenizer's aside."""
    values = {
        "block_count": shape.layers,
        "context_length": shape.context,
        "embedding_length": shape.hidden,
        "feed_forward_length": shape.forward,
        "attention.head_count": shape.heads,
        "attention.head_count_kv": shape.kv_heads,
        "attention.key_length": shape.head,
        "attention.value_length": shape.head,
        "attention.layer_norm_rms_epsilon": 1e-6,
        "rope.freq_base": shape.rope_base,
    }
    if shape.experts:
        values |= {
            "expert_count": shape.experts.count,
            "expert_used_count": shape.experts.active,
            "expert_feed_forward_length": shape.experts.size,
        }
    if shape.delta_net:
        net = shape.delta_net
        values |= {
            "ssm.conv_kernel": net.taps,
            "ssm.state_size": net.dimension,
            "ssm.group_count": net.key_heads,
            "ssm.time_step_rank": net.value_heads,
            "ssm.inner_size": net.value_heads * net.dimension,
            "full_attention_interval": net.interval,
            "rope.dimension_count": shape.head // 4,
            "rope.dimension_sections": [11, 11, 10, 0],
        }
    return {
        "general.architecture": shape.architecture,
        "general.type": "model",
        "general.name": f"random {name}",
        "general.quantization_version": 2,
        **{f"{shape.architecture}.{key}": value for key, value in values.items()},
    }


def tensors(shape: Shape):
    yield "token_embd.weight", (shape.vocabulary, shape.hidden), "matrix"
    for layer in range(shape.layers):
        block = f"blk.{layer}."
        is_attention = not shape.delta_net or (layer + 1) % shape.delta_net.interval == 0
        yield block + "attn_norm.weight", (shape.hidden,), "norm"
        for name, extents, kind in _attention(shape) if is_attention else _delta_net(shape):
            yield block + name, extents, kind
        norm = "post_attention_norm" if shape.delta_net else "ffn_norm"
        yield f"{block}{norm}.weight", (shape.hidden,), "norm"
        for name, extents, kind in _experts(shape) if shape.experts else _feed_forward(shape):
            yield block + name, extents, kind
    yield "output_norm.weight", (shape.hidden,), "norm"
    if not shape.tied:
        yield "output.weight", (shape.vocabulary, shape.hidden), "matrix"


def _attention(shape: Shape):
    width = shape.heads * shape.head
    gated = 2 if shape.delta_net else 1
    yield "attn_q.weight", (width * gated, shape.hidden), "matrix"
    yield "attn_k.weight", (shape.kv_heads * shape.head, shape.hidden), "matrix"
    yield "attn_v.weight", (shape.kv_heads * shape.head, shape.hidden), "matrix"
    yield "attn_q_norm.weight", (shape.head,), "norm"
    yield "attn_k_norm.weight", (shape.head,), "norm"
    yield "attn_output.weight", (shape.hidden, width), "matrix"


def _delta_net(shape: Shape):
    net = shape.delta_net
    inner = net.value_heads * net.dimension
    channels = 2 * net.key_heads * net.dimension + inner
    yield "attn_qkv.weight", (channels, shape.hidden), "matrix"
    yield "attn_gate.weight", (inner, shape.hidden), "matrix"
    yield "ssm_beta.weight", (net.value_heads, shape.hidden), "matrix"
    yield "ssm_alpha.weight", (net.value_heads, shape.hidden), "matrix"
    yield "ssm_conv1d.weight", (channels, net.taps), "taps"
    yield "ssm_dt.bias", (net.value_heads,), "time bias"
    yield "ssm_a", (net.value_heads,), "decay"
    yield "ssm_norm.weight", (net.dimension,), "norm"
    yield "ssm_out.weight", (shape.hidden, inner), "matrix"


def _feed_forward(shape: Shape):
    yield "ffn_gate.weight", (shape.forward, shape.hidden), "matrix"
    yield "ffn_up.weight", (shape.forward, shape.hidden), "matrix"
    yield "ffn_down.weight", (shape.hidden, shape.forward), "matrix"


def _experts(shape: Shape):
    experts = shape.experts
    yield "ffn_gate_inp.weight", (experts.count, shape.hidden), "router"
    yield "ffn_gate_exps.weight", (experts.count, experts.size, shape.hidden), "matrix"
    yield "ffn_up_exps.weight", (experts.count, experts.size, shape.hidden), "matrix"
    yield "ffn_down_exps.weight", (experts.count, shape.hidden, experts.size), "matrix"
