// SPDX-License-Identifier: Apache-2.0
//
// Chapter 7, where coarsening recurs: the solution. A single kernel reads each element once and writes it
// once. Two ideas:
//
//   coarsening     a thread adds up COARSE_FACTOR neighbouring elements alone, with one addition each. Only
//                  the sums of the threads need a scan by shuffles, and only the sums of the warps need a
//                  barrier.
//   looking back   a block needs the sum of everything before its tile. It does not wait until the block
//                  before has finished: every block publishes the sum of its tile as soon as it has it, and
//                  the blocks after it add up these sums.

#include <limits.h>
#include <stddef.h>

#include "scan.h"

#define THREADS 256
#define WARPS (THREADS / 32)
// Odd, so that the k-th elements of 32 neighbouring threads lie in 32 different banks.
#define COARSE_FACTOR 47
#define WARP_TILE (32 * COARSE_FACTOR)
#define TILE (THREADS * COARSE_FACTOR)

// Lets the compiler use 64 registers a thread, enough for all loads of a thread to run at the same time.
#define BLOCKS_PER_MULTIPROCESSOR 4

// Nanoseconds before a block looks back, and between two looks. A block that looks too early finds no prefix,
// has to look at many tiles, and delays the blocks that want to publish. So it looks at the same 32 tiles up
// to LOOKS times before it goes further back. On an H200, a scan of 2^28 elements takes 12 % longer without
// the first wait, and 5 % longer with one look.
#define FIRST_WAIT 4000
#define WAIT 800
#define LOOKS 5

// The state of a tile: what is published about it, and the sum. Both are in one word of 8 bytes, so a block
// always reads the two that belong together, and no fence is needed.
typedef unsigned long long State;
#define NOTHING 0
#define TILE_SUM 1  // the sum of the tile's elements
#define PREFIX 2    // the sum of all elements up to the tile's last one

__device__ State make_state(unsigned published, int sum) {
  return static_cast<State>(published) << 32 | static_cast<unsigned>(sum);
}
__device__ unsigned published(State state) {
  return static_cast<unsigned>(state >> 32);
}
__device__ int sum_of(State state) {
  return static_cast<int>(state);
}

// Enough states for the longest input. The host clears them before each scan.
struct Progress {
  int tiles_begun;
  volatile State states[INT_MAX / TILE + 1];  // volatile: each look is a load from memory
};
__device__ Progress progress;

// The sum of `value` over this lane and the lanes before it.
__device__ int warp_scan(int value) {
  const int lane = threadIdx.x % 32;
  for (int distance = 1; distance < 32; distance *= 2) {
    const int before = __shfl_up_sync(0xffffffff, value, distance);
    if (lane >= distance) value += before;
  }
  return value;
}

// Before the first tile there is nothing, and its prefix is 0.
__device__ State state_of(int tile) {
  return tile < 0 ? make_state(PREFIX, 0) : progress.states[tile];
}

// The sum of all elements before the tile, computed by one warp. Its lanes look at the 32 tiles before this
// one. If no prefix appears there, they add up these tiles' sums and go on with the 32 before those.
__device__ int look_back(int tile, int tile_sum) {
  const int lane = threadIdx.x % 32;
  if (lane == 0) progress.states[tile] = make_state(TILE_SUM, tile_sum);
  __nanosleep(FIRST_WAIT);

  int before = 0;  // of the tiles that this lane looked at
  unsigned prefixes = 0;
  for (int last = tile - 1; prefixes == 0; last -= 32) {
    State state;
    for (int look = 1;; ++look) {
      state = state_of(last - lane);
      // A bit for each lane, the nearest tile first.
      const unsigned missing = __ballot_sync(0xffffffff, published(state) == NOTHING);
      prefixes = __ballot_sync(0xffffffff, published(state) == PREFIX);
      if (prefixes != 0 && (missing == 0 || __ffs(prefixes) < __ffs(missing))) break;
      if (missing == 0 && look >= LOOKS) break;
      __nanosleep(WAIT);  // it ends: the blocks of these tiles began earlier and are running
    }
    // The nearest prefix covers all tiles before it. Add it and the sums of the tiles after it.
    if (prefixes == 0 || lane < __ffs(prefixes)) before += sum_of(state);
  }

  before = __shfl_sync(0xffffffff, warp_scan(before), 31);
  if (lane == 0) progress.states[tile] = make_state(PREFIX, before + tile_sum);
  return before;
}

__global__ __launch_bounds__(THREADS, BLOCKS_PER_MULTIPROCESSOR) void scan_kernel(const int* input,
                                                                                  int* output, int length) {
  __shared__ int elements[TILE];
  __shared__ int warp_sums[WARPS];
  __shared__ int tile_taken;

  // Blocks take tiles in the order in which they begin. With blockIdx.x instead, block 1000 could occupy the
  // card and wait for a block that cannot begin.
  if (threadIdx.x == 0) tile_taken = atomicAdd(&progress.tiles_begun, 1);
  __syncthreads();
  const int tile = tile_taken;

  // The elements of a warp are neighbours. It loads 32 at a time, so that the loads are coalesced. Then it
  // passes them through shared memory, so that each thread gets neighbours. This takes no block-wide barrier,
  // because no other warp uses these elements.
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const size_t first = static_cast<size_t>(tile) * TILE + warp * WARP_TILE + lane;  // that this thread loads
  const int left = length - tile * TILE - warp * WARP_TILE - lane;  // elements from there to the end
  int* const warp_elements = elements + warp * WARP_TILE;
  int* const mine = warp_elements + lane * COARSE_FACTOR;

  int loaded[COARSE_FACTOR];
#pragma unroll
  for (int k = 0; k < COARSE_FACTOR; ++k) loaded[k] = 32 * k < left ? input[first + 32 * k] : 0;
#pragma unroll
  for (int k = 0; k < COARSE_FACTOR; ++k) warp_elements[32 * k + lane] = loaded[k];
  __syncwarp();

  int sum = 0;
#pragma unroll
  for (int k = 0; k < COARSE_FACTOR; ++k) sum += mine[k];
  const int through_me = warp_scan(sum);
  if (lane == 31) warp_sums[warp] = through_me;
  __syncthreads();

  // One warp replaces each warp's sum by the sum of everything before that warp.
  if (warp == 0) {
    const int warp_sum = lane < WARPS ? warp_sums[lane] : 0;
    const int through_warp = warp_scan(warp_sum);
    const int before = look_back(tile, __shfl_sync(0xffffffff, through_warp, 31));
    if (lane < WARPS) warp_sums[lane] = before + through_warp - warp_sum;
  }
  __syncthreads();

  sum = warp_sums[warp] + through_me - sum;  // of everything before this thread's elements
#pragma unroll
  for (int k = 0; k < COARSE_FACTOR; ++k) {
    sum += mine[k];
    mine[k] = sum;
  }
  __syncwarp();
  // __stcs is a store. It says that nobody reads the element again soon, so the cache can drop it first.
#pragma unroll
  for (int k = 0; k < COARSE_FACTOR; ++k) {
    if (32 * k < left) __stcs(&output[first + 32 * k], warp_elements[32 * k + lane]);
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) return;
  const int tiles = (length - 1) / TILE + 1;

  void* address = nullptr;
  cudaGetSymbolAddress(&address, progress);
  cudaMemsetAsync(address, 0, offsetof(Progress, states) + tiles * sizeof(State));
  scan_kernel<<<tiles, THREADS>>>(input, output, length);
}
