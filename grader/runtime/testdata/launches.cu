// SPDX-License-Identifier: Apache-2.0
// Kernels that launch kernels. Prints one line for each expectation that does not hold, and at the end "right".
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "expect.h"

namespace {

constexpr int kCount = 1000;

/// Sorts by halves: what is to the left of the pivot, and what is to the right, each in a stream of its own.
__global__ void quicksort(int* values, int left, int right) {
  const int pivot = values[(left + right) / 2];
  int i = left, j = right;
  while (i <= j) {
    while (values[i] < pivot) ++i;
    while (values[j] > pivot) --j;
    if (i > j) break;
    const int value = values[i];
    values[i++] = values[j];
    values[j--] = value;
  }
  for (int side = 0; side < 2; ++side) {
    const int from = side == 0 ? left : i, to = side == 0 ? j : right;
    if (from >= to) continue;
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    quicksort<<<1, 1, 0, stream>>>(values, from, to);
    cudaStreamDestroy(stream);
  }
}

struct Row {
  int* squares;
  int count;
};
__global__ void square(Row* rows, int row) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows[row].count) rows[row].squares[i] = i * i + row;
}
/// Each thread allocates memory and lets a grid fill it.
__global__ void allocate(Row* rows) {
  const int row = threadIdx.x;
  rows[row].count = 40 + row;
  cudaMalloc(&rows[row].squares, rows[row].count * sizeof(int));
  square<<<2, 32>>>(rows, row);
}
__global__ void take(Row* rows, int* sums) {
  int sum = 0;
  for (int i = 0; i < rows[threadIdx.x].count; ++i) sum += rows[threadIdx.x].squares[i];
  sums[threadIdx.x] = sum;
  cudaFree(rows[threadIdx.x].squares);
}

__global__ void note(int* order, int what) {
  order[++order[0]] = what;
}
__global__ void in_order(int* order, int* copy) {
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(order, 9);
  note<<<1, 1>>>(order, 1);
  note<<<1, 1, 0, cudaStreamFireAndForget>>>(order, 2);
  cudaMemcpyAsync(copy, order, 2 * sizeof(int), cudaMemcpyDeviceToDevice, 0);
  order[0] = 0;
  printf("launched\n");
}

__global__ void wrong(int* errors) {
  square<<<0, 1>>>(nullptr, 0);
  errors[0] = cudaPeekAtLastError();
  errors[1] = cudaGetLastError();
  errors[2] = cudaGetLastError();
  square<<<1, 2048>>>(nullptr, 0);
  errors[3] = cudaGetLastError();
}

/// As a program with padding has it: three bytes after `letter` are never written.
struct Padded {
  char letter;
  int number;
};
__global__ void copy_padded(Padded* from, Padded* to) {
  from->letter = 'x';
  from->number = 5;
  cudaMemcpyAsync(to, from, sizeof *from, cudaMemcpyDeviceToDevice, 0);
}

constexpr int kMuchShared = 60'000;
__global__ void reverse(int* values) {
  extern __shared__ int much[];
  constexpr int kLast = kMuchShared / sizeof(int) - 1;
  for (int i = threadIdx.x; i <= kLast; i += blockDim.x) much[kLast - i] = i;
  __syncthreads();
  for (int i = threadIdx.x; i <= kLast; i += blockDim.x) values[i] = much[i];
}
__global__ void launch_reverse(int* values) {
  reverse<<<1, 256, kMuchShared>>>(values);
}

__device__ void append(char*& to, const char* text) {
  while ((*to++ = *text) != '\0') ++text;
}
__global__ void name_errors(char* texts) {
  for (const int error : {0, 9, 69, 915, 12345}) {
    append(texts, cudaGetErrorName(static_cast<cudaError_t>(error)));
    append(texts, cudaGetErrorString(static_cast<cudaError_t>(error)));
  }
}

void Quicksort() {
  std::vector<int> values(kCount);
  for (int i = 0; i < kCount; ++i) values[i] = i * 7919 % kCount;
  int* device;
  OK(cudaMalloc(&device, kCount * sizeof(int)));
  OK(cudaMemcpy(device, values.data(), kCount * sizeof(int), cudaMemcpyHostToDevice));
  quicksort<<<1, 1>>>(device, 0, kCount - 1);
  OK(cudaMemcpy(values.data(), device, kCount * sizeof(int), cudaMemcpyDeviceToHost));
  bool is_sorted = true;
  for (int i = 0; i < kCount; ++i) is_sorted = is_sorted && values[i] == i;
  EXPECT(is_sorted);
  OK(cudaFree(device));
}

