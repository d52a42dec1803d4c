// SPDX-License-Identifier: Apache-2.0
__global__ void sh(int* x, float* f) {
  int v = x[threadIdx.x];
  for (int o = 16; o; o /= 2) v += __shfl_xor_sync(~0u, v, o);
  v += __shfl_up_sync(0xffff, v, 1);
  v += __shfl_sync(~0u, v, 3, 8);
  unsigned b = __ballot_sync(~0u, v > 3);
  if (__any_sync(~0u, v)) b ^= __all_sync(~0u, v == 2);
  b += __match_any_sync(~0u, v);
  int p;
  b += __match_all_sync(~0u, v, &p);
  x[threadIdx.x] = b + p + __activemask() + __popc(b);
  __syncwarp();
  f[0] = __shfl_down_sync(~0u, f[1], 2);
}
