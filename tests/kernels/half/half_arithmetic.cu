// SPDX-License-Identifier: Apache-2.0
// Scalars and pairs of fp16: conversions, arithmetic, comparison, fused multiply-add, functions.
#include <cuda_fp16.h>

#include "tests/kernels/expect.h"

__global__ void convert(const float* in, __half* out, float* back, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = __float2half(in[i]);
  back[i] = __half2float(out[i]) + __half2float(__int2half_rn(i)) + __half2int_rz(out[i]);
}

__global__ void axpy(__half a, const __half* x, __half* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hfma(a, x[i], y[i]);
}

__global__ void pairs(const __half2* x, const __half2* y, __half2* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __half2 sum = __hadd2(x[i], y[i]);
  sum = __hmul2(sum, __float2half2_rn(0.5f));
  sum = __hfma2(sum, __halves2half2(__float2half(2.0f), __float2half(4.0f)), __hneg2(y[i]));
  out[i] = __hlt(__low2half(x[i]), __high2half(y[i])) ? sum : __hmax2(x[i], __hsub2(y[i], x[i]));
}

__global__ void functions(const __half* x, float* out, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const __half v = __habs(x[i]);
  out[i * 4] = __half2float(hsqrt(v));
  out[i * 4 + 1] = __half2float(hexp(__hmul(v, __float2half(-0.25f))));
  out[i * 4 + 2] = __half2float(v / __float2half(3.0f));
  out[i * 4 + 3] = __half2float(hfloor(x[i]));
}

float Rounded(double value) {
  return __half2float(__double2half(value));
}

int main() {
  const int n = 128;
  const std::vector<float> a = Eighths(n, 1), b = Eighths(n, 2);
  float *da = OnDevice(a), *db = OnDevice(b), *back = OnDevice<float>(n), *out = OnDevice<float>(n * 4);
  __half *x = OnDevice<__half>(n), *y = OnDevice<__half>(n), *z = OnDevice<__half>(n);
  convert<<<1, n>>>(da, x, back, n);
  FINISH();
  const auto returned = FromDevice(back, n);
  for (int i = 0; i < n; ++i) ExpectEqual("converted", i, returned[i], a[i] + i + std::trunc(a[i]));
  convert<<<1, n>>>(db, y, back, n);
  axpy<<<1, n>>>(__float2half(1.5f), x, y, n);
  FINISH();
  const auto sums = FromDevice(y, n);
  for (int i = 0; i < n; ++i) ExpectEqual("axpy", i, __half2float(sums[i]), Rounded(1.5 * a[i] + b[i]));
  convert<<<1, n>>>(db, y, back, n);
  pairs<<<1, n / 2>>>(reinterpret_cast<__half2*>(x), reinterpret_cast<__half2*>(y),
                      reinterpret_cast<__half2*>(z), n / 2);
  FINISH();
  const auto got = FromDevice(z, n);
  for (int i = 0; i < n; ++i) {
    const bool less = a[i / 2 * 2] < b[i / 2 * 2 + 1];
    const double sum = Rounded(Rounded(double(a[i]) + b[i]) * 0.5) * (i % 2 ? 4.0 : 2.0) - b[i];
    ExpectEqual("pair", i, __half2float(got[i]),
                less ? Rounded(sum) : std::fmax(a[i], Rounded(double(b[i]) - a[i])));
  }
  functions<<<1, n>>>(x, out, n);
  FINISH();
  const auto f = FromDevice(out, n * 4);
  for (int i = 0; i < n; ++i) {
    const double v = std::fabs(a[i]);
    ExpectNear("sqrt", i, f[i * 4], std::sqrt(v), std::sqrt(v) / 1024);
    ExpectNear("exp", i, f[i * 4 + 1], std::exp(v * -0.25), std::exp(v * -0.25) / 512 + 6e-8);
    ExpectNear("third", i, f[i * 4 + 2], v / 3, v / 1024);
    ExpectEqual("floor", i, f[i * 4 + 3], std::floor(a[i]));
  }
  return Result();
}
