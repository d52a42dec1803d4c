// SPDX-License-Identifier: Apache-2.0
// mistake: whether Mt may be loaded as float4 is decided by k % 4; Mt's rows are j long. j = 5, k = 4, l = 4: row 1 of
//   Mt begins 20 bytes in, and a float4 is loaded from there, misaligned; and the vector at m_row = 4 takes
//   in three elements that do not belong to the row. N, decided by l, is right.
// want: j = 5, k = 4: at which byte does row 1 of Mt begin, and which addresses does a float4 allow?
#include "rect_tiled_transposed.h"

#include <cstdint>

#define TILE 32
#define VEC 4

// Four elements of a row of a matrix with `rows` rows of `len` elements each; zeros where there are none.
__device__ float4 load4(const float* A, int r, int c, int rows, int len, bool vec) {
  float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  if (r >= rows || c >= len) return v;
  const float* p = A + (size_t)r * len + c;
  if (vec) return *reinterpret_cast<const float4*>(p);
  v.x = p[0];
  if (c + 1 < len) v.y = p[1];
  if (c + 2 < len) v.z = p[2];
  if (c + 3 < len) v.w = p[3];
  return v;
}

// 8 x 32 threads; each loads 4 + 4 elements per phase and computes 4 neighbours in a row of P.
__global__ void transposed4(const float* Mt, const float* N, float* P, int j, int k, int l, bool vec_m, bool vec_n) {
  __shared__ float4 Mds[TILE][TILE / VEC];
  __shared__ float4 Nds[TILE][TILE / VEC];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int top = blockIdx.y * TILE;
  const int left = blockIdx.x * TILE;

  float4 s = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int base = 0; base < k; base += TILE) {
    Mds[ty][tx] = load4(Mt, base + ty, top + VEC * tx, k, j, vec_m);
    Nds[ty][tx] = load4(N, base + ty, left + VEC * tx, k, l, vec_n);
    __syncthreads();
    for (int i = 0; i < TILE; ++i) {
      const float m = reinterpret_cast<const float*>(Mds[i])[ty];
      const float4 n = Nds[i][tx];
      s.x += m * n.x;
      s.y += m * n.y;
      s.z += m * n.z;
      s.w += m * n.w;
    }
    __syncthreads();
  }

  const int row = top + ty;
  const int col = left + VEC * tx;
  if (row < j) {
    float* p = P + (size_t)row * l + col;
    if (col + 0 < l) p[0] = s.x;
    if (col + 1 < l) p[1] = s.y;
    if (col + 2 < l) p[2] = s.z;
    if (col + 3 < l) p[3] = s.w;
  }
}

static bool aligned(const void* p) { return reinterpret_cast<std::uintptr_t>(p) % sizeof(float4) == 0; }

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  // vectors only where each row starts on a multiple of 16 bytes
  const bool vec_m = k % VEC == 0 && aligned(Mt);
  const bool vec_n = l % VEC == 0 && aligned(N);
  const dim3 grid((l + TILE - 1) / TILE, (j + TILE - 1) / TILE);
  transposed4<<<grid, dim3(TILE / VEC, TILE)>>>(Mt, N, P, j, k, l, vec_m, vec_n);
}
