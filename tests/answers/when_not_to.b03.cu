// SPDX-License-Identifier: Apache-2.0
// mistake: (1) with factors 4 and 8 whole float4 are added only: where the length is no multiple of 4, the last
//   one to three elements are left out. (2) in the answers, 1024 elements are counted in lines of 128 bytes (96)
//   instead of sectors of 32.
// want: length 1001, factor 4: which elements does the thread own that has element 1000, and who adds them? After
//   that: how many bytes has a sector, and how many the line that you counted?
#include "when_not_to.h"

#define BLOCK_SIZE 256

__device__ float4 operator+(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__global__ void when_not_to_scalar(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int first = blockIdx.x * BLOCK_SIZE * coarse_factor + threadIdx.x;
  for (int c = 0; c < coarse_factor; ++c) {
    const int i = first + c * BLOCK_SIZE;
    if (i < length) C[i] = A[i] + B[i];
  }
}

// A thread adds vectors of four neighbours; a warp's vectors are neighbours, too.
__global__ void when_not_to_vector(const float4* A, const float4* B, float4* C, int vectors, int each) {
  const int first = blockIdx.x * BLOCK_SIZE * each + threadIdx.x;
  for (int c = 0; c < each; ++c) {
    const int i = first + c * BLOCK_SIZE;
    if (i < vectors) C[i] = A[i] + B[i];
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int segment = BLOCK_SIZE * coarse_factor;
  const int blocks = (length + segment - 1) / segment;
  if (coarse_factor % 4 == 0) {
    when_not_to_vector<<<blocks, BLOCK_SIZE>>>(reinterpret_cast<const float4*>(A),
                                               reinterpret_cast<const float4*>(B), reinterpret_cast<float4*>(C),
                                               length / 4, coarse_factor / 4);
  } else {
    when_not_to_scalar<<<blocks, BLOCK_SIZE>>>(A, B, C, length, coarse_factor);
  }
}
