// SPDX-License-Identifier: Apache-2.0
// clean
// Only thread 0 reads the sum, which it has written itself. The compiler lets all threads load it, behind no
// barrier: the others do nothing with the value.
#include "tests/kernels/expect.h"

__global__ void sums(const int* in, int* out) {
  __shared__ int partial[64];
  const int t = threadIdx.x;
  int total = 0;
  for (int step = 0; step < 4; ++step) {
    partial[t] = in[step * 64 + t];
    for (int stride = 32; stride > 0; stride /= 2) {
      __syncthreads();
      if (t < stride) partial[t] += partial[t + stride];
    }
    if (t == 0) total += partial[0];
    __syncthreads();
  }
  if (t == 0) out[0] = total;
}

/// The same with a corner of a block of two dimensions, and a value that is scaled on its way.
__global__ void corner(const int* in, int* out) {
  __shared__ int first[4];
  const bool is_corner = threadIdx.x == 0 && threadIdx.y == 0;
  if (is_corner) first[1] = in[1];
  int value = 0;
  if (is_corner) value = 3 * first[1];
  if (is_corner) out[1] = value;
}

int main() {
  const int* in = OnDevice(Integers(256));
  int* out = OnDevice<int>(2);
  sums<<<1, 64>>>(in, out);
  corner<<<1, dim3(8, 8)>>>(in, out);
  FINISH();
  return 0;
}
