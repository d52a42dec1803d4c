// SPDX-License-Identifier: Apache-2.0
// A dot product of halves with fp32 accumulation, loaded as pairs, shuffled as pairs, added atomically.
#include <cuda_fp16.h>

#include "tests/kernels/expect.h"

__global__ void dot(const __half2* x, const __half2* y, int pairs, float* out) {
  float sum = 0;
  for (int i = threadIdx.x; i < pairs; i += blockDim.x) {
    const float2 a = __half22float2(x[i]), b = __half22float2(y[i]);
    sum += a.x * b.x + a.y * b.y;
  }
  for (int offset = 16; offset; offset /= 2) sum += __shfl_xor_sync(~0u, sum, offset);
  if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}

__global__ void sum_pairs(const __half2* x, __half2* out, __half2* total) {
  __half2 sum = x[threadIdx.x];
  for (int offset = 16; offset; offset /= 2) sum = __hadd2(sum, __shfl_xor_sync(~0u, sum, offset));
  out[threadIdx.x] = sum;
  if (threadIdx.x < 8) atomicAdd(total, x[threadIdx.x]);
}

int main() {
  const int n = 512;
  const std::vector<float> a = Eighths(n, 1), b = Eighths(n, 2);
  std::vector<__half> ha, hb;
  double wanted = 0;
  for (int i = 0; i < n; ++i) {
    ha.push_back(__float2half(a[i]));
    hb.push_back(__float2half(b[i]));
    wanted += double(a[i]) * b[i];
  }
  __half2 *x = reinterpret_cast<__half2*>(OnDevice(ha)), *y = reinterpret_cast<__half2*>(OnDevice(hb));
  float* out = OnDevice(std::vector<float>(1));
  dot<<<1, 64>>>(x, y, n / 2, out);
  FINISH();
  ExpectEqual("dot", 0, FromDevice(out, 1)[0], wanted);
  __half2 *sums = OnDevice<__half2>(32), *total = OnDevice(std::vector<__half2>{__float2half2_rn(0.0f)});
  sum_pairs<<<1, 32>>>(x, sums, total);
  FINISH();
  const auto got = FromDevice(sums, 32);
  float2 sum = {0, 0}, eight = {0, 0};
  for (int i = 0; i < 32; ++i) {
    sum.x += a[2 * i], sum.y += a[2 * i + 1];
    if (i < 8) eight.x += a[2 * i], eight.y += a[2 * i + 1];
  }
  for (int i = 0; i < 32; ++i) {
    ExpectEqual("low", i, __low2float(got[i]), sum.x);
    ExpectEqual("high", i, __high2float(got[i]), sum.y);
  }
  const __half2 all = FromDevice(total, 1)[0];
  ExpectEqual("total", 0, __low2float(all), eight.x);
  ExpectEqual("total", 1, __high2float(all), eight.y);
  return Result();
}
