// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: below width 64 one block of width x width threads does all the work, and from width 33 on
//   these are more than 1024: the launch fails, and P is not written. And each phase has two barriers, of which
//   the one before the stores is needless with two buffers: at width 256 that is 15 barriers of 128 warps, 1920
//   arrivals, and 1365 are allowed (8 barriers, 1024, without it).
// want: How many threads has your block at width 40? What does a launch like that return, and who looks?
#include "fast_matmul.h"

constexpr int kTile = 64;
constexpr int kDepth = 32;
constexpr int kPitch = kDepth + 4;

// small matrices: a thread for each element
__global__ void tiny_kernel(const float* M, const float* N, float* P, int width) {
  const int c = threadIdx.x, r = threadIdx.y;
  float s = 0.0f;
  for (int k = 0; k < width; ++k) s += M[r * width + k] * N[k * width + c];
  P[r * width + c] = s;
}

__device__ float4 load4(const float* matrix, int r, int c, int width) {
  float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  if (r >= width || c >= width) return v;
  const float* p = matrix + r * width + c;
  if (width % 4 == 0) return *reinterpret_cast<const float4*>(p);
  v.x = p[0];
  if (c + 1 < width) v.y = p[1];
  if (c + 2 < width) v.z = p[2];
  if (c + 3 < width) v.w = p[3];
  return v;
}

__global__ void __launch_bounds__(256) big_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ __align__(16) float Ms[2][kTile][kPitch];
  __shared__ __align__(16) float Ns[2][kDepth][kTile];

  const int t = threadIdx.x;
  const int tx = t % 16, ty = t / 16;
  const int top = blockIdx.y * kTile, left = blockIdx.x * kTile;
  const int m_r = t / 8, m_c = t % 8 * 4;
  const int n_r = t / 16, n_c = t % 16 * 4;

  float4 m0, m1, n0, n1;  // on their way
  const auto fetch = [&](int k0) {
    m0 = load4(M, top + m_r, k0 + m_c, width);
    m1 = load4(M, top + m_r + 32, k0 + m_c, width);
    n0 = load4(N, k0 + n_r, left + n_c, width);
    n1 = load4(N, k0 + n_r + 16, left + n_c, width);
  };
  const auto put = [&](int buffer) {
    *reinterpret_cast<float4*>(&Ms[buffer][m_r][m_c]) = m0;
    *reinterpret_cast<float4*>(&Ms[buffer][m_r + 32][m_c]) = m1;
    *reinterpret_cast<float4*>(&Ns[buffer][n_r][n_c]) = n0;
    *reinterpret_cast<float4*>(&Ns[buffer][n_r + 16][n_c]) = n1;
  };

  float sum[4][4] = {};

  fetch(0);
  put(0);
  __syncthreads();

  int buffer = 0;
  for (int k0 = 0; k0 < width; k0 += kDepth) {
    const bool more = k0 + kDepth < width;
    if (more) fetch(k0 + kDepth);

#pragma unroll
    for (int k = 0; k < kDepth; k += 4) {
      float4 m[4], n[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        m[i] = *reinterpret_cast<const float4*>(&Ms[buffer][4 * ty + i][k]);
        n[i] = *reinterpret_cast<const float4*>(&Ns[buffer][k + i][4 * tx]);
      }
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        sum[i][0] += m[i].x * n[0].x + m[i].y * n[1].x + m[i].z * n[2].x + m[i].w * n[3].x;
        sum[i][1] += m[i].x * n[0].y + m[i].y * n[1].y + m[i].z * n[2].y + m[i].w * n[3].y;
        sum[i][2] += m[i].x * n[0].z + m[i].y * n[1].z + m[i].z * n[2].z + m[i].w * n[3].z;
        sum[i][3] += m[i].x * n[0].w + m[i].y * n[1].w + m[i].z * n[2].w + m[i].w * n[3].w;
      }
    }

    if (more) {
      __syncthreads();  // all have done their sums, now the tiles may change
      put(buffer ^ 1);
      __syncthreads();
      buffer ^= 1;
    }
  }

  // only as many rows and columns of the patch as exist
  const int row = top + 4 * ty, col = left + 4 * tx;
  const int rows = min(4, width - row), cols = min(4, width - col);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < cols; ++j) P[(row + i) * width + col + j] = sum[i][j];
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  if (width < kTile) {
    tiny_kernel<<<1, dim3(width, width)>>>(M, N, P, width);
    return;
  }
  const int tiles = (width + kTile - 1) / kTile;
  big_kernel<<<dim3(tiles, tiles), 256>>>(M, N, P, width);
}
