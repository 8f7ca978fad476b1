/*
 * hot.h - hints for the few functions that run every cycle. Without a compiler that knows them
 * they are nothing.
 */
#ifndef WG_BASE_HOT_H
#define WG_BASE_HOT_H

#if defined(__GNUC__)
#define HOT_INLINE static inline __attribute__((always_inline))
#define COLD       __attribute__((noinline, cold))
/* A loop that wants the registers for itself, not those that are left by whoever calls it. */
#define HOT_APART __attribute__((noinline))
#define LIKELY(x) __builtin_expect(!!(x), 1)
/* Pointer p is worked out once, and not again for each use. */
#define HOT_KEEP(p) __asm__("" : "+r"(p))
#else
#define HOT_INLINE static inline
#define COLD
#define HOT_APART
#define LIKELY(x)   (x)
#define HOT_KEEP(p) ((void)0)
#endif

/* Before a loop in which no pass reads what another one writes; clang finds out for itself. */
#if defined(__GNUC__) && !defined(__clang__)
#define HOT_LOOP _Pragma("GCC ivdep")
#else
#define HOT_LOOP
#endif

#endif
