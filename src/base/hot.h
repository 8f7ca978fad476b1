/*
 * hot.h - hints for the few functions that run every cycle. Without a compiler that knows them
 * they are nothing.
 */
#ifndef WG_BASE_HOT_H
#define WG_BASE_HOT_H

#if defined(__GNUC__)
#define HOT_INLINE static inline __attribute__((always_inline))
#define COLD       __attribute__((noinline, cold))
#define LIKELY(x)  __builtin_expect(!!(x), 1)
#else
#define HOT_INLINE static inline
#define COLD
#define LIKELY(x) (x)
#endif

#endif
