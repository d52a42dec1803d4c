// SPDX-License-Identifier: Apache-2.0
// Tests the matrix products of this folder against the host. Inputs are small multiples of 1/8, so that every
// order of the sum gives the same fp32 value.
#pragma once

#include "tests/kernels/expect.h"

/// `run(M, N, P, rows, inner, columns)` launches; P[rows][columns] = M[rows][inner] * N[inner][columns].
template <class Run>
void TestProduct(int rows, int inner, int columns, Run run) {
  std::vector<float> m = Eighths(std::size_t(rows) * inner, 1), n = Eighths(std::size_t(inner) * columns, 2);
  float *dm = OnDevice(m), *dn = OnDevice(n), *dp = OnDevice<float>(std::size_t(rows) * columns);
  run(dm, dn, dp, rows, inner, columns);
  FINISH();
  const auto p = FromDevice(dp, std::size_t(rows) * columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      double sum = 0;
      for (int k = 0; k < inner; ++k) sum += double(m[i * inner + k]) * n[k * columns + j];
      ExpectEqual("P", std::size_t(i) * columns + j, p[std::size_t(i) * columns + j], sum);
    }
  CUDA(cudaFree(dm));
  CUDA(cudaFree(dn));
  CUDA(cudaFree(dp));
}
