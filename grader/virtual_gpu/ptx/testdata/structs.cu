// SPDX-License-Identifier: Apache-2.0
struct S {
  int a[7];
  char c;
  double d;
};
struct E {};
__device__ __noinline__ S f(S s, E e, char c, bool b, short h, double d, float4 v, long long q) {
  s.a[3] += c + b + h + (int)d + (int)v.x + (int)q;
  return s;
}
__global__ void k(S s, E e, S* out, char c, short h, bool b, float4 v) {
  *out = f(s, e, c, b, h, 2.0, v, 3);
}
