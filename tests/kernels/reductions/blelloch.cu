// SPDX-License-Identifier: Apache-2.0
// Exclusive scan after Blelloch, with padding against bank conflicts; blocks joined by a scan of their sums.
#include "tests/kernels/expect.h"

#define PADDED(i) ((i) + ((i) >> 5))

__global__ void scan_blocks(const int* in, int* out, int* sums, int count) {
  extern __shared__ int tree[];
  const int n = 2 * blockDim.x, t = threadIdx.x, base = blockIdx.x * n;
  for (int k = t; k < n; k += blockDim.x) tree[PADDED(k)] = base + k < count ? in[base + k] : 0;
  int offset = 1;
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) tree[PADDED(offset * (2 * t + 2) - 1)] += tree[PADDED(offset * (2 * t + 1) - 1)];
    offset *= 2;
  }
  if (t == 0) {
    if (sums) sums[blockIdx.x] = tree[PADDED(n - 1)];
    tree[PADDED(n - 1)] = 0;
  }
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      const int left = PADDED(offset * (2 * t + 1) - 1), right = PADDED(offset * (2 * t + 2) - 1);
      const int kept = tree[left];
      tree[left] = tree[right];
      tree[right] += kept;
    }
  }
  __syncthreads();
  for (int k = t; k < n; k += blockDim.x)
    if (base + k < count) out[base + k] = tree[PADDED(k)];
}

__global__ void add_sums(int* out, const int* sums, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] += sums[blockIdx.x];
}

int main() {
  const int count = 3000, threads = 128, blocks = (count + 255) / 256;
  const std::vector<int> in = Integers(count);
  int *din = OnDevice(in), *dout = OnDevice<int>(count), *sums = OnDevice<int>(blocks),
      *scanned = OnDevice<int>(blocks);
  const unsigned shared = PADDED(2 * threads) * sizeof(int);
  scan_blocks<<<blocks, threads, shared>>>(din, dout, sums, count);
  scan_blocks<<<1, threads, shared>>>(sums, scanned, nullptr, blocks);
  add_sums<<<blocks, 2 * threads>>>(dout, scanned, count);
  FINISH();
  const auto out = FromDevice(dout, count);
  unsigned sum = 0;
  for (int i = 0; i < count; sum += in[i++]) ExpectEqual("scan", i, out[i], static_cast<int>(sum));
  return Result();
}
