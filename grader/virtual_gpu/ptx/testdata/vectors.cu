// SPDX-License-Identifier: Apache-2.0
__global__ void k(float4* a, int2* b, double2* d, const float4* __restrict__ r, uchar4* c, short2* s) {
  float4 v = a[threadIdx.x];
  v.x += v.w;
  a[threadIdx.x + 1] = v;
  b[1] = make_int2(b[0].y, b[0].x);
  d[0].x = d[1].y;
  d[2] = d[3];
  a[9] = __ldg(r + 4);
  c[1] = c[0];
  s[3] = s[4];
  __stcs(a, a[3]);
  __stwt(b, __ldcv(b + 3));
  a[4] = __ldcg(a + 7);
}
