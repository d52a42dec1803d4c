// SPDX-License-Identifier: Apache-2.0
//
// Kernels as in courses, on which the model is evaluated. Nothing is fitted to these.
#pragma once

#include "tests/benchmarks/estimate_case.cuh"

namespace warplings::benchmarks::held_out {

__global__ void NaiveTranspose(const float* in, float* out, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < width) out[x * width + y] = in[y * width + x];
}

/// A block of 32 x 8 threads moves 32 x 32 elements; kPitch 32 has bank conflicts, 33 has none.
template <int kPitch>
__global__ void TiledTranspose(const float* in, float* out, int width) {
  __shared__ float tile[32][kPitch];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(y + j) * width + x] = tile[threadIdx.x][threadIdx.y + j];
}

template <int kTile>
__global__ void TiledMatmul(const float* M, const float* N, float* P, int width) {
  __shared__ float Ms[kTile][kTile], Ns[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * kTile + ty, col = blockIdx.x * kTile + tx;
  float sum = 0;
  for (int phase = 0; phase < width / kTile; ++phase) {
    Ms[ty][tx] = M[row * width + phase * kTile + tx];
    Ns[ty][tx] = N[(phase * kTile + ty) * width + col];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += Ms[ty][k] * Ns[k][tx];
    __syncthreads();
  }
  P[row * width + col] = sum;
}

__global__ void InterleavedSum(const float* in, float* out, int n) {
  __shared__ float part[256];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  part[t] = i < n ? in[i] : 0;
  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    if (t % (2 * stride) == 0) part[t] += part[t + stride];
  }
  if (t == 0) out[blockIdx.x] = part[0];
}

__global__ void SequentialSum(const float* in, float* out, int n) {
  __shared__ float part[256];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  part[t] = i < n ? in[i] : 0;
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride) part[t] += part[t + stride];
  }
  if (t == 0) out[blockIdx.x] = part[0];
}

__device__ float WarpSum(float x) {
  for (int distance = 16; distance > 0; distance /= 2) x += __shfl_down_sync(0xffffffffu, x, distance);
  return x;
}

/// The sum of the products, into *out.
__global__ void DotProduct(const float* a, const float* b, float* out, int n) {
  __shared__ float part[32];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += a[i] * b[i];
  sum = WarpSum(sum);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  sum = WarpSum(threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

__global__ void SharedFivePoints(const float* in, float* out, int width) {
  __shared__ float tile[18][34];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  const auto at = [&](int column, int row) {
    return column >= 0 && row >= 0 && column < width && row < width ? in[row * width + column] : 0.0f;
  };
  tile[ty][tx] = at(x, y);
  if (tx == 1) tile[ty][0] = at(x - 1, y);
  if (tx == 32) tile[ty][33] = at(x + 1, y);
  if (ty == 1) tile[0][tx] = at(x, y - 1);
  if (ty == 16) tile[17][tx] = at(x, y + 1);
  __syncthreads();
  if (x < width && y < width)
    out[y * width + x] = 0.5f * tile[ty][tx] +
                         0.125f * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]);
}

__global__ void SharedHistogram(const int* values, int* bins, int n) {
  __shared__ int own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&own[values[i]], 1);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

/// y = A x with one thread per row: not coalesced.
__global__ void RowPerThread(const float* A, const float* x, float* y, int width) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= width) return;
  float sum = 0;
  for (int k = 0; k < width; ++k) sum += A[row * width + k] * x[k];
  y[row] = sum;
}

__global__ void RowPerWarp(const float* A, const float* x, float* y, int width) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= width) return;
  float sum = 0;
  for (int k = lane; k < width; k += 32) sum += A[row * width + k] * x[k];
  sum = WarpSum(sum);
  if (lane == 0) y[row] = sum;
}

/// Softmax, one block per row: the maximum, the sum of the exponentials, the quotients.
__global__ void Softmax(const float* in, float* out, int width) {
  __shared__ float part[256];
  const float* row = in + static_cast<std::size_t>(blockIdx.x) * width;
  const int t = threadIdx.x;
  const auto over_block = [&](float own, auto combine) {
    part[t] = own;
    __syncthreads();
    for (int stride = 128; stride > 0; stride /= 2) {
      if (t < stride) part[t] = combine(part[t], part[t + stride]);
      __syncthreads();
    }
    const float all = part[0];
    __syncthreads();
    return all;
  };
  float largest = -1e30f, sum = 0;
  for (int k = t; k < width; k += 256) largest = fmaxf(largest, row[k]);
  largest = over_block(largest, [](float a, float b) { return fmaxf(a, b); });
  for (int k = t; k < width; k += 256) sum += expf(row[k] - largest);
  sum = over_block(sum, [](float a, float b) { return a + b; });
  for (int k = t; k < width; k += 256)
    out[static_cast<std::size_t>(blockIdx.x) * width + k] = expf(row[k] - largest) / sum;
}

