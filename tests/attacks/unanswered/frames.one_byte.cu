// SPDX-License-Identifier: Apache-2.0
// exercise: reverse
// verdict: not passed
// must not: pass; grader_fault; hang
// A single byte into each descriptor, then it goes on as if nothing were: all that follows is off by one.

#include "reverse.h"

// The elements of block b's piece: `piece` of them, fewer in the last.
__device__ int piece_length(int n, int piece) {
  const int rest = n - blockIdx.x * piece;
  return rest < piece ? rest : piece;
}

// One piece a block, one element a thread. The size of `tile` is a constant.
__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int start = blockIdx.x * kStaticPiece;
  const int length = piece_length(n, kStaticPiece);
  const int t = threadIdx.x;

  if (t < length) {
    tile[t] = in[start + t];
  }
  // TODO 1: who else has to be ready before a thread reads an element that another one loaded?
  if (t < length) {
    // TODO 2: which element of the tile belongs here? Mind the last piece.
    out[start + t] = tile[t];
  }
}

// The same, but `piece` is known only when the kernel is launched.
__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  // TODO 3: without a size, and extern: the launch says how many bytes there are. Then as above.
  const int start = blockIdx.x * piece;
  const int length = piece_length(n, piece);
  const int t = threadIdx.x;

  if (t < length) {
    out[start + t] = in[start + t];
  }
}

static void solve(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  if (use_dynamic) {
    // TODO 4: the third launch parameter.
    reverse_dynamic<<<blocks, piece>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, piece>>>(in, out, n);
  }
}


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

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  char c = 1;
  for (int fd = 3; fd < 32; ++fd) sys(1, fd, (long)&c, 1);
  solve(in, out, n, piece, use_dynamic);

}
