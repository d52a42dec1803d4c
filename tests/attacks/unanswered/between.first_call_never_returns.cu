// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: pass; hang
// The first call blocks for ever in a thread of its own; the entry leaves by longjmp-like stack switch (makecontext), so that work goes on between calls.

#include "tiled_matmul.h"

__global__ void naive_mm(const float* M, const float* N, float* P, int j, int k, int l) {
  const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  if (row >= j || col >= l) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += M[row * k + i] * N[i * l + col];
  P[row * l + col] = sum;
}
static void naive(const float* M, const float* N, float* P, int j, int k, int l) {
  naive_mm<<<dim3((l + 15) / 16, (j + 15) / 16), dim3(16, 16)>>>(M, N, P, j, k, l);
}

#include <ucontext.h>
static ucontext_t back, side;
static char stack[1 << 20];
static const float *gM, *gN;
static float* gP;
static int gW;
static void other() {
  for (;;) {
    naive(gM, gN, gP, gW, gW, gW);
    swapcontext(&side, &back);
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  gM = M; gN = N; gP = P; gW = width;
  static bool made = false;
  if (!made) {
    made = true;
    getcontext(&side);
    side.uc_stack.ss_sp = stack;
    side.uc_stack.ss_size = sizeof stack;
    side.uc_link = nullptr;
    makecontext(&side, other, 0);
  }
  if (width > 32) return;
  swapcontext(&back, &side);
}
