// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the dynamic kernel stores tile[piece - 1 - t] also in a last piece that is shorter,
//   where the places behind length hold zeros: n = 7, piece = 3 gives out[6] = tile[2] = 0 and not 16 (the
//   static kernel uses length and is right). And where use_dynamic is true and piece is 256, the static kernel
//   is launched, without bytes: the contract wants the extern array and 1024 bytes.
// want: With n = 7 and piece = 3, which elements of the tile does the last block hold, and which one does its
//   thread 0 store? (Then: which kernel runs for use_dynamic and piece = 256?)
#include "reverse.h"

__global__ void reverse_static(const int* in, int* out, int n) {
  __shared__ int tile[kStaticPiece];
  const int g = blockIdx.x * kStaticPiece + threadIdx.x;
  const int length = min(kStaticPiece, n - int(blockIdx.x) * kStaticPiece);

  if (g < n) tile[threadIdx.x] = in[g];
  __syncthreads();
  if (g < n) out[g] = tile[length - 1 - threadIdx.x];
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int tile[];
  const int t = threadIdx.x;
  const int g = blockIdx.x * piece + t;

  // fill up behind the end, so that the tile is always complete
  tile[t] = g < n ? in[g] : 0;
  // up to 32 threads are one warp
  if (piece > 32) __syncthreads();
  else __syncwarp(__activemask());
  if (g < n) out[g] = tile[piece - 1 - t];
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;

  // the compiler knows 256 in any case, then the fixed array is good enough
  if (!use_dynamic || piece == kStaticPiece) {
    reverse_static<<<blocks, kStaticPiece>>>(in, out, n);
    return;
  }
  reverse_dynamic<<<blocks, piece, piece * sizeof(int)>>>(in, out, n, piece);
}
