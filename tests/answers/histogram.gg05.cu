// SPDX-License-Identifier: Apache-2.0
// mistake: Two. (1) cudaMemset(counts, 0, bins): its size is in bytes, so only the first quarter of counts is
//   set to 0, the rest keeps old values and is added to (one bin: only one byte of it). (2) No barrier between
//   setting the copy to 0 and counting: a fast warp counts in bins that a slower warp then sets to 0, and the
//   counts are lost. The student thinks of one barrier, before the copy is added.
// want: What is the unit of the third argument of cudaMemset? And when a thread counts in a bin, how does it know
//   that the thread which clears this bin has already done so?

#include "histogram.h"

static const int THREADS = 512;
static const int GRID = 30;

__global__ void histo(const int* __restrict__ in, int* out, int n, int bins) {
  __shared__ int s_hist[4096];
  const int tid = threadIdx.x;

  for (int k = tid; k < bins; k += THREADS) {
    s_hist[k] = 0;
  }

  int idx = blockIdx.x * THREADS + tid;
  while (idx < n) {
    atomicAdd(s_hist + in[idx], 1);
    idx += THREADS * GRID;
  }

  __syncthreads();
  for (int k = tid; k < bins; k += THREADS) {
    atomicAdd(out + k, s_hist[k]);
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins);
  histo<<<GRID, THREADS>>>(input, counts, length, bins);
}
