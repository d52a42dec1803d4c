// SPDX-License-Identifier: Apache-2.0
// A matrix product by tensor cores, several warps a block, tiles staged in shared memory.
#include <mma.h>

#include "tests/kernels/expect.h"

using namespace nvcuda;

constexpr int kTile = 16, kWarps = 4, kSide = 32;

__global__ void matmul(const __half* M, const __half* N, float* P, int width) {
  __shared__ alignas(32) __half Mds[kSide][kTile + 8];
  __shared__ alignas(32) __half Nds[kTile][kSide + 8];
  const int warp = threadIdx.x / 32, row = warp / 2 * kTile, col = warp % 2 * kTile;
  wmma::fragment<wmma::accumulator, kTile, kTile, kTile, float> sums;
  wmma::fill_fragment(sums, 0.0f);
  for (int first = 0; first < width; first += kTile) {
    for (int i = threadIdx.x; i < kSide * kTile; i += blockDim.x) {
      Mds[i / kTile][i % kTile] = M[(blockIdx.y * kSide + i / kTile) * width + first + i % kTile];
      Nds[i / kSide][i % kSide] = N[(first + i / kSide) * width + blockIdx.x * kSide + i % kSide];
    }
    __syncthreads();
    wmma::fragment<wmma::matrix_a, kTile, kTile, kTile, __half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, kTile, kTile, kTile, __half, wmma::row_major> b;
    wmma::load_matrix_sync(a, &Mds[row][0], kTile + 8);
    wmma::load_matrix_sync(b, &Nds[0][col], kSide + 8);
    wmma::mma_sync(sums, a, b, sums);
    __syncthreads();
  }
  wmma::store_matrix_sync(&P[(blockIdx.y * kSide + row) * width + blockIdx.x * kSide + col], sums, width,
                          wmma::mem_row_major);
}

int main() {
  const int width = 64;
  std::vector<__half> m, n;
  for (int value : Integers(width * width, 1)) m.push_back(__float2half((value & 15) - 7.0f));
  for (int value : Integers(width * width, 2)) n.push_back(__float2half((value & 15) * 0.25f));
  __half *dm = OnDevice(m), *dn = OnDevice(n);
  float* dp = OnDevice<float>(width * width);
  matmul<<<dim3(width / kSide, width / kSide), kWarps * 32>>>(dm, dn, dp, width);
  FINISH();
  const auto p = FromDevice(dp, width * width);
  for (int i = 0; i < width * width; ++i) {
    float sum = 0;
    for (int k = 0; k < width; ++k)
      sum += __half2float(m[i / width * width + k]) * __half2float(n[k * width + i % width]);
    ExpectEqual("P", i, p[i], sum);
  }
  return Result();
}
