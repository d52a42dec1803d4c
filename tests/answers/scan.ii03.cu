// SPDX-License-Identifier: Apache-2.0
// mistake: A block stores its prefix and then sets its flag, but there is no __threadfence() between the two (nor
//   between seeing the flag and reading the prefix, which is a plain load that may come from the L1 cache).
//   Atomics on the flag do not order the other store: the next block can see the flag and still read an old value
//   of prefixes. It may show, rarely and in no certain place, whenever there are two or more tiles.
// want: Block 7 sees that flag 6 is set. What guarantees that it then also sees the value block 6 stored in
//   prefixes[6]? Does an atomic on one address say anything about a plain store to another?

#include "scan.h"

#define BLOCK_SIZE 256
#define ITEMS 16
#define TILE (BLOCK_SIZE * ITEMS)

// One pass: every block waits for the prefix of the tile before.
// state[0] is the ticket counter, state[1...] are the flags
__global__ void scan_chained(const int* input, int* output, int* state, int* prefixes, int length) {
  __shared__ int tile[TILE];
  __shared__ int warpSum[BLOCK_SIZE / 32];
  __shared__ int myTile, before;
  const int t = threadIdx.x;

  // blocks do not start in order, so take a ticket
  if (t == 0) {
    myTile = atomicAdd(&state[0], 1);
  }
  __syncthreads();
  int* flags = state + 1;
  const int start = myTile * TILE;

  for (int k = 0; k < ITEMS; k++) {
    int j = k * BLOCK_SIZE + t;
    tile[j] = (start + j < length) ? input[start + j] : 0;
  }
  __syncthreads();

  int sum = 0;
  for (int k = 0; k < ITEMS; k++) {
    sum += tile[t * ITEMS + k];
  }
  int incl = sum;
  for (int d = 1; d < 32; d <<= 1) {
    int v = __shfl_up_sync(0xffffffff, incl, d);
    if (t % 32 >= d) incl += v;
  }
  if (t % 32 == 31) {
    warpSum[t / 32] = incl;
  }
  __syncthreads();
  int excl = incl - sum;
  for (int w = 0; w < t / 32; w++) {
    excl += warpSum[w];
  }

  // the last thread knows the sum of the tile
  if (t == BLOCK_SIZE - 1) {
    int p = 0;
    if (myTile > 0) {
      while (atomicAdd(&flags[myTile - 1], 0) == 0) {
        // wait
      }
      p = prefixes[myTile - 1];
    }
    prefixes[myTile] = p + excl + sum;
    atomicExch(&flags[myTile], 1);  // atomic, so that the next block surely sees it
    before = p;
  }
  __syncthreads();

  int running = before + excl;
  for (int k = 0; k < ITEMS; k++) {
    running += tile[t * ITEMS + k];
    tile[t * ITEMS + k] = running;
  }
  __syncthreads();
  for (int k = 0; k < ITEMS; k++) {
    int j = k * BLOCK_SIZE + t;
    if (start + j < length) output[start + j] = tile[j];
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) return;
  const int blocks = (length + TILE - 1) / TILE;
  int *state, *prefixes;
  cudaMalloc(&state, (blocks + 1) * sizeof(int));
  cudaMalloc(&prefixes, blocks * sizeof(int));
  cudaMemset(state, 0, (blocks + 1) * sizeof(int));
  scan_chained<<<blocks, BLOCK_SIZE>>>(input, output, state, prefixes, length);
  cudaFree(state);
  cudaFree(prefixes);
}
