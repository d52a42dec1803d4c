// SPDX-License-Identifier: Apache-2.0
// Functions of the host in a stream: when they run, and what they may call. Prints one line for each
// expectation that does not hold, and at the end "right". An H100 with CUDA 13.0 gives the same.
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

#include "expect.h"

namespace {

__global__ void store(int* value, int number) {
  *value = number;
}

int* pinned;
cudaStream_t stream, other, blocking;
cudaEvent_t event;
std::vector<int> seen;

void CUDART_CB See(void*) {
  seen.push_back(*pinned);
}
void CUDART_CB SeeToo(cudaStream_t given, cudaError_t status, void* data) {
  seen.push_back(*pinned);
  EXPECT(given == stream && status == cudaSuccess && data == &seen);
}
void CUDART_CB CallCuda(void*) {
  void* pointer = nullptr;
  int device = 7;
  FAILS(cudaMalloc(&pointer, 64), cudaErrorNotPermitted);
  FAILS(cudaStreamQuery(stream), cudaErrorNotPermitted);
  FAILS(cudaStreamSynchronize(stream), cudaErrorNotPermitted);
  FAILS(cudaDeviceSynchronize(), cudaErrorNotPermitted);
  FAILS(cudaGetDevice(&device), cudaErrorNotPermitted);
  FAILS(cudaFree(pointer), cudaErrorNotPermitted);
  FAILS(cudaLaunchHostFunc(stream, See, nullptr), cudaErrorNotPermitted);
  FAILS(cudaDeviceReset(), cudaErrorNotPermitted);
  store<<<1, 1, 0, stream>>>(pinned, 9);
  EXPECT(cudaGetLastError() == cudaErrorNotPermitted);
  seen.push_back(*pinned);
}
void CUDART_CB CountUp(void* counter) {
  ++*static_cast<std::atomic<int>*>(counter);
}

void InOrder() {
  store<<<1, 1, 0, stream>>>(pinned, 1);
  OK(cudaLaunchHostFunc(stream, See, nullptr));
  store<<<1, 1, 0, stream>>>(pinned, 2);
  OK(cudaStreamAddCallback(stream, SeeToo, &seen, 0));
  store<<<1, 1, 0, stream>>>(pinned, 3);
  OK(cudaEventRecord(event, stream));
  OK(cudaLaunchHostFunc(stream, See, nullptr));
  OK(cudaEventSynchronize(event));
  OK(cudaStreamSynchronize(stream));
  EXPECT((seen == std::vector<int>{1, 2, 3}));
  seen.clear();

  // By way of an event, from another stream.
  OK(cudaLaunchHostFunc(stream, See, nullptr));
  store<<<1, 1, 0, stream>>>(pinned, 4);
  OK(cudaEventRecord(event, stream));
  OK(cudaStreamWaitEvent(other, event, 0));
  OK(cudaLaunchHostFunc(other, See, nullptr));
  OK(cudaStreamSynchronize(other));
  EXPECT((seen == std::vector<int>{3, 4}));
  seen.clear();

  // A blocking stream and the default stream.
  store<<<1, 1, 0, blocking>>>(pinned, 5);
  OK(cudaLaunchHostFunc(blocking, See, nullptr));
  store<<<1, 1>>>(pinned, 6);
  OK(cudaLaunchHostFunc(nullptr, See, nullptr));
  OK(cudaDeviceSynchronize());
  EXPECT((seen == std::vector<int>{5, 6}));
  seen.clear();
}

void AllThatWaits() {
  int out = 0, *device = nullptr;
  OK(cudaMalloc(&device, 64));
  OK(cudaMemset(device, 0, 64));
  OK(cudaDeviceSynchronize());
  OK(cudaLaunchHostFunc(stream, See, nullptr));
  while (cudaStreamQuery(stream) == cudaErrorNotReady) continue;
  EXPECT(seen.size() == 1);
  OK(cudaLaunchHostFunc(stream, See, nullptr));
  OK(cudaEventRecord(event, stream));
  while (cudaEventQuery(event) == cudaErrorNotReady) continue;
  EXPECT(seen.size() == 2);
  OK(cudaLaunchHostFunc(stream, See, nullptr));
  OK(cudaMemcpyAsync(&out, device, 4, cudaMemcpyDeviceToHost, stream));
  OK(cudaStreamSynchronize(stream));
  EXPECT(seen.size() == 3);
  OK(cudaLaunchHostFunc(stream, See, nullptr));
  OK(cudaEventRecord(event, stream));
  OK(cudaStreamWaitEvent(blocking, event, 0));
  OK(cudaStreamSynchronize(blocking));
  EXPECT(seen.size() == 4);
  OK(cudaLaunchHostFunc(stream, See, nullptr));
  OK(cudaFree(device));
  OK(cudaDeviceSynchronize());
  EXPECT(seen.size() == 5);
  seen.clear();
}

void WrongCalls() {
  (void)cudaGetLastError();
  FAILS(cudaLaunchHostFunc(stream, nullptr, nullptr), cudaErrorInvalidValue);
  FAILS(cudaStreamAddCallback(stream, nullptr, nullptr, 0), cudaErrorInvalidValue);
  FAILS(cudaStreamAddCallback(stream, SeeToo, nullptr, 1), cudaErrorInvalidValue);
  OK(cudaLaunchHostFunc(stream, CallCuda, nullptr));
  OK(cudaStreamSynchronize(stream));
  OK(cudaLaunchHostFunc(blocking, CallCuda, nullptr));
  OK(cudaStreamSynchronize(blocking));
  EXPECT((seen == std::vector<int>{6, 6}));
  seen.clear();
}

/// More than are kept, and from several threads.
void Many() {
  std::atomic<int> counter = 0;
  for (int i = 0; i < 5000; ++i) OK(cudaLaunchHostFunc(stream, CountUp, &counter));
  OK(cudaStreamSynchronize(stream));
  EXPECT(counter == 5000);
  // Far more work behind a function than a device keeps.
  counter = 0;
  OK(cudaLaunchHostFunc(stream, CountUp, &counter));
  for (int i = 0; i < 70000; ++i) cudaMemsetAsync(pinned, 0, 4, stream);
  OK(cudaStreamSynchronize(stream));
  EXPECT(counter == 1);
  counter = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        OK(cudaLaunchHostFunc(stream, CountUp, &counter));
        OK(cudaStreamSynchronize(stream));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT(counter == 200);
}

}  // namespace

int main() {
  OK(cudaMallocHost(&pinned, 64));
  *pinned = 0;
  OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  OK(cudaStreamCreate(&blocking));
  OK(cudaEventCreate(&event));
  InOrder();
  AllThatWaits();
  WrongCalls();
  Many();
  if (failed == 0) std::printf("right\n");
  return failed != 0;
}
