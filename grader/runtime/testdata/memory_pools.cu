// SPDX-License-Identifier: Apache-2.0
// Stream-ordered allocation and memory pools, right and wrong calls. Prints one line for each expectation
// that does not hold, and at the end "right".
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "expect.h"

namespace {

__global__ void add(int* values, int by) {
  values[threadIdx.x] += by;
}

std::uint64_t Get(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  std::uint64_t number = ~std::uint64_t{0};
  OK(cudaMemPoolGetAttribute(pool, attribute, &number));
  return number;
}

void Order(cudaStream_t stream) {
  int* values = nullptr;
  OK(cudaMallocAsync(&values, 128, stream));
  OK(cudaMemsetAsync(values, 0, 128, stream));
  add<<<1, 32, 0, stream>>>(values, 5);
  int out[32] = {};
  OK(cudaMemcpyAsync(out, values, sizeof out, cudaMemcpyDeviceToHost, stream));
  OK(cudaFreeAsync(values, stream));
  OK(cudaStreamSynchronize(stream));
  EXPECT(out[0] == 5 && out[31] == 5);
  // The work before a free finds the memory, even where it runs much later.
  int *result = nullptr, *scratch = nullptr;
  OK(cudaMalloc(&result, 128));
  OK(cudaMallocAsync(&scratch, 128, stream));
  OK(cudaMemsetAsync(scratch, 1, 128, stream));
  OK(cudaMemcpyAsync(result, scratch, 128, cudaMemcpyDeviceToDevice, stream));
  OK(cudaFreeAsync(scratch, stream));
  OK(cudaStreamSynchronize(stream));
  OK(cudaMemcpy(out, result, 128, cudaMemcpyDeviceToHost));
  EXPECT(out[0] == 0x01010101);
  OK(cudaFreeAsync(result, stream));  // An allocation of cudaMalloc's can be freed so, too.
  OK(cudaMallocAsync(&values, 128, nullptr));
  OK(cudaFreeAsync(values, nullptr));
  OK(cudaMallocAsync(&values, 128, stream));
  OK(cudaStreamSynchronize(stream));
  OK(cudaFree(values));
}

void WrongCalls(cudaStream_t stream) {
  void* pointer = &pointer;
  OK(cudaMallocAsync(&pointer, 0, stream));
  FAILS(cudaMallocAsync(static_cast<void**>(nullptr), 64, stream), cudaErrorInvalidValue);
  FAILS(cudaMallocAsync(&pointer, std::size_t{1} << 60, stream), cudaErrorMemoryAllocation);
  FAILS(cudaMallocAsync(&pointer, 64, reinterpret_cast<cudaStream_t>(0x1235)),
        cudaErrorInvalidResourceHandle);
  OK(cudaFreeAsync(nullptr, stream));
  char* memory = nullptr;
  OK(cudaMallocAsync(&memory, 128, stream));
  FAILS(cudaFreeAsync(memory + 1, stream), cudaErrorInvalidValue);
  FAILS(cudaFreeAsync(memory, reinterpret_cast<cudaStream_t>(0x1235)), cudaErrorInvalidResourceHandle);
  OK(cudaFreeAsync(memory, stream));
  FAILS(cudaFreeAsync(memory, stream), cudaErrorInvalidValue);
  FAILS(cudaMemsetAsync(memory, 0, 4, stream), cudaErrorInvalidValue);
  FAILS(cudaFree(memory), cudaErrorInvalidValue);
  OK(cudaMallocHost(&pointer, 64));
  FAILS(cudaFreeAsync(pointer, stream), cudaErrorInvalidValue);
  OK(cudaFreeHost(pointer));
}

cudaMemPoolProps Properties() {
  cudaMemPoolProps properties;
  std::memset(&properties, 0, sizeof properties);
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  return properties;
}

void Attributes(cudaMemPool_t pool) {
  EXPECT(Get(pool, cudaMemPoolAttrReleaseThreshold) == 0);
  std::uint64_t threshold = 1 << 20, zero = 0, one = 1;
  OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  EXPECT(Get(pool, cudaMemPoolAttrReleaseThreshold) == threshold);
  int flag = -1;
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &flag));
  EXPECT(flag == 1);
  flag = 0;
  OK(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &flag));
  flag = -1;
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &flag));
  EXPECT(flag == 0);
  OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero));
  FAILS(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &one), cudaErrorInvalidValue);
  FAILS(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &zero), cudaErrorInvalidValue);
  FAILS(cudaMemPoolGetAttribute(pool, static_cast<cudaMemPoolAttr>(99), &zero), cudaErrorInvalidValue);
  FAILS(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, nullptr), cudaErrorInvalidValue);
}

