// SPDX-License-Identifier: Apache-2.0
// `waiting CASE`: looks at a result, with or without waiting for it. The name of a case that has to be warned
// of begins with "no wait".
#include <cstdio>
#include <cstring>

constexpr int kCount = 32;
constexpr std::size_t kBytes = kCount * sizeof(int);

__managed__ int total;
volatile bool looked = false;

__global__ void set(int* a) {
  a[threadIdx.x] = 7;
}
__global__ void copy(int* to, const int* from) {
  to[threadIdx.x] = from[threadIdx.x];
}
__global__ void add_to_total() {
  atomicAdd(&total, 1);
}
__global__ void set_and_signal(int* a, volatile int* flag) {
  *a = 7;
  __threadfence_system();
  *flag = 1;
}

void look(const volatile int* a) {
  if (*a == -1) std::puts("never");
}
void CUDART_CB look_at(void* a) {
  look(static_cast<int*>(a));
  looked = true;
}

int main(int, char** words) {
  const auto is = [&](const char* name) { return std::strcmp(words[1], name) == 0; };
  int *managed, *other_managed, *device, *pinned, local[kCount];
  cudaMallocManaged(&managed, kBytes);
  cudaMallocManaged(&other_managed, kBytes);
  cudaMalloc(&device, kBytes);
  cudaMallocHost(&pinned, kBytes);
  for (int i = 0; i < kCount; ++i) managed[i] = other_managed[i] = pinned[i] = 0;
  cudaMemset(device, 0, kBytes);
  cudaStream_t stream, other_stream, non_blocking;
  cudaStreamCreate(&stream);
  cudaStreamCreate(&other_stream);
  cudaStreamCreateWithFlags(&non_blocking, cudaStreamNonBlocking);
  cudaEvent_t event;
  cudaEventCreate(&event);
  cudaDeviceSynchronize();

  if (is("no wait at all")) {
    set<<<1, kCount>>>(managed);
    look(managed);
  } else if (is("no wait, its input is freed first")) {
    copy<<<1, kCount>>>(other_managed, managed);
    look(other_managed);
  } else if (is("no wait, and no free")) {
    set<<<1, kCount>>>(managed);
    look(managed);
    return 0;
  } else if (is("no wait for a managed variable")) {
    add_to_total<<<1, kCount>>>();
    look(&total);
    return 0;
  } else if (is("no wait for a copy")) {
    cudaMemcpyAsync(pinned, device, kBytes, cudaMemcpyDeviceToHost, stream);
    look(pinned);
    cudaFreeHost(pinned);
  } else if (is("no wait for a copy in the default stream")) {
    cudaMemcpyAsync(pinned, device, kBytes, cudaMemcpyDeviceToHost);
    look(pinned);
    cudaFreeHost(pinned);
  } else if (is("no wait but for another stream")) {
    set<<<1, kCount, 0, stream>>>(managed);
    cudaStreamSynchronize(other_stream);
    look(managed);
  } else if (is("no wait but for an earlier event")) {
    cudaEventRecord(event, stream);
    set<<<1, kCount, 0, stream>>>(managed);
    cudaEventSynchronize(event);
    look(managed);
  } else if (is("no wait for a non-blocking stream")) {
    set<<<1, kCount, 0, non_blocking>>>(managed);
    look(managed);
  } else if (is("no wait after the last pass")) {
    for (int i = 0; i < 9; ++i) {
      cudaDeviceSynchronize();
      set<<<1, kCount>>>(managed);
    }
    look(managed);
  } else if (is("the device")) {
    set<<<1, kCount>>>(managed);
    cudaDeviceSynchronize();
    look(managed);
  } else if (is("the stream")) {
    set<<<1, kCount, 0, stream>>>(managed);
    cudaStreamSynchronize(stream);
    look(managed);
  } else if (is("an event")) {
    set<<<1, kCount, 0, stream>>>(managed);
    cudaEventRecord(event, stream);
    cudaEventSynchronize(event);
    look(managed);
  } else if (is("a poll")) {
    set<<<1, kCount, 0, non_blocking>>>(managed);
    while (cudaStreamQuery(non_blocking) != cudaSuccess) {
    }
    look(managed);
  } else if (is("a stream that waits")) {
    set<<<1, kCount, 0, stream>>>(managed);
    cudaEventRecord(event, stream);
    cudaStreamWaitEvent(other_stream, event, 0);
    cudaStreamSynchronize(other_stream);
    look(managed);
  } else if (is("a copy of the result")) {
    set<<<1, kCount>>>(managed);
    cudaMemcpy(local, managed, kBytes, cudaMemcpyDefault);
  } else if (is("a copy of what follows")) {
    set<<<1, kCount>>>(managed);
    copy<<<1, kCount>>>(device, managed);
    cudaMemcpy(local, device, kBytes, cudaMemcpyDeviceToHost);
  } else if (is("managed memory that is only read")) {
    copy<<<1, kCount>>>(device, managed);
  } else if (is("only device memory")) {
    set<<<1, kCount>>>(device);
  } else if (is("a free of other memory")) {
    set<<<1, kCount>>>(managed);
    cudaFree(device);
    look(managed);
    cudaFree(managed);
    return 0;
  } else if (is("the stream of a copy")) {
    cudaMemcpyAsync(pinned, device, kBytes, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    look(pinned);
    cudaFreeHost(pinned);
  } else if (is("the default stream of a copy")) {
    cudaMemcpyAsync(pinned, device, kBytes, cudaMemcpyDeviceToHost);
    cudaStreamSynchronize(0);
    look(pinned);
    cudaFreeHost(pinned);
  } else if (is("a copy that waits")) {
    cudaMemcpy(pinned, device, kBytes, cudaMemcpyDeviceToHost);
    look(pinned);
    cudaFreeHost(pinned);
  } else if (is("pinned input")) {
    cudaMemcpyAsync(device, pinned, kBytes, cudaMemcpyHostToDevice, stream);
    set<<<1, kCount, 0, stream>>>(device);
    cudaMemcpyAsync(local, device, kBytes, cudaMemcpyDeviceToHost, stream);
    cudaFreeHost(pinned);
  } else if (is("a host function")) {
    set<<<1, kCount, 0, stream>>>(managed);
    cudaLaunchHostFunc(stream, look_at, managed);
    while (!looked) {
    }
  } else if (is("a flag in pinned memory")) {
    set_and_signal<<<1, 1>>>(managed, pinned);
    while (*static_cast<volatile int*>(pinned) == 0) {
    }
    look(managed);
  } else if (std::strstr(words[1], "time of")) {
    cudaEvent_t begin;
    cudaEventCreate(&begin);
    cudaEventRecord(begin);
    set<<<1, kCount>>>(device);
    cudaEventRecord(event);
    float milliseconds = -1;
    if (is("time of an event that is awaited")) cudaEventSynchronize(event);
    if (is("time of what the device has done")) cudaDeviceSynchronize();
    if (is("time of what a copy waits for")) cudaMemcpy(local, device, kBytes, cudaMemcpyDeviceToHost);
    if (is("time of a stream that is awaited")) cudaStreamSynchronize(nullptr);
    if (is("time of an event that is queried"))
      while (cudaEventQuery(event) == cudaErrorNotReady) {
      }
    if (is("time of what a host function tells")) {
      cudaLaunchHostFunc(nullptr, look_at, local);
      while (!looked) {
      }
    }
    cudaError_t result = cudaEventElapsedTime(&milliseconds, begin, event);
    if (is("time of an event that is polled"))
      while (result == cudaErrorNotReady) result = cudaEventElapsedTime(&milliseconds, begin, event);
    return (result == cudaSuccess) == (milliseconds >= 0) ? result : 1;
  } else if (is("no time to wait")) {
    set<<<1, kCount>>>(managed);
    return 3;
  } else {
    return 4;
  }
  cudaFree(managed);
  cudaFree(device);
}
