// SPDX-License-Identifier: Apache-2.0
// bf16: conversions with rounding to nearest even, arithmetic, pairs, a matrix product with fp32 sums.
#include <cuda_bf16.h>

#include "tests/kernels/expect.h"

__global__ void convert(const float* in, __nv_bfloat16* out, float* back, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = __float2bfloat16(in[i]);
  back[i] = __bfloat162float(out[i]);
}

__global__ void pairs(const __nv_bfloat162* x, const __nv_bfloat162* y, __nv_bfloat162* out) {
  const int i = threadIdx.x;
  out[i] = __hfma2(x[i], y[i], __hadd2(x[i], __hneg2(y[i])));
}

__global__ void matmul(const __nv_bfloat16* M, const __nv_bfloat16* N, float* P, int width) {
  const int row = threadIdx.y, col = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < width; ++k)
    sum += __bfloat162float(M[row * width + k]) * __bfloat162float(N[k * width + col]);
  P[row * width + col] = sum;
}

float Rounded(double value) {
  // Through fp32 twice rounded would differ only in ties that small multiples of 1/64 do not meet.
  float f = static_cast<float>(value);
  std::uint32_t bits;
  std::memcpy(&bits, &f, 4);
  bits += 0x7fff + (bits >> 16 & 1);
  bits &= 0xffff0000u;
  std::memcpy(&f, &bits, 4);
  return f;
}

int main() {
  const int n = 256;
  std::vector<float> a = Eighths(n, 1), b = Eighths(n, 2);
  for (int i = 0; i < n; ++i) a[i] *= 1.01f, b[i] *= 0.37f;
  float *da = OnDevice(a), *db = OnDevice(b), *back = OnDevice<float>(n);
  __nv_bfloat16 *x = OnDevice<__nv_bfloat16>(n), *y = OnDevice<__nv_bfloat16>(n),
                *z = OnDevice<__nv_bfloat16>(n);
  convert<<<2, 128>>>(db, y, back, n);
  convert<<<2, 128>>>(da, x, back, n);
  FINISH();
  const auto returned = FromDevice(back, n);
  for (int i = 0; i < n; ++i) {
    ExpectEqual("converted", i, returned[i], Rounded(a[i]));
    a[i] = Rounded(a[i]), b[i] = Rounded(b[i]);
  }
  pairs<<<1, n / 2>>>(reinterpret_cast<__nv_bfloat162*>(x), reinterpret_cast<__nv_bfloat162*>(y),
                      reinterpret_cast<__nv_bfloat162*>(z));
  FINISH();
  const auto got = FromDevice(z, n);
  for (int i = 0; i < n; ++i)
    ExpectEqual("pair", i, __bfloat162float(got[i]),
                Rounded(double(a[i]) * b[i] + Rounded(double(a[i]) - b[i])));
  float* product = OnDevice<float>(n);
  matmul<<<1, dim3(16, 16)>>>(x, y, product, 16);
  FINISH();
  const auto p = FromDevice(product, n);
  for (int i = 0; i < n; ++i) {
    double sum = 0, size = 0;
    for (int k = 0; k < 16; ++k) {
      sum += double(a[i / 16 * 16 + k]) * b[k * 16 + i % 16];
      size += std::fabs(double(a[i / 16 * 16 + k]) * b[k * 16 + i % 16]);
    }
    ExpectNear("P", i, p[i], sum, size * 16 * 6e-8);
  }
  return Result();
}
