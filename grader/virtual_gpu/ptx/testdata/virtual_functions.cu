// SPDX-License-Identifier: Apache-2.0
struct B {
  __device__ virtual int f(int) = 0;
  __device__ virtual ~B() {}
};
struct D : B {
  __device__ int f(int x) override { return x + 1; }
};
struct F : B {
  int q;
  __device__ int f(int x) override { return x * q; }
};
__global__ void k(int* x, int n) {
  B* b = n ? (B*)new D : (B*)new F;
  x[0] = b->f(n);
  delete b;
}
