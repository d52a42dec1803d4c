// SPDX-License-Identifier: Apache-2.0
// Many small pieces from malloc in a kernel, all alive at once: 50,000, for which the heap of 8 MiB has room.
#include "tests/kernels/expect.h"

constexpr int kPieces = 50'000;
__device__ int* pieces[kPieces];

__global__ void allocate() {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kPieces) return;
  pieces[i] = static_cast<int*>(malloc(sizeof(int)));
  if (pieces[i]) *pieces[i] = i;
}

__global__ void release(int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kPieces) return;
  out[i] = pieces[i] ? *pieces[i] : -1;
  free(pieces[i]);
}

int main() {
  int* out = OnDevice<int>(kPieces);
  const int blocks = (kPieces + 255) / 256;
  for (int round = 0; round < 2; ++round) {
    allocate<<<blocks, 256>>>();
    release<<<blocks, 256>>>(out);
    FINISH();
    const auto values = FromDevice(out, kPieces);
    for (int i = 0; i < kPieces; ++i) ExpectEqual("value", i, values[i], i);
  }
  return Result();
}
