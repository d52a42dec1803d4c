// SPDX-License-Identifier: Apache-2.0
__device__ __noinline__ int h(int a) {
  return a * 37;
}
__global__ void k(int* x, int n) {
  int r;
  switch (n) {
    case 0:
      r = x[1] * 3;
      x[9] = 1;
      break;
    case 1: r = h(4); break;
    case 2: r = x[3] / x[4]; break;
    case 3: r = atomicAdd(x, 1); break;
    case 4: r = __clz(n) + x[7]; break;
    case 5:
      x[4] = 3;
      r = 9;
      break;
    case 6: r = x[x[1]]; break;
    case 7: r = h(x[3]) % 3; break;
    case 8:
      __syncthreads();
      r = 3;
      break;
    default: r = -1;
  }
  x[0] = r;
}
