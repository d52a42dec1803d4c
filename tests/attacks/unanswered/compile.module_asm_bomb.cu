// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_matmul
// verdict: not passed
// must not: hang; grow; grader_fault
// PTX of its own through asm in a kernel: .reg of 100,000 registers, a loop of labels, a giant .shared.

#include "coarsened_matmul.h"
__global__ void k(float* p) {
  asm volatile("{ .reg .f32 %%big<100000>; .local .align 4 .b8 loc[500000]; mov.f32 %%big99999, 0f00000000; st.global.f32 [%0], %%big99999; }" ::"l"(p));
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  k<<<1, 32>>>(P);
}
