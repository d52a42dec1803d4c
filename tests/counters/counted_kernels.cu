// SPDX-License-Identifier: Apache-2.0
// Kernels whose memory traffic is counted, by the virtual GPU and by ncu on a card (record_ncu): each has a
// name of its own and is launched once.
#include <cstdio>
#include <cstdlib>

constexpr int kWidth = 256, kTile = 32, kRows = 8;  // Matrices are kWidth x kWidth.
constexpr int kThreads = 128, kRadius = 3;
constexpr int kCount = kWidth * kWidth;
constexpr int kLoads = 16384, kMaxStride = 33;
constexpr int kBins = 64;

// --- Transposes: out = in^T; blocks of 32 x 8 threads, tiles of 32 x 32. ---------------------------------

__global__ void transpose_naive(const float* in, float* out) {
  int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) out[x * kWidth + y + j] = in[(y + j) * kWidth + x];
}

template <int kColumns>
__device__ void TransposeThroughTile(const float* in, float* out, float (*tile)[kColumns]) {
  int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * kWidth + x];
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x;
  y = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) out[(y + j) * kWidth + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void transpose_conflicted(const float* in, float* out) {
  __shared__ float tile[kTile][kTile];
  TransposeThroughTile(in, out, tile);
}

__global__ void transpose_padded(const float* in, float* out) {
  __shared__ float tile[kTile][kTile + 1];
  TransposeThroughTile(in, out, tile);
}

__global__ void transpose_swizzled(const float* in, float* out) {
  __shared__ float tile[kTile][kTile];
  int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) {
    int row = threadIdx.y + j;
    tile[row][threadIdx.x ^ row] = in[(y + j) * kWidth + x];
  }
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x;
  y = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) {
    int row = threadIdx.x, column = threadIdx.y + j;
    out[(y + j) * kWidth + x] = tile[row][column ^ row];
  }
}

// --- Stencils --------------------------------------------------------------------------------------------

__global__ void stencil_1d(const float* in, float* out, int n) {
  __shared__ float tile[kThreads + 2 * kRadius];
  int i = blockIdx.x * kThreads + threadIdx.x;
  tile[threadIdx.x + kRadius] = in[i];
  if (threadIdx.x < kRadius) {
    int left = i - kRadius, right = i + kThreads;
    tile[threadIdx.x] = left >= 0 ? in[left] : 0;
    tile[threadIdx.x + kRadius + kThreads] = right < n ? in[right] : 0;
  }
  __syncthreads();
  float sum = 0;
  for (int k = -kRadius; k <= kRadius; ++k) sum += tile[threadIdx.x + kRadius + k];
  out[i] = sum;
}

__global__ void stencil_2d(const float* in, float* out) {
  int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kRows + threadIdx.y;
  if (x == 0 || y == 0 || x == kWidth - 1 || y == kWidth - 1) return;
  int i = y * kWidth + x;
  out[i] = 0.2f * (in[i] + in[i - 1] + in[i + 1] + in[i - kWidth] + in[i + kWidth]);
}

// --- Strides of global and of shared memory, one warp a block where it is shared.
// ----------------------------

#define LOAD_WITH_STRIDE(stride)                                      \
  __global__ void load_stride_##stride(const float* in, float* out) { \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                    \
    out[i] = in[i * stride];                                          \
  }
LOAD_WITH_STRIDE(1)
LOAD_WITH_STRIDE(2)
LOAD_WITH_STRIDE(4)
LOAD_WITH_STRIDE(8)
LOAD_WITH_STRIDE(16)
LOAD_WITH_STRIDE(32)
LOAD_WITH_STRIDE(33)

#define READ_SHARED_WITH_STRIDE(type, stride)                                                  \
  __global__ void shared_##type##_stride_##stride(const float* in, float* out) {               \
    __shared__ type array[32 * stride];                                                        \
    const type* source = reinterpret_cast<const type*>(in);                                    \
    for (int i = threadIdx.x; i < 32 * stride; i += 32) array[i] = source[i];                  \
    __syncthreads();                                                                           \
    reinterpret_cast<type*>(out)[blockIdx.x * 32 + threadIdx.x] = array[threadIdx.x * stride]; \
  }
