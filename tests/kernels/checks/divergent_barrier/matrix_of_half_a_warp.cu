// SPDX-License-Identifier: Apache-2.0
// finding: divergent_barrier, line 18
// finding: divergent_barrier, line 19
// finding: divergent_barrier, line 20
// finding: divergent_barrier, line 21
// A matrix instruction takes the whole warp.
#include <mma.h>

#include "tests/kernels/expect.h"

__global__ void k(const half* in, float* out) {
  using namespace nvcuda::wmma;
  if (threadIdx.x < 16) {
    fragment<matrix_a, 16, 16, 16, half, row_major> a;
    fragment<matrix_b, 16, 16, 16, half, row_major> b;
    fragment<accumulator, 16, 16, 16, float> sum;
    fill_fragment(sum, 0.0f);
    load_matrix_sync(a, in, 16);
    load_matrix_sync(b, in, 16);
    mma_sync(sum, a, b, sum);
    store_matrix_sync(out, sum, 16, mem_row_major);
  }
}

int main() {
  k<<<1, 64>>>(OnDevice(std::vector<half>(256, __float2half(1.0f))), OnDevice<float>(256));
  cudaDeviceSynchronize();
  return 0;
}