void Rows() {
  constexpr int kRows = 8;
  Row* rows;
  int *sums, told[kRows];
  OK(cudaMalloc(&rows, kRows * sizeof(Row)));
  OK(cudaMalloc(&sums, sizeof told));
  allocate<<<1, kRows>>>(rows);
  take<<<1, kRows>>>(rows, sums);
  OK(cudaMemcpy(told, sums, sizeof told, cudaMemcpyDeviceToHost));
  for (int row = 0; row < kRows; ++row) {
    int sum = 0;
    for (int i = 0; i < 40 + row; ++i) sum += i * i + row;
    EXPECT(told[row] == sum);
  }
  OK(cudaFree(rows));
  OK(cudaFree(sums));
}

void Order() {
  int *order, *copy, told[4], copied[2];
  OK(cudaMalloc(&order, sizeof told));
  OK(cudaMalloc(&copy, sizeof copied));
  in_order<<<1, 1>>>(order, copy);
  OK(cudaMemcpy(told, order, sizeof told, cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(copied, copy, sizeof copied, cudaMemcpyDeviceToHost));
  EXPECT(told[0] == 3 && told[1] == 1 && told[2] == 2 && told[3] == 9);
  EXPECT(copied[0] == 2 && copied[1] == 1);
  OK(cudaFree(order));
  OK(cudaFree(copy));
}

void Errors() {
  int *errors, told[4];
  OK(cudaMalloc(&errors, sizeof told));
  wrong<<<1, 1>>>(errors);
  OK(cudaMemcpy(told, errors, sizeof told, cudaMemcpyDeviceToHost));
  EXPECT(told[0] == cudaErrorInvalidConfiguration && told[1] == cudaErrorInvalidConfiguration);
  EXPECT(told[2] == cudaSuccess && told[3] == cudaErrorInvalidConfiguration);
  OK(cudaFree(errors));
}

void PaddedCopy() {
  Padded *from, *to, told;
  OK(cudaMalloc(&from, sizeof told));
  OK(cudaMalloc(&to, sizeof told));
  copy_padded<<<1, 1>>>(from, to);
  OK(cudaMemcpy(&told, to, sizeof told, cudaMemcpyDeviceToHost));
  EXPECT(told.letter == 'x' && told.number == 5);
  OK(cudaFree(from));
  OK(cudaFree(to));
}

void MuchShared() {
  constexpr int kCount = kMuchShared / sizeof(int);
  std::vector<int> told(kCount);
  int* values;
  OK(cudaMalloc(&values, kMuchShared));
  OK(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, kMuchShared));
  launch_reverse<<<1, 1>>>(values);
  OK(cudaMemcpy(told.data(), values, kMuchShared, cudaMemcpyDeviceToHost));
  EXPECT(told[0] == kCount - 1 && told[kCount - 1] == 0);
  OK(cudaFree(values));
}

void ErrorNames() {
  std::vector<char> told(4096);
  char* texts;
  OK(cudaMalloc(&texts, told.size()));
  name_errors<<<1, 1>>>(texts);
  OK(cudaMemcpy(told.data(), texts, 1000, cudaMemcpyDeviceToHost));
  const char* at = told.data();
  for (const int error : {0, 9, 69, 915, 12345}) {
    const auto code = static_cast<cudaError_t>(error);
    for (const std::string text : {cudaGetErrorName(code), cudaGetErrorString(code)}) {
      EXPECT(at == text);
      at += std::strlen(at) + 1;
    }
  }
  OK(cudaFree(texts));
}

}  // namespace

int main() {
  std::size_t pending = 0;
  OK(cudaDeviceGetLimit(&pending, cudaLimitDevRuntimePendingLaunchCount));
  EXPECT(pending == 2048);
  OK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 4096));
  Quicksort();
  Rows();
  Order();
  Errors();
  PaddedCopy();
  MuchShared();
  ErrorNames();
  if (failed == 0) std::printf("right\n");
  return failed != 0;
}
