// SPDX-License-Identifier: Apache-2.0
// exercise: rect_matmul
// verdict: not passed
// must not: grader_fault; pass
// cudaIpc handles of P, opened again.

#include "rect_matmul.h"

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  cudaIpcMemHandle_t h;
  void* p;
  cudaIpcGetMemHandle(&h, P);
  cudaIpcOpenMemHandle(&p, h, cudaIpcMemLazyEnablePeerAccess);
}
