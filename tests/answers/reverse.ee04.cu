// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: in the dynamic kernel a thread's second element is checked against piece, not against
//   the length of this piece: with n = 600, piece = 1024, thread 100 has 612 < 1024, reads in[612], past the
//   end, and stores it into tile[600 - 1 - 612], before the array's begin. And with a block of at most 32
//   threads there is no barrier between the stores into the tile and the loads from it: with piece 32 thread
//   0 reads tile[0], which thread 31 stores; that both are in one warp does not order them.
//   (The static kernel, with its shuffle, is right.)
// want: n = 600, piece = 1024: how long is the only piece? Which elements does thread 100 load?
#include "reverse.h"

#define HALF 512

// Each warp turns its 32 elements round with a shuffle, and puts them where the mirrored warp would be. In a
// short piece, what is missing ends up in front: skip it.
__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int start = blockIdx.x * kStaticPiece;
  const int length = min(kStaticPiece, n - start);
  const int t = threadIdx.x;
  const int lane = t % 32;
  const int warp = t / 32;

  int v = t < length ? in[start + t] : 0;
  v = __shfl_xor_sync(0xffffffffu, v, 31);
  tile[(kStaticPiece / 32 - 1 - warp) * 32 + lane] = v;
  __syncthreads();
  if (t < length) out[start + t] = tile[kStaticPiece - length + t];
}

// At most 512 threads, each with one or two elements.
__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int tile[];
  const int start = blockIdx.x * piece;
  const int length = min(piece, n - start);
  const int t = threadIdx.x;
  const int u = t + HALF;

  if (t < length) tile[length - 1 - t] = in[start + t];
  if (u < piece) tile[length - 1 - u] = in[start + u];

  if (blockDim.x > 32) __syncthreads();  // a single warp runs in step

  if (t < length) out[start + t] = tile[t];
  if (u < length) out[start + u] = tile[u];
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  if (use_dynamic) {
    reverse_dynamic<<<blocks, piece < HALF ? piece : HALF, piece * sizeof(int)>>>(in, out, n, piece);
  } else {
    reverse_static<<<blocks, kStaticPiece>>>(in, out, n);
  }
}
