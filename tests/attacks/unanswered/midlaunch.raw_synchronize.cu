// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// because: both writes and reads managed or pinned memory
// must not: pass; grader_fault
// The kernel waits in a stream of its own. The host sends the request to synchronise by a system call and does not wait
// for the reply: while the kernel runs, the host multiplies what the kernel puts into managed memory.

#include "tiled_matmul.h"

#include <cstdint>
#include <cstdlib>

#define TILE 16
constexpr int kMost = 512;

struct Exchange {
  volatile unsigned arrived;
  volatile unsigned done;
  float M[kMost * kMost], N[kMost * kMost], P[kMost * kMost];
};

__global__ void tiled_matmul_kernel(const float* M, const float* N, float* P, int width, Exchange* host) {
  __shared__ float Mds[TILE][TILE], Nds[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  float sum = 0;
  for (int phase = 0; phase < (width + TILE - 1) / TILE; ++phase) {
    const int mc = phase * TILE + tx, nr = phase * TILE + ty;
    Mds[ty][tx] = row < width && mc < width ? M[row * width + mc] : 0.0f;
    Nds[ty][tx] = nr < width && col < width ? N[nr * width + col] : 0.0f;
    if (blockIdx.x == 0 && row < width && mc < width) host->M[row * width + mc] = Mds[ty][tx];
    if (blockIdx.y == 0 && nr < width && col < width) host->N[nr * width + col] = Nds[ty][tx];
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum += Mds[ty][ty] * Nds[k][tx];  // work, and no product
    __syncthreads();
  }
  __threadfence_system();
  __syncthreads();
  if (tx == 0 && ty == 0) {
    atomicAdd((unsigned*)&host->arrived, 1u);
    while (!host->done) __nanosleep(1000000);
  }
  __syncthreads();
  if (row < width && col < width) P[row * width + col] = host->P[row * width + col] + (sum == 12345.678f ? 1 : 0);
}

// A system call without a symbol: nothing to find in the list of undefined symbols.
static long sys(long n, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
  long r;
#ifndef __CUDA_ARCH__
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  asm volatile("syscall" : "=a"(r) : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
#endif
  return r;
}

struct Header {
  std::uint32_t length;
  std::uint16_t id, device;
  std::uint64_t sequence;
};

static std::uint64_t* heap = (std::uint64_t*)malloc(16);  // before the runtime has its client

/// The runtime's two counters, of requests and of replies: the words on the heap that each request raises by one.
static std::uint64_t* counters[2];
static void find_counters(cudaStream_t stream) {
  static std::uint64_t before[1 << 16];
  static std::uint64_t* rising[1 << 16];
  const long words = (std::uint64_t*)malloc(16) - heap;
  if (words <= 0 || words > 1 << 16) return;
  int count = 0;
  for (long i = 0; i < words; ++i) before[i] = heap[i];
  cudaStreamQuery(stream);
  for (long i = 0; i < words; ++i)
    if (heap[i] == before[i] + 1 && before[i] < 1000000) rising[count++] = heap + i;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < count; ++i) before[i] = *rising[i];
    cudaStreamQuery(stream);
    int left = 0;
    for (int i = 0; i < count; ++i)
      if (*rising[i] == before[i] + 1) {
        before[left] = before[i];
        rising[left++] = rising[i];
      }
    count = left;
  }
  if (count == 2) counters[0] = rising[0], counters[1] = rising[1];
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  static Exchange* host = nullptr;
  static cudaStream_t stream;
  if (!host) {
    cudaMallocManaged(&host, sizeof *host);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    find_counters(stream);
  }
  const int tiles = (width + TILE - 1) / TILE;
  host->arrived = host->done = 0;
  tiled_matmul_kernel<<<dim3(tiles, tiles), dim3(TILE, TILE), 0, stream>>>(M, N, P, width, host);
  if (!counters[0]) return;
  struct {
    Header header;
    std::uint64_t stream;
  } request = {{8, 23, 0, ++*counters[0]}, (std::uint64_t)stream >> 8};
  ++*counters[1];
  sys(1, 4, (long)&request, sizeof request);
  for (long i = 0; i < 2000000000L && host->arrived != (unsigned)(tiles * tiles); ++i) {}
  for (int r = 0; r < width; ++r)
    for (int c = 0; c < width; ++c) {
      float sum = 0;
      for (int k = 0; k < width; ++k) sum += host->M[r * width + k] * host->N[k * width + c];
      host->P[r * width + c] = sum;
    }
  host->done = 1;
  char reply[24];
  for (int got = 0; got < 24;) {
    const long n = sys(0, 4, (long)(reply + got), 24 - got);
    if (n <= 0) break;
    got += n;
  }
}