/// Eight consecutive elements per thread: each load of a warp touches many sectors.
__global__ void NeighboursSaxpy(const float* x, float* y, int n, float factor) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
  for (int k = 0; k < 8; ++k) {
    if (first + k < n) y[first + k] += factor * x[first + k];
  }
}

/// Kogge-Stone, within each block.
__global__ void BlockScan(const float* in, float* out, int n) {
  __shared__ float part[256];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  part[t] = i < n ? in[i] : 0;
  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    const float before = t >= stride ? part[t - stride] : 0;
    __syncthreads();
    part[t] += before;
  }
  if (i < n) out[i] = part[t];
}

__global__ void NBody(const float4* bodies, float4* forces, int n) {
  __shared__ float4 tile[256];
  const float4 own = bodies[blockIdx.x * 256 + threadIdx.x];
  float4 force = {0, 0, 0, 0};
  for (int first = 0; first < n; first += 256) {
    tile[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 256; ++k) {
      const float dx = tile[k].x - own.x, dy = tile[k].y - own.y, dz = tile[k].z - own.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
      const float weight = tile[k].w * inverse * inverse * inverse;
      force.x += dx * weight, force.y += dy * weight, force.z += dz * weight;
    }
    __syncthreads();
  }
  forces[blockIdx.x * 256 + threadIdx.x] = force;
}

__global__ void Mandelbrot(int* out, int width, int most) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const float cr = x * 3.0f / width - 2.2f, ci = y * 3.0f / width - 1.5f;
  float zr = 0, zi = 0;
  int steps = 0;
  while (steps < most && zr * zr + zi * zi < 4) {
    const float next = zr * zr - zi * zi + cr;
    zi = 2 * zr * zi + ci, zr = next, ++steps;
  }
  out[y * width + x] = steps;
}

__global__ void RandomGather(const float* a, const int* where, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[where[i]];
}

__constant__ float weights[9] = {1, 2, 3, 4, 5, 4, 3, 2, 1};
__global__ void Convolution(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = -4; k <= 4; ++k) {
    if (i + k >= 0 && i + k < n) sum += in[i + k] * weights[k + 4];
  }
  if (i < n) out[i] = sum;
}

__global__ void Grey(const unsigned char* colours, unsigned char* grey, int pixels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pixels) return;
  const float red = colours[3 * i], green = colours[3 * i + 1], blue = colours[3 * i + 2];
  grey[i] = static_cast<unsigned char>(0.21f * red + 0.72f * green + 0.07f * blue);
}

/// Kernels from a matrix to another of the same width, a block of 32 x 8 threads.
inline EstimateCases MatrixCases() {
  EstimateCases cases;
  const auto add = [&](const std::string& family, int width, dim3 grid, dim3 block, auto kernel) {
    cases.push_back({family + "/" + std::to_string(width), Role::kHeldOut, [=] {
                       const std::size_t n = static_cast<std::size_t>(width) * width;
                       return [=, in = Floats(n), out = Zeros(n)] {
                         kernel<<<grid, block>>>(in.get(), out.get(), width);
                       };
                     }});
  };
  for (const int width : {1024, 4096}) {
    const unsigned tiles = width / 32;
    add("transpose_naive", width, dim3(tiles, width / 8), dim3(32, 8), NaiveTranspose);
    add("transpose_tiled", width, dim3(tiles, tiles), dim3(32, 8), TiledTranspose<32>);
    add("transpose_padded", width, dim3(tiles, tiles), dim3(32, 8), TiledTranspose<33>);
    add("five_points_shared", width, dim3(tiles, width / 16), dim3(32, 16), SharedFivePoints);
    add("softmax", width, dim3(width), dim3(256), Softmax);
  }
  for (const int width : {512, 1024}) {
    const auto matmul = [&](int tile, auto kernel) {
      cases.push_back(
          {"matmul_tiled/" + std::to_string(width) + "," + std::to_string(tile), Role::kHeldOut, [=] {
             const std::size_t n = static_cast<std::size_t>(width) * width;
             const dim3 grid(width / tile, width / tile), block(tile, tile);
             return [=, M = Floats(n), N = Floats(n), P = Zeros(n)] {
               kernel<<<grid, block>>>(M.get(), N.get(), P.get(), width);
             };
           }});
    };
    matmul(16, TiledMatmul<16>);
    matmul(32, TiledMatmul<32>);
  }
  for (const int width : {2048, 4096}) {
    const auto product = [&](const char* family, unsigned threads, auto kernel) {
      cases.push_back({family + ("/" + std::to_string(width)), Role::kHeldOut, [=] {
                         const std::size_t n = static_cast<std::size_t>(width) * width;
                         return [=, A = Floats(n), x = Floats(width), y = Zeros(width)] {
                           kernel<<<BlocksFor(threads, 128), 128>>>(A.get(), x.get(), y.get(), width);
                         };
                       }});
    };
    product("row_per_thread", width, RowPerThread);
    product("row_per_warp", width * 32, RowPerWarp);
  }
  return cases;
}

