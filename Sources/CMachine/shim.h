#pragma once
#include <stdint.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

// What Swift cannot say: a variadic system call, and builtins.

#if defined(__linux__)
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
/// Sleeps while the word holds `expected`. May return early.
static inline void pipit_wait(const void *word, uint32_t expected) {
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, (void *)0, (void *)0, 0);
}
static inline void pipit_wake(const void *word, int32_t count) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, (void *)0, (void *)0, 0);
}
/// The calling thread's affinity mask; returns the bytes written or -1.
static inline long pipit_affinity(uint64_t *mask, long bytes) {
  return syscall(SYS_sched_getaffinity, 0, bytes, mask);
}
#else
#include <os/os_sync_wait_on_address.h>
static inline void pipit_wait(const void *word, uint32_t expected) {
  os_sync_wait_on_address((void *)word, expected, 4, OS_SYNC_WAIT_ON_ADDRESS_NONE);
}
static inline void pipit_wake(const void *word, int32_t count) {
  os_sync_wake_by_address_all((void *)word, 4, OS_SYNC_WAKE_BY_ADDRESS_NONE);
}
static inline long pipit_affinity(uint64_t *mask, long bytes) { return -1; }
#endif

#if defined(__GLIBC__)
#include <malloc.h>
static inline void pipit_return_freed_memory(void) { malloc_trim(0); }
static inline void pipit_use_one_arena(void) { mallopt(M_ARENA_MAX, 1); }
#else
static inline void pipit_use_one_arena(void) {}
static inline void pipit_return_freed_memory(void) {}
#endif

static inline void pipit_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

// These ask CPUID, and XGETBV whether the system saves the registers.
#if defined(__x86_64__)
static inline int pipit_has_avx2(void) {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c");
}
static inline int pipit_has_avx512(void) {
  return pipit_has_avx2() && __builtin_cpu_supports("avx512f") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vnni");
}
static inline int pipit_has_gfni(void) {
  return pipit_has_avx512() && __builtin_cpu_supports("gfni");
}
static inline int pipit_has_avxvnni(void) {
  unsigned eax, ebx, ecx, edx;
  // No name for it is known to every compiler: leaf 7, sub-leaf 1, bit 4 of EAX.
  return pipit_has_avx2() && __get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx) && (eax & 1 << 4);
}
#else
static inline int pipit_has_avx2(void) { return 0; }
static inline int pipit_has_avx512(void) { return 0; }
static inline int pipit_has_gfni(void) { return 0; }
static inline int pipit_has_avxvnni(void) { return 0; }
#endif
