// SPDX-License-Identifier: Apache-2.0
// differs: half as many threads as elements; each loads two, swaps a pair in shared memory and stores two. Own stream
// with events around the kernel (the header asks for no stream).

#include "reverse.h"

__device__ void swap_piece(int* tile, const int* in, int* out, int length) {
  const int half = blockDim.x;
  for (int i = threadIdx.x; i < length; i += half) tile[i] = in[i];
  __syncthreads();
  for (int i = threadIdx.x; i < length / 2; i += half) {
    const int kept = tile[i];
    tile[i] = tile[length - 1 - i];
    tile[length - 1 - i] = kept;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < length; i += half) out[i] = tile[i];
}

__global__ void known(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int start = blockIdx.x * kStaticPiece;
  swap_piece(tile, in + start, out + start, min(n - start, kStaticPiece));
}

__global__ void unknown(const int* in, int* out, int n, int piece) {
  extern __shared__ int memory[];
  const int start = blockIdx.x * piece;
  swap_piece(memory, in + start, out + start, min(n - start, piece));
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  cudaEvent_t before, after;
  cudaStream_t stream;
  cudaEventCreate(&before);
  cudaEventCreate(&after);
  cudaStreamCreate(&stream);
  cudaEventRecord(before, 0);
  cudaStreamWaitEvent(stream, before, 0);
  const int blocks = (n + piece - 1) / piece, threads = (piece + 1) / 2;
  if (use_dynamic) {
    unknown<<<blocks, threads, piece * sizeof(int), stream>>>(in, out, n, piece);
  } else {
    known<<<blocks, threads, 0, stream>>>(in, out, n);
  }
  cudaEventRecord(after, stream);
  cudaEventSynchronize(after);
  cudaStreamDestroy(stream);
  cudaEventDestroy(before);
  cudaEventDestroy(after);
}
