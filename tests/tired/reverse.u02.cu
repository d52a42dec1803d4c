// SPDX-License-Identifier: Apache-2.0
// mistake: both launches pass the bytes of one piece, but where use_dynamic is false (an array of fixed size) none may be
//   passed: any n > 0 with piece 256, use_dynamic false passes 1024 bytes. The values are right. __syncwarp is enough
//   here, since a block is one warp, and 32 elements a thread at most are allowed (piece 1024: 66).
// want: Which of your two kernels uses the third launch parameter? What does the other one do with those bytes?
#include "reverse.h"

// One warp reverses one piece.
constexpr int kWarp = 32;

__device__ void turn(int* tile, const int* in, int* out, int n, int piece) {
  const int start = blockIdx.x * piece;
  const int length = n - start < piece ? n - start : piece;

  for (int i = threadIdx.x; i < length; i += kWarp) tile[i] = in[start + i];
  __syncwarp();  // the block is a single warp
  for (int i = threadIdx.x; i < length; i += kWarp) out[start + i] = tile[length - 1 - i];
}

__global__ void reverse_static(const int* in, int* out, int n, int piece) {
  __shared__ int tile[kStaticPiece];
  turn(tile, in, out, n, piece);
}

__global__ void reverse_dynamic(const int* in, int* out, int n, int piece) {
  extern __shared__ int tile_dyn[];
  turn(tile_dyn, in, out, n, piece);
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  const int blocks = (n + piece - 1) / piece;
  const size_t bytes = piece * sizeof(int);
  const auto kernel = use_dynamic ? reverse_dynamic : reverse_static;
  kernel<<<blocks, kWarp, bytes>>>(in, out, n, piece);
}
