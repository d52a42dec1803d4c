// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void k(__half* a, __half2* b, __nv_bfloat16* c, float* f) {
  a[0] = a[1] + a[2] * a[3];
  b[0] = __hfma2(b[1], b[2], b[3]);
  c[0] = __float2bfloat16(f[0]);
  f[1] = __half2float(a[4]);
  a[5] = __hmax(a[6], a[7]);
  b[5] = h2exp(b[6]);
  if (__hgt(a[1], a[2])) a[8] = hsqrt(a[9]);
  c[2] = c[3] + c[4];
  atomicAdd(a, a[9]);
}
