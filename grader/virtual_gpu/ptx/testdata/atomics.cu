// SPDX-License-Identifier: Apache-2.0
__global__ void at(int* a, unsigned long long* b, float* f, double* d, unsigned* u) {
  atomicAdd(a, 1);
  atomicSub(a + 1, 2);
  atomicExch(a + 2, 3);
  atomicMin(a + 3, 4);
  atomicMax(u, 5);
  atomicInc(u + 1, 6);
  atomicDec(u + 2, 7);
  atomicCAS(b, 1ull, 2ull);
  atomicAnd(a, 3);
  atomicOr(a, 3);
  atomicXor(a, 3);
  atomicAdd(f, 1.f);
  atomicAdd(d, 1.0);
  a[9] = atomicAdd_block(a, 3) + atomicAdd_system(a + 1, 2);
  __threadfence();
  __threadfence_block();
  __threadfence_system();
}