READ_SHARED_WITH_STRIDE(float, 1)
READ_SHARED_WITH_STRIDE(float, 2)
READ_SHARED_WITH_STRIDE(float, 3)
READ_SHARED_WITH_STRIDE(float, 4)
READ_SHARED_WITH_STRIDE(float, 8)
READ_SHARED_WITH_STRIDE(float, 16)
READ_SHARED_WITH_STRIDE(float, 32)
READ_SHARED_WITH_STRIDE(float, 33)
READ_SHARED_WITH_STRIDE(double, 1)
READ_SHARED_WITH_STRIDE(double, 2)
READ_SHARED_WITH_STRIDE(double, 3)
READ_SHARED_WITH_STRIDE(double, 16)
READ_SHARED_WITH_STRIDE(double, 17)
READ_SHARED_WITH_STRIDE(float4, 1)
READ_SHARED_WITH_STRIDE(float4, 2)
READ_SHARED_WITH_STRIDE(float4, 3)
READ_SHARED_WITH_STRIDE(float4, 5)

#define WRITE_SHARED_WITH_STRIDE(stride)                                      \
  __global__ void shared_write_stride_##stride(const float* in, float* out) { \
    __shared__ float array[32 * stride];                                      \
    array[threadIdx.x * stride] = in[threadIdx.x];                            \
    __syncthreads();                                                          \
    out[blockIdx.x * 32 + threadIdx.x] = array[(31 - threadIdx.x) * stride];  \
  }
WRITE_SHARED_WITH_STRIDE(1)
WRITE_SHARED_WITH_STRIDE(2)
WRITE_SHARED_WITH_STRIDE(8)
WRITE_SHARED_WITH_STRIDE(32)

// --- Broadcasts: all lanes, or groups of eight, want one word.
// -----------------------------------------------

__global__ void broadcast_global(const float* in, float* out) {
  out[blockIdx.x * 32 + threadIdx.x] = in[blockIdx.x];
}

__global__ void broadcast_shared(const float* in, float* out) {
  __shared__ float array[32];
  array[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[blockIdx.x * 32 + threadIdx.x] = array[blockIdx.x % 32] + array[threadIdx.x / 8];
}

// --- Matrix products
// ----------------------------------------------------------------------------------------

template <int kSide>
__device__ void MultiplyTiled(const float* m, const float* n, float* p, int width) {
  __shared__ float m_tile[kSide][kSide], n_tile[kSide][kSide];
  int row = blockIdx.y * kSide + threadIdx.y, column = blockIdx.x * kSide + threadIdx.x;
  float sum = 0;
  for (int phase = 0; phase < (width + kSide - 1) / kSide; ++phase) {
    int m_column = phase * kSide + threadIdx.x, n_row = phase * kSide + threadIdx.y;
    m_tile[threadIdx.y][threadIdx.x] = row < width && m_column < width ? m[row * width + m_column] : 0;
    n_tile[threadIdx.y][threadIdx.x] = n_row < width && column < width ? n[n_row * width + column] : 0;
    __syncthreads();
    for (int k = 0; k < kSide; ++k) sum += m_tile[threadIdx.y][k] * n_tile[k][threadIdx.x];
    __syncthreads();
  }
  if (row < width && column < width) p[row * width + column] = sum;
}

__global__ void matmul_tiled_16(const float* m, const float* n, float* p, int width) {
  MultiplyTiled<16>(m, n, p, width);
}
__global__ void matmul_tiled_32(const float* m, const float* n, float* p, int width) {
  MultiplyTiled<32>(m, n, p, width);
}
__global__ void matmul_naive(const float* m, const float* n, float* p, int width) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= width || column >= width) return;
  float sum = 0;
  for (int k = 0; k < width; ++k) sum += m[row * width + k] * n[k * width + column];
  p[row * width + column] = sum;
}

// --- Histograms: neighbours hit one bin in groups of four.
// ---------------------------------------------------

__global__ void histogram_global(unsigned* bins) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&bins[i / 4 % kBins], 1u);
}

