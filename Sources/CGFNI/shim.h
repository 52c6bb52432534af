#pragma once

// An instruction whose intrinsic is a macro, which Swift does not see.

#if defined(__x86_64__)
#include <immintrin.h>

/// Multiplies every byte of `a`, as 8 bits, by the 8 × 8 matrix of bits in the same 8 bytes of `m`.
static inline __attribute__((always_inline, target("avx512f,avx512bw,gfni"))) __m512i
pipit_affine(__m512i a, __m512i m) {
  return _mm512_gf2p8affine_epi64_epi8(a, m, 0);
}
#endif
