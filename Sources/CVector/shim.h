#pragma once

// What kernels need of C: instructions whose intrinsics are macros, which Swift does not see, and loads
// that stay in the order that they are written in.

#if defined(__x86_64__)
#include <immintrin.h>

/// Multiplies every byte of `a`, as 8 bits, by the 8 × 8 matrix of bits in the same 8 bytes of `m`.
static inline __attribute__((always_inline, target("avx512f,avx512bw,gfni"))) __m512i
pipit_affine(__m512i a, __m512i m) {
  return _mm512_gf2p8affine_epi64_epi8(a, m, 0);
}

/// Adds the products of four unsigned bytes of `a` and four signed ones of `b` to each sum: AVX-VNNI's
/// encoding, or that of AVX-512 where this is compiled for it.
#if defined(__AVX512VNNI__) && defined(__AVX512VL__)
static inline __attribute__((always_inline, target("avx2,avx512vl,avx512vnni"))) __m256i
pipit_dpbusd(__m256i sum, __m256i a, __m256i b) {
  return _mm256_dpbusd_epi32(sum, a, b);
}
#else
static inline __attribute__((always_inline, target("avx2,avxvnni"))) __m256i
pipit_dpbusd(__m256i sum, __m256i a, __m256i b) {
  return _mm256_dpbusd_avx_epi32(sum, a, b);
}
#endif

/// Loads 64 bytes, after every load that stands before it and before every one that follows.
///
/// The compiler likes to move loads to where their values are used. The hardware's prefetching
/// follows only ascending addresses: with 6-bit codes, whose high bits come last and are used first,
/// one thread read 19 instead of 28 GB/s from memory.
static inline __attribute__((always_inline, target("avx512f"))) __m512i
pipit_load_in_order(const void *address) {
  return *(const volatile __m512i_u *)address;
}

#if defined(__AVX512F__)
/// The products of one float in memory with sixteen.
///
/// The compiler loads a float that is used several times into a register of its own, which occupies a pipe that
/// adds (Zen 4: 47 instead of 58 · 10⁹ products a second of four rows with four registers). As an operand
/// of the multiplication it costs nothing.
static inline __attribute__((always_inline, target("avx512f"))) __m512
pipit_multiply_broadcast(const float *a, __m512 b) {
  __m512 products;
  __asm__("vmulps %1%{1to16%}, %2, %0" : "=v"(products) : "m"(*a), "v"(b));
  return products;
}
#endif

/// Starts to bring a cache line into the second level; any address will do.
static inline __attribute__((always_inline)) void pipit_prefetch_second(const void *address) {
  __builtin_prefetch(address, 0, 2);
}

/// Starts to bring a cache line; any address will do.
static inline __attribute__((always_inline)) void pipit_prefetch(const void *address) {
  __builtin_prefetch(address);
}
#endif
