// SPDX-License-Identifier: Apache-2.0
// mistake: both cases launch the same kernel with an extern array, so that with use_dynamic false too bytes are
//   passed (1024), and the kernel has no array of fixed size, though both are demanded there. With n = 7,
//   piece = 256, use_dynamic = false the values are right, the launch is not. The case use_dynamic true is
//   right; so is one warp a block with __syncwarp.
// want: what does the contract say about the array and the bytes where use_dynamic is false?
#include "reverse.h"

// A block is one warp, which walks over its piece 32 elements at a time: at most 32 for each thread.
__global__ void reverse_kernel(const int* in, int* out, int n, int piece) {
  extern __shared__ int tile[];
  const int start = blockIdx.x * piece;
  const int length = min(piece, n - start);

  for (int i = threadIdx.x; i < length; i += 32) {
    tile[i] = in[start + i];
  }
  __syncwarp();
  for (int i = threadIdx.x; i < length; i += 32) {
    out[start + i] = tile[length - 1 - i];
  }
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  if (n == 0) return;
  // The constant is one more piece width; the kernel does not mind which.
  const int width = use_dynamic ? piece : kStaticPiece;
  const int blocks = (n + width - 1) / width;
  reverse_kernel<<<blocks, 32, width * sizeof(int)>>>(in, out, n, width);
}
