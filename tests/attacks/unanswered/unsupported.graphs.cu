// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: grader_fault; pass
// Stream capture and graph replay of the (wrong) work.

#include "tiled_matmul.h"
__global__ void k(float* p) { p[0] = 1; }

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  cudaGraph_t g;
  cudaGraphExec_t e;
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  k<<<1, 1, 0, s>>>(P);
  cudaStreamEndCapture(s, &g);
  cudaGraphInstantiate(&e, g, 0);
  cudaGraphLaunch(e, s);
}