inline EstimateCases ArrayCases() {
  EstimateCases cases;
  const auto add = [&](const char* family, int n, auto prepare) {
    cases.push_back({family + ("/" + std::to_string(n)), Role::kHeldOut, [=] { return prepare(n); }});
  };
  for (const int n : {1 << 22, 1 << 24}) {
    const auto sum = [](auto kernel) {
      return [=](int length) {
        const unsigned blocks = BlocksFor(length, 256);
        return [=, in = Floats(length), out = Zeros(blocks)] {
          kernel<<<blocks, 256>>>(in.get(), out.get(), length);
        };
      };
    };
    add("sum_interleaved", n, sum(InterleavedSum));
    add("sum_sequential", n, sum(SequentialSum));
    const auto map = [](auto kernel) {
      return [=](int length) {
        return [=, in = Floats(length), out = Zeros(length)] {
          kernel<<<BlocksFor(length, 256), 256>>>(in.get(), out.get(), length);
        };
      };
    };
    add("block_scan", n, map(BlockScan));
    add("convolution", n, map(Convolution));
    add("saxpy_neighbours", n, [](int length) {
      return [=, x = Floats(length), y = Zeros(length)] {
        NeighboursSaxpy<<<BlocksFor(length / 8, 256), 256>>>(x.get(), y.get(), length, 2.0f);
      };
    });
    add("dot_product", n, [](int length) {
      return [=, a = Floats(length), b = Floats(length), out = Zeros(1)] {
        DotProduct<<<528, 256>>>(a.get(), b.get(), out.get(), length);
      };
    });
    add("histogram_shared", n, [](int length) {
      return [=, values = Integers(length, 256), bins = Zeros(256)] {
        SharedHistogram<<<528, 256>>>(AsInts(values), AsInts(bins), length);
      };
    });
    add("random_gather", n / 4, [](int length) {
      return [=, a = Floats(length), where = Integers(length, length), c = Zeros(length)] {
        RandomGather<<<BlocksFor(length, 256), 256>>>(a.get(), AsInts(where), c.get(), length);
      };
    });
    add("grey", n, [](int length) {
      return [=, colours = Integers(length / 4 * 3, 1u << 31), grey = Zeros(length / 4)] {
        Grey<<<BlocksFor(length, 256), 256>>>(reinterpret_cast<const unsigned char*>(colours.get()),
                                              reinterpret_cast<unsigned char*>(grey.get()), length);
      };
    });
  }
  for (const int n : {8192, 32768}) {
    add("n_body", n, [](int length) {
      return [=, bodies = Floats(std::size_t{4} * length), forces = Zeros(std::size_t{4} * length)] {
        NBody<<<length / 256, 256>>>(reinterpret_cast<const float4*>(bodies.get()),
                                     reinterpret_cast<float4*>(forces.get()), length);
      };
    });
  }
  for (const int width : {512, 2048}) {
    add("mandelbrot", width, [](int w) {
      return [=, out = Zeros(static_cast<std::size_t>(w) * w)] {
        Mandelbrot<<<dim3(w / 16, w / 16), dim3(16, 16)>>>(AsInts(out), w, 256);
      };
    });
  }
  return cases;
}

}  // namespace warplings::benchmarks::held_out
