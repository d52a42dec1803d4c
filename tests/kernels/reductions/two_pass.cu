// SPDX-License-Identifier: Apache-2.0
// A sum of squares and the place of the maximum in two kernels: partial results, then one block.
#include "tests/kernels/expect.h"

struct Best {
  float value;
  int index;
};

__device__ Best better(Best a, Best b) {
  return b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a;
}

template <int kThreads>
__device__ void reduce_block(Best* best, double* squares) {
  for (int stride = kThreads / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride) {
      best[threadIdx.x] = better(best[threadIdx.x], best[threadIdx.x + stride]);
      squares[threadIdx.x] += squares[threadIdx.x + stride];
    }
  }
}

__global__ void first_pass(const float* in, int count, Best* block_best, double* block_squares) {
  __shared__ Best best[128];
  __shared__ double squares[128];
  Best mine = {-INFINITY, count};
  double sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    mine = better(mine, {in[i], i});
    sum += double(in[i]) * in[i];
  }
  best[threadIdx.x] = mine;
  squares[threadIdx.x] = sum;
  reduce_block<128>(best, squares);
  if (threadIdx.x == 0) block_best[blockIdx.x] = best[0], block_squares[blockIdx.x] = squares[0];
}

__global__ void second_pass(const Best* block_best, const double* block_squares, int blocks, Best* best_out,
                            double* squares_out) {
  __shared__ Best best[32];
  __shared__ double squares[32];
  best[threadIdx.x] = threadIdx.x < blocks ? block_best[threadIdx.x] : Best{-INFINITY, 1 << 30};
  squares[threadIdx.x] = threadIdx.x < blocks ? block_squares[threadIdx.x] : 0;
  reduce_block<32>(best, squares);
  if (threadIdx.x == 0) *best_out = best[0], *squares_out = squares[0];
}

int main() {
  const int count = 5000, blocks = 6;
  const std::vector<float> in = Eighths(count, 11);
  float* din = OnDevice(in);
  Best *partial = OnDevice<Best>(blocks), *best = OnDevice<Best>(1);
  double *partial_squares = OnDevice<double>(blocks), *squares = OnDevice<double>(1);
  first_pass<<<blocks, 128>>>(din, count, partial, partial_squares);
  second_pass<<<1, 32>>>(partial, partial_squares, blocks, best, squares);
  FINISH();
  int at = 0;
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    if (in[i] > in[at]) at = i;
    sum += double(in[i]) * in[i];
  }
  ExpectEqual("index", 0, FromDevice(best, 1)[0].index, at);
  ExpectEqual("value", 0, FromDevice(best, 1)[0].value, in[at]);
  ExpectEqual("squares", 0, FromDevice(squares, 1)[0], sum);
  return Result();
}
