// SPDX-License-Identifier: Apache-2.0
// nvcuda::wmma with fp16 operands and fp32 or fp16 sums: 16x16x16, 32x8x16 and 8x32x16, row- and
// column-major, from global memory.
#include <mma.h>

#include "tests/kernels/expect.h"

using namespace nvcuda;

template <int kM, int kN, int kK, class Sum, class LayoutA, class LayoutB>
__global__ void multiply(const __half* a, const __half* b, Sum* c, int inner) {
  wmma::fragment<wmma::matrix_a, kM, kN, kK, __half, LayoutA> a_tile;
  wmma::fragment<wmma::matrix_b, kM, kN, kK, __half, LayoutB> b_tile;
  wmma::fragment<wmma::accumulator, kM, kN, kK, Sum> sums;
  wmma::fill_fragment(sums, Sum(1.0f));
  constexpr bool a_rows = std::is_same_v<LayoutA, wmma::row_major>,
                 b_rows = std::is_same_v<LayoutB, wmma::row_major>;
  for (int k = 0; k < inner; k += kK) {
    wmma::load_matrix_sync(a_tile, a_rows ? a + k : a + k * kM, a_rows ? inner : kM);
    wmma::load_matrix_sync(b_tile, b_rows ? b + k * kN : b + k, b_rows ? kN : inner);
    wmma::mma_sync(sums, a_tile, b_tile, sums);
  }
  for (int i = 0; i < sums.num_elements; ++i) sums.x[i] = sums.x[i] * Sum(2.0f);
  wmma::store_matrix_sync(c, sums, kN, wmma::mem_row_major);
}

template <int kM, int kN, int kK, class Sum, class LayoutA, class LayoutB>
void Test(const char* name) {
  const int inner = 2 * kK;
  constexpr bool a_rows = std::is_same_v<LayoutA, wmma::row_major>,
                 b_rows = std::is_same_v<LayoutB, wmma::row_major>;
  std::vector<__half> a, b;
  for (int value : Integers(kM * inner, 1)) a.push_back(__float2half((value & 7) - 3.0f));
  for (int value : Integers(inner * kN, 2)) b.push_back(__float2half((value & 7) * 0.5f - 2.0f));
  __half *da = OnDevice(a), *db = OnDevice(b);
  Sum* dc = OnDevice<Sum>(kM * kN);
  multiply<kM, kN, kK, Sum, LayoutA, LayoutB><<<1, 32>>>(da, db, dc, inner);
  FINISH();
  const auto c = FromDevice(dc, kM * kN);
  for (int i = 0; i < kM; ++i)
    for (int j = 0; j < kN; ++j) {
      float sum = 1;
      for (int k = 0; k < inner; ++k)
        sum += __half2float(a_rows ? a[i * inner + k] : a[k * kM + i]) *
               __half2float(b_rows ? b[k * kN + j] : b[j * inner + k]);
      ExpectEqual(name, i * kN + j, float(c[i * kN + j]), 2 * sum);
    }
}

int main() {
  using wmma::col_major, wmma::row_major;
  Test<16, 16, 16, float, row_major, row_major>("16x16 row row");
  Test<16, 16, 16, float, row_major, col_major>("16x16 row col");
  Test<16, 16, 16, float, col_major, row_major>("16x16 col row");
  Test<16, 16, 16, __half, col_major, col_major>("16x16 col col half");
  Test<32, 8, 16, float, row_major, col_major>("32x8");
  Test<8, 32, 16, __half, row_major, row_major>("8x32");
  return Result();
}
