// SPDX-License-Identifier: Apache-2.0
// Kernels with faults of each kind that depends on who runs when: whatever the host's threads do, they have
// the same findings, counts and results. Prints sums of what the faultless parts computed.
#include <cstdio>

constexpr int kBlocks = 60, kThreads = 96;

/// A warp reads what its neighbour writes, with no barrier between.
__global__ void races_in_shared(int* out) {
  __shared__ int array[kThreads];
  array[threadIdx.x] = threadIdx.x;
  if (blockIdx.x % 3 == 0) __syncthreads();
  out[blockIdx.x * kThreads + threadIdx.x] = array[kThreads - 1 - threadIdx.x];
}

/// Blocks from 20 on write what block 7 reads.
__global__ void races_in_global(int* out, int* flag) {
  if (blockIdx.x == 7) out[threadIdx.x] = flag[threadIdx.x];
  if (blockIdx.x >= 20) flag[threadIdx.x] = blockIdx.x;
}

/// The last block is partly outside, and others read what nobody wrote.
__global__ void reads_wrong(const int* in, int n, int* out) {
  int i = blockIdx.x * kThreads + threadIdx.x;
  out[i] = in[i] > 0 ? 1 : 2;
  if (i == n - 1) out[kBlocks * kThreads + 5] = 3;
}

/// Part of the threads leave before the barrier, others never come.
__global__ void leaves_barrier(int* out) {
  if (threadIdx.x >= 64 && blockIdx.x % 2) return;
  __syncthreads();
  out[blockIdx.x * kThreads + threadIdx.x] = threadIdx.x;
}

/// No fault: sums by shuffles, shared memory and one atomic a block, in a fixed order within the block.
__global__ void sums(const int* in, unsigned long long* total) {
  __shared__ int partial[kThreads / 32];
  int value = in[blockIdx.x * kThreads + threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffff, value, offset);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < kThreads / 32; ++i) value += partial[i];
    atomicAdd(total, static_cast<unsigned long long>(value));
  }
}

int main() {
  constexpr int kCount = kBlocks * kThreads;
  int *in, *out, *flag;
  unsigned long long* total;
  cudaMalloc(&in, kCount * sizeof(int));
  cudaMalloc(&out, kCount * sizeof(int));
  cudaMalloc(&flag, kThreads * sizeof(int));
  cudaMalloc(&total, sizeof *total);
  cudaMemset(in, 1, kCount / 2 * sizeof(int));  // The other half stays as nobody wrote it.
  cudaMemset(out, 0, kCount * sizeof(int));
  cudaMemset(flag, 0, kThreads * sizeof(int));
  cudaMemset(total, 0, sizeof *total);
  races_in_shared<<<kBlocks, kThreads>>>(out);
  races_in_global<<<kBlocks, kThreads>>>(out, flag);
  reads_wrong<<<kBlocks, kThreads>>>(in, kCount, out);
  leaves_barrier<<<kBlocks, kThreads>>>(out);
  cudaMemset(in, 0, kCount * sizeof(int));
  int one = 1;
  for (int i = 0; i < 20; ++i) cudaMemcpy(in + i * 97, &one, sizeof one, cudaMemcpyHostToDevice);
  sums<<<kBlocks, kThreads>>>(in, total);
  unsigned long long sum = 0;
  cudaMemcpy(&sum, total, sizeof sum, cudaMemcpyDeviceToHost);
  std::printf("sum %llu, %s\n", sum, cudaGetErrorString(cudaGetLastError()));
  return 0;
}