void Pools(cudaStream_t stream) {
  cudaMemPool_t first, current, pool;
  OK(cudaDeviceGetDefaultMemPool(&first, 0));
  OK(cudaDeviceGetMemPool(&current, 0));
  EXPECT(first == current);
  FAILS(cudaDeviceGetDefaultMemPool(&pool, 77), cudaErrorInvalidDevice);
  FAILS(cudaMemPoolDestroy(first), cudaErrorInvalidValue);
  cudaMemPoolProps properties = Properties();
  FAILS(cudaMemPoolCreate(nullptr, &properties), cudaErrorInvalidValue);
  FAILS(cudaMemPoolCreate(&pool, nullptr), cudaErrorInvalidValue);
  OK(cudaMemPoolCreate(&pool, &properties));
  EXPECT(pool != first);
  Attributes(pool);
  char *one = nullptr, *two = nullptr;
  OK(cudaMallocFromPoolAsync(&one, 3 << 20, pool, stream));
  OK(cudaMallocFromPoolAsync(&two, 1 << 19, pool, stream));
  OK(cudaStreamSynchronize(stream));
  EXPECT(Get(pool, cudaMemPoolAttrUsedMemCurrent) == (3 << 20) + (1 << 19));
  OK(cudaFreeAsync(one, stream));
  OK(cudaStreamSynchronize(stream));
  EXPECT(Get(pool, cudaMemPoolAttrUsedMemCurrent) == 1 << 19);
  EXPECT(Get(pool, cudaMemPoolAttrUsedMemHigh) == (3 << 20) + (1 << 19));
  EXPECT(Get(pool, cudaMemPoolAttrReservedMemCurrent) == 1 << 20);  // As much as the threshold.
  OK(cudaMemPoolTrimTo(pool, 0));
  EXPECT(Get(pool, cudaMemPoolAttrReservedMemCurrent) == 1 << 19);  // What is in use stays.
  OK(cudaFree(two));
  EXPECT(Get(pool, cudaMemPoolAttrUsedMemCurrent) == 0);
  OK(cudaDeviceSetMemPool(0, pool));
  OK(cudaDeviceGetMemPool(&current, 0));
  EXPECT(current == pool);
  OK(cudaMallocAsync(&one, 512, stream));
  EXPECT(Get(pool, cudaMemPoolAttrUsedMemCurrent) == 512);
  OK(cudaMemPoolDestroy(pool));
  FAILS(cudaMemPoolDestroy(pool), cudaErrorInvalidValue);
  FAILS(cudaMallocFromPoolAsync(&two, 64, pool, stream), cudaErrorInvalidValue);
  FAILS(cudaMallocFromPoolAsync(&two, 64, reinterpret_cast<cudaMemPool_t>(stream), stream),
        cudaErrorInvalidValue);
  OK(cudaDeviceGetMemPool(&current, 0));
  EXPECT(current == first);
  OK(cudaMemsetAsync(one, 0, 512, stream));  // Its pool is gone, the memory is not.
  OK(cudaFreeAsync(one, stream));
  OK(cudaStreamSynchronize(stream));
}

/// More than may exist.
void Limits(cudaStream_t stream) {
  std::vector<cudaMemPool_t> pools;
  cudaMemPoolProps properties = Properties();
  cudaMemPool_t pool;
  while (pools.size() < 5000 && cudaMemPoolCreate(&pool, &properties) == cudaSuccess) pools.push_back(pool);
  EXPECT(pools.size() < 5000 && cudaGetLastError() == cudaErrorMemoryAllocation);
  for (cudaMemPool_t each : pools) OK(cudaMemPoolDestroy(each));
#if CUDART_VERSION >= 12020
  properties.maxSize = 1000;
  OK(cudaMemPoolCreate(&pool, &properties));
  char *one = nullptr, *two = nullptr;
  OK(cudaMallocFromPoolAsync(&one, 600, pool, stream));
  FAILS(cudaMallocFromPoolAsync(&two, 600, pool, stream), cudaErrorMemoryAllocation);
  OK(cudaFreeAsync(one, stream));
  OK(cudaMallocFromPoolAsync(&two, 600, pool, stream));
  OK(cudaFreeAsync(two, stream));
  OK(cudaMemPoolDestroy(pool));
#endif
}

}  // namespace

int main() {
  cudaStream_t stream;
  OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  Order(stream);
  WrongCalls(stream);
  Pools(stream);
  Limits(stream);
  cudaMemPool_t first, again;
  OK(cudaDeviceGetDefaultMemPool(&first, 0));
  void* memory = nullptr;
  OK(cudaMallocAsync(&memory, 64, stream));
  OK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 4096));
  OK(cudaDeviceReset());
  std::size_t limit = 0;
  OK(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount));
  EXPECT(limit == 2048);
  OK(cudaDeviceGetDefaultMemPool(&again, 0));
  EXPECT(Get(again, cudaMemPoolAttrUsedMemCurrent) == 0);
  if (failed == 0) std::printf("right\n");
  return failed != 0;
}
