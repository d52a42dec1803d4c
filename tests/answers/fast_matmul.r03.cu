// SPDX-License-Identifier: Apache-2.0
// mistake: too many barriers. With tiles of 64 x 64, 16 deep, two barriers a phase and 8 warps a block, width 256 has 16
//   blocks x 16 phases x 2 x 8 = 4096 arrivals where 1365 are allowed (one barrier a phase would still be 2048). Values and
//   layout are right; sectors and loads from shared memory are 65536 each, exactly the bound.
// want: How many products does a thread do between two barriers? Work out the arrivals at width 256 from the number of
//   blocks, phases and warps, and see which of these you can choose.
#include "fast_matmul.h"

template <int Tile, int Depth, int Patch>
struct Gemm {
  static constexpr int kAcross = Tile / Patch;          // threads along one side
  static constexpr int kThreads = kAcross * kAcross;

  // Copies a piece of `from` whose corner is [top][left], Height x Across; beyond the edge it is 0.
  template <int Height, int Across>
  static __device__ void copy(float* to, const float* from, int top, int left, int width) {
    const int t = threadIdx.y * kAcross + threadIdx.x;
    const int column = t % Across;
    const bool inside = left + column < width;
    const float* p = from + (top + t / Across) * width + left + column;
    for (int row = t / Across; row < Height; row += kThreads / Across) {
      to[row * Across + column] = inside && top + row < width ? *p : 0.0f;
      p += kThreads / Across * width;
    }
  }
};

template <int Tile, int Depth, int Patch>
__global__ void gemm(const float* M, const float* N, float* P, int width) {
  static_assert(Patch == 4 && Depth % 4 == 0);
  using G = Gemm<Tile, Depth, Patch>;
  __shared__ __align__(16) float a[Tile * Depth];
  __shared__ __align__(16) float b[Depth * Tile];

  const int top = blockIdx.y * Tile;
  const int left = blockIdx.x * Tile;
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const float4* a4 = reinterpret_cast<const float4*>(a) + ty * Patch * (Depth / 4);
  const float4* b4 = reinterpret_cast<const float4*>(b) + tx;

  float4 out[Patch];
#pragma unroll
  for (int i = 0; i < Patch; ++i) out[i] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);

  const auto add = [](float4& to, float m, const float4& n) {
    to.x += m * n.x;
    to.y += m * n.y;
    to.z += m * n.z;
    to.w += m * n.w;
  };

  for (int k0 = 0; k0 < width; k0 += Depth) {
    G::template copy<Tile, Depth>(a, M, top, k0, width);
    G::template copy<Depth, Tile>(b, N, k0, left, width);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < Depth; k += 4) {
      const float4 n0 = b4[(k + 0) * (Tile / 4)];
      const float4 n1 = b4[(k + 1) * (Tile / 4)];
      const float4 n2 = b4[(k + 2) * (Tile / 4)];
      const float4 n3 = b4[(k + 3) * (Tile / 4)];
#pragma unroll
      for (int i = 0; i < Patch; ++i) {
        const float4 m = a4[i * (Depth / 4) + k / 4];
        add(out[i], m.x, n0);
        add(out[i], m.y, n1);
        add(out[i], m.z, n2);
        add(out[i], m.w, n3);
      }
    }
    __syncthreads();
  }

  const int col = left + tx * Patch;
#pragma unroll
  for (int i = 0; i < Patch; ++i) {
    const int row = top + ty * Patch + i;
    if (row >= width) continue;
    float* p = P + row * width + col;
    if (width % 4 == 0) {  // then each row starts at a multiple of 16 bytes, and col + 3 is in if col is
      if (col < width) *reinterpret_cast<float4*>(p) = out[i];
    } else {
      if (col + 0 < width) p[0] = out[i].x;
      if (col + 1 < width) p[1] = out[i].y;
      if (col + 2 < width) p[2] = out[i].z;
      if (col + 3 < width) p[3] = out[i].w;
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  constexpr int tile = 64;
  const int n = (width + tile - 1) / tile;
  gemm<tile, 16, 4><<<dim3(n, n), dim3(tile / 4, tile / 4)>>>(M, N, P, width);
}
