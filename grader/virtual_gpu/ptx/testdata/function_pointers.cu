// SPDX-License-Identifier: Apache-2.0
typedef float (*op)(float, float);
__device__ float plus_(float a, float b) {
  return a + b;
}
__device__ float times(float a, float b) {
  return a * b;
}
struct V {
  float x, y, z;
};
typedef V (*vop)(V, int);
__device__ __noinline__ V va(V a, int n) {
  a.x += n;
  return a;
}
__device__ __noinline__ V vb(V a, int n) {
  a.y -= n;
  return a;
}
__device__ op ops[] = {plus_, times};
typedef void (*vf)();
__device__ __noinline__ void nothing() {}
__device__ vf g_nothing = nothing;
__global__ void k(float* x, int n) {
  x[0] = ops[n](x[1], x[2]);
  vop f = n > 3 ? va : vb;
  V v{x[3], x[4], x[5]};
  v = f(v, n);
  x[6] = v.x + v.y;
  g_nothing();
}