__global__ void histogram_shared(unsigned* bins) {
  __shared__ unsigned own[kBins];
  if (threadIdx.x < kBins) own[threadIdx.x] = 0;
  __syncthreads();
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&own[i / 4 % kBins], 1u);
  __syncthreads();
  if (threadIdx.x < kBins) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

void Check(cudaError_t status, int line) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(status));
  std::exit(1);
}
#define CHECK(call) Check((call), __LINE__)

int main() {
  float *in, *in2, *out;
  unsigned* bins;
  size_t bytes = sizeof(float) * kLoads * kMaxStride;
  CHECK(cudaMalloc(&in, bytes));
  CHECK(cudaMalloc(&in2, sizeof(float) * kCount));
  CHECK(cudaMalloc(&out, bytes));
  CHECK(cudaMalloc(&bins, sizeof(unsigned) * kBins));
  CHECK(cudaMemset(in, 0, bytes));
  CHECK(cudaMemset(in2, 0, sizeof(float) * kCount));
  CHECK(cudaMemset(bins, 0, sizeof(unsigned) * kBins));

  dim3 tiles(kWidth / kTile, kWidth / kTile), rows(kTile, kRows);
  transpose_naive<<<tiles, rows>>>(in, out);
  transpose_conflicted<<<tiles, rows>>>(in, out);
  transpose_padded<<<tiles, rows>>>(in, out);
  transpose_swizzled<<<tiles, rows>>>(in, out);
  stencil_1d<<<kCount / kThreads, kThreads>>>(in, out, kCount);
  stencil_2d<<<dim3(kWidth / kTile, kWidth / kRows), rows>>>(in, out);

#define LAUNCH_LOAD(stride) load_stride_##stride<<<kLoads / kThreads, kThreads>>>(in, out)
  LAUNCH_LOAD(1);
  LAUNCH_LOAD(2);
  LAUNCH_LOAD(4);
  LAUNCH_LOAD(8);
  LAUNCH_LOAD(16);
  LAUNCH_LOAD(32);
  LAUNCH_LOAD(33);

  constexpr int kBlocks = 256;
#define LAUNCH_SHARED(type, stride) shared_##type##_stride_##stride<<<kBlocks, 32>>>(in, out)
  LAUNCH_SHARED(float, 1);
  LAUNCH_SHARED(float, 2);
  LAUNCH_SHARED(float, 3);
  LAUNCH_SHARED(float, 4);
  LAUNCH_SHARED(float, 8);
  LAUNCH_SHARED(float, 16);
  LAUNCH_SHARED(float, 32);
  LAUNCH_SHARED(float, 33);
  LAUNCH_SHARED(double, 1);
  LAUNCH_SHARED(double, 2);
  LAUNCH_SHARED(double, 3);
  LAUNCH_SHARED(double, 16);
  LAUNCH_SHARED(double, 17);
  LAUNCH_SHARED(float4, 1);
  LAUNCH_SHARED(float4, 2);
  LAUNCH_SHARED(float4, 3);
  LAUNCH_SHARED(float4, 5);
  shared_write_stride_1<<<kBlocks, 32>>>(in, out);
  shared_write_stride_2<<<kBlocks, 32>>>(in, out);
  shared_write_stride_8<<<kBlocks, 32>>>(in, out);
  shared_write_stride_32<<<kBlocks, 32>>>(in, out);
  broadcast_global<<<kBlocks, 32>>>(in, out);
  broadcast_shared<<<kBlocks, 32>>>(in, out);

  constexpr int kProduct = 96;  // Blocks of 16 and of 32 divide it.
  matmul_naive<<<dim3(kProduct / 32, kProduct / 8), dim3(32, 8)>>>(in, in2, out, kProduct);
  matmul_tiled_16<<<dim3(kProduct / 16, kProduct / 16), dim3(16, 16)>>>(in, in2, out, kProduct);
  matmul_tiled_32<<<dim3(kProduct / 32, kProduct / 32), dim3(32, 32)>>>(in, in2, out, kProduct);
  histogram_global<<<kBlocks, kThreads>>>(bins);
  histogram_shared<<<kBlocks, kThreads>>>(bins);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  return 0;
}
