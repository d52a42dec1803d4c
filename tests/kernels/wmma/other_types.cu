// SPDX-License-Identifier: Apache-2.0
// Tensor cores with bf16, tf32, signed bytes and fp64.
#include <mma.h>

#include "tests/kernels/expect.h"

using namespace nvcuda;

template <int kM, int kN, int kK, class In, class Memory, class Sum>
__global__ void multiply(const Memory* a, const Memory* b, Sum* c) {
  wmma::fragment<wmma::matrix_a, kM, kN, kK, In, wmma::row_major> a_tile;
  wmma::fragment<wmma::matrix_b, kM, kN, kK, In, wmma::col_major> b_tile;
  wmma::fragment<wmma::accumulator, kM, kN, kK, Sum> sums;
  wmma::load_matrix_sync(a_tile, a, kK);
  wmma::load_matrix_sync(b_tile, b, kK);
  wmma::load_matrix_sync(sums, c, kN, wmma::mem_row_major);
  if constexpr (std::is_same_v<In, wmma::precision::tf32>) {
    for (int i = 0; i < a_tile.num_elements; ++i) a_tile.x[i] = wmma::__float_to_tf32(a_tile.x[i]);
    for (int i = 0; i < b_tile.num_elements; ++i) b_tile.x[i] = wmma::__float_to_tf32(b_tile.x[i]);
  }
  wmma::mma_sync(sums, a_tile, b_tile, sums);
  wmma::store_matrix_sync(c, sums, kN, wmma::mem_row_major);
}

template <int kM, int kN, int kK, class In, class Memory, class Sum>
void Test(const char* name) {
  std::vector<Memory> a, b;
  std::vector<Sum> c;
  // Whole numbers below 2^8 are exact in all of these types.
  for (int value : Integers(kM * kK, 1))
    a.push_back(static_cast<Memory>(static_cast<float>((value & 127) - 64)));
  for (int value : Integers(kK * kN, 2))
    b.push_back(static_cast<Memory>(static_cast<float>((value & 127) - 64)));
  for (int value : Integers(kM * kN, 3)) c.push_back(static_cast<Sum>(value & 0xffff));
  Memory *da = OnDevice(a), *db = OnDevice(b);
  Sum* dc = OnDevice(c);
  multiply<kM, kN, kK, In><<<1, 32>>>(da, db, dc);
  FINISH();
  const auto got = FromDevice(dc, kM * kN);
  for (int i = 0; i < kM; ++i)
    for (int j = 0; j < kN; ++j) {
      double sum = c[i * kN + j];
      for (int k = 0; k < kK; ++k) sum += double(float(a[i * kK + k])) * double(float(b[j * kK + k]));
      ExpectEqual(name, i * kN + j, got[i * kN + j], sum);
    }
}

int main() {
  Test<16, 16, 16, __nv_bfloat16, __nv_bfloat16, float>("bf16");
  Test<16, 16, 8, wmma::precision::tf32, float, float>("tf32");
  Test<16, 16, 16, signed char, signed char, int>("s8");
  Test<8, 8, 4, double, double, double>("f64");
  return Result();
}
