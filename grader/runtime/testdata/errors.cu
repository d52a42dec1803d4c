// SPDX-License-Identifier: Apache-2.0
// Prints what calls return that are wrong in one way or another, and the last error after each: once
// when it is peeked at, and twice when it is fetched. errors.expected is what an H200 with CUDA 13.0
// printed; with an argument, the calls that follow a kernel's fault.
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

void Show(const char* call, cudaError_t returned) {
  int peeked = cudaPeekAtLastError(), fetched = cudaGetLastError(), again = cudaGetLastError();
  std::printf("%s: %d, last error %d %d %d\n", call, returned, peeked, fetched, again);
}
#define SHOW(call) Show(#call, call)
// A launch returns nothing.
#define LAUNCH(launch)            \
  do {                            \
    launch;                       \
    Show(#launch, cudaSuccess);   \
  } while (0)

__device__ int variable[4];
__constant__ int constant[4];

__global__ void plain(int* p) {
  if (p != nullptr) p[threadIdx.x] = 1;
}
__global__ void with_shared(int* p) {
  extern __shared__ int buffer[];
  buffer[threadIdx.x] = 1;
  __syncthreads();
  if (p != nullptr) p[threadIdx.x] = buffer[0];
}
__global__ void __launch_bounds__(128) bounded(int* p) {
  if (p != nullptr) *p = 1;
}
__global__ void trap() { asm("trap;"); }
void NoKernel() {}

int *device, *pinned, *managed;
std::vector<int> vector(1000);
int* host = vector.data();
void* pointer = &pointer;
int value;
size_t size;
float milliseconds;
cudaDeviceProp properties;
cudaFuncAttributes attributes;

void Copies() {
  SHOW(cudaMemcpy(device, host, 1 << 26, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy(host, device, 1 << 30, cudaMemcpyDeviceToHost));
  SHOW(cudaMemcpy(device, host, 64, cudaMemcpyDeviceToHost));
  SHOW(cudaMemcpy(host, device, 64, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy(host, host + 20, 64, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy(host, host + 20, 64, cudaMemcpyDeviceToHost));
  SHOW(cudaMemcpy(host, host + 20, 64, cudaMemcpyDeviceToDevice));
  SHOW(cudaMemcpy(host, host + 20, 64, cudaMemcpyDefault));
  SHOW(cudaMemcpy(device, host, 64, cudaMemcpyHostToHost));
  SHOW(cudaMemcpy(host, device, 64, cudaMemcpyHostToHost));
  SHOW(cudaMemcpy(host, device, 64, cudaMemcpyDeviceToDevice));
  SHOW(cudaMemcpy(device, host, 64, cudaMemcpyDeviceToDevice));
  SHOW(cudaMemcpy(device, device, 64, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy(device, device, 64, cudaMemcpyDeviceToHost));
  SHOW(cudaMemcpy(device, host, 64, static_cast<cudaMemcpyKind>(7)));
  SHOW(cudaMemcpy(device, nullptr, 64, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy(nullptr, host, 64, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy(nullptr, host, 0, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy(pinned, device, 64, cudaMemcpyDeviceToHost));
  SHOW(cudaMemcpy(pinned, host, 64, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy(managed, device, 64, cudaMemcpyDeviceToHost));
  SHOW(cudaMemcpy(managed, host, 64, cudaMemcpyDeviceToHost));
  SHOW(cudaMemcpy(host, managed, 64, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpyAsync(device, host, 64, cudaMemcpyDeviceToHost, nullptr));
  SHOW(cudaMemcpyAsync(device, host, 1 << 26, cudaMemcpyHostToDevice, nullptr));
  SHOW(cudaMemcpy2D(device, 4, host, 4, 8, 2, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy2D(device, 8, host, 8, 8, 100, cudaMemcpyHostToDevice));
  SHOW(cudaMemset2D(device, 4, 0, 8, 2));
  SHOW(cudaMemset(nullptr, 0, 4));
  SHOW(cudaMemset(nullptr, 0, 0));
  SHOW(cudaMemset(host, 0, 64));
  SHOW(cudaMemset(device, 0, 1 << 30));
  SHOW(cudaMemset(pinned, 0, 64));
  SHOW(cudaMemcpyToSymbol(variable, host, 17));
  SHOW(cudaMemcpyToSymbol(variable, host, 4, 14));
  SHOW(cudaMemcpyToSymbol(variable, host, 4, 0, cudaMemcpyDeviceToHost));
  SHOW(cudaMemcpyFromSymbol(host, constant, 4, 0, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpyToSymbol(vector, host, 4));
  SHOW(cudaGetSymbolSize(&size, vector));
  SHOW(cudaGetSymbolAddress(&pointer, vector));
}

void Allocations() {
  SHOW(cudaMalloc(static_cast<void**>(nullptr), 4));
  SHOW(cudaMalloc(&pointer, 0));
  SHOW(cudaMalloc(&pointer, size_t{1} << 60));
  SHOW(cudaMallocManaged(&pointer, 0));
  SHOW(cudaMallocHost(&pointer, 0));
  SHOW(cudaFree(device + 2));
  SHOW(cudaFree(pinned));
  SHOW(cudaFree(host));
  SHOW(cudaFree(reinterpret_cast<void*>(0x1234)));
  SHOW(cudaFreeHost(device));
  SHOW(cudaFreeHost(managed));
  SHOW(cudaFreeHost(host));
  SHOW(cudaFreeHost(nullptr));
  cudaMalloc(&pointer, 64);
  SHOW(cudaFree(pointer));
  SHOW(cudaFree(pointer));
  SHOW(cudaHostGetDevicePointer(&pointer, host, 0));
  SHOW(cudaHostGetDevicePointer(&pointer, pinned, 0));
  SHOW(cudaHostUnregister(host));
  SHOW(cudaHostRegister(host, 4000, 0));
  SHOW(cudaHostRegister(host, 4000, 0));
  SHOW(cudaHostUnregister(host));
  cudaPointerAttributes where;
  for (void* each : {static_cast<void*>(host), static_cast<void*>(device), static_cast<void*>(managed),
                     static_cast<void*>(pinned), static_cast<void*>(nullptr)}) {
    SHOW(cudaPointerGetAttributes(&where, each));
    std::printf("type %d device %d, device pointer %d, host pointer %d\n", where.type, where.device,
                where.devicePointer != nullptr, where.hostPointer != nullptr);
  }
#if CUDART_VERSION >= 13000
  cudaMemLocation here{cudaMemLocationTypeDevice, 0};
  SHOW(cudaMemPrefetchAsync(device, 64, here, 0));
  SHOW(cudaMemPrefetchAsync(managed, 64, here, 0));
  SHOW(cudaMemPrefetchAsync(managed, 1 << 28, here, 0));
#endif
}

void Launches() {
  LAUNCH((plain<<<1, 1025>>>(device)));
  LAUNCH((plain<<<0, 1>>>(device)));
  LAUNCH((plain<<<1, 0>>>(device)));
  LAUNCH((plain<<<dim3(1, 65536), 1>>>(device)));
  LAUNCH((plain<<<1, dim3(1, 1, 65)>>>(device)));
  LAUNCH((bounded<<<1, 256>>>(device)));
  LAUNCH((with_shared<<<1, 32, 49153>>>(nullptr)));
  LAUNCH((with_shared<<<1, 32, 1 << 20>>>(nullptr)));
  SHOW(cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20));
  SHOW(cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
  LAUNCH((with_shared<<<1, 32, 65536>>>(nullptr)));
  const void* none = reinterpret_cast<const void*>(NoKernel);
  const void* kernel = reinterpret_cast<const void*>(plain);
  void* arguments[] = {&device};
  SHOW(cudaLaunchKernel(none, dim3(1), dim3(1), arguments, 0, nullptr));
  SHOW(cudaFuncGetAttributes(&attributes, none));
  SHOW(cudaFuncSetAttribute(none, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
  SHOW(cudaLaunchCooperativeKernel(kernel, dim3(100000), dim3(1024), arguments, 0, nullptr));
  SHOW(cudaLaunchCooperativeKernel(kernel, dim3(1), dim3(1025), arguments, 0, nullptr));
  SHOW(cudaFuncGetAttributes(&attributes, bounded));
  std::printf("at most %d threads\n", attributes.maxThreadsPerBlock);
  SHOW(cudaFuncGetAttributes(&attributes, plain));
  std::printf("dynamic shared %d, carveout %d\n", attributes.maxDynamicSharedSizeBytes,
              attributes.preferredShmemCarveout);
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, plain, 2048, 0));
  std::printf("%d blocks\n", value);
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, plain, 256, 1 << 20));
  std::printf("%d blocks\n", value);
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, plain, 0, 0));
}

void EventsAndStreams() {
  cudaEvent_t start, stop, untimed;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming);
  SHOW(cudaEventElapsedTime(&milliseconds, start, stop));
  SHOW(cudaEventQuery(start));
  SHOW(cudaEventSynchronize(start));
  cudaEventRecord(start);
  SHOW(cudaEventElapsedTime(&milliseconds, start, stop));
  cudaEventRecord(stop);
  cudaEventRecord(untimed);
  cudaDeviceSynchronize();
  SHOW(cudaEventElapsedTime(&milliseconds, start, stop));
  SHOW(cudaEventElapsedTime(nullptr, start, stop));
  SHOW(cudaEventElapsedTime(&milliseconds, untimed, stop));
  SHOW(cudaEventRecord(nullptr));
  SHOW(cudaEventDestroy(nullptr));
  SHOW(cudaEventDestroy(untimed));
  SHOW(cudaStreamDestroy(nullptr));
  cudaStream_t stream;
  SHOW(cudaStreamCreateWithFlags(&stream, 99));
  SHOW(cudaStreamCreate(nullptr));
}

void Devices() {
  SHOW(cudaSetDevice(1000));
  SHOW(cudaSetDevice(-1));
  SHOW(cudaGetDeviceProperties(&properties, 77));
  SHOW(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0));
  SHOW(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0));
  SHOW(cudaGetDeviceCount(nullptr));
  SHOW(cudaDeviceSetLimit(static_cast<cudaLimit>(99), 5));
  SHOW(cudaDeviceGetLimit(&size, cudaLimitDevRuntimeSyncDepth));
  SHOW(cudaDeviceCanAccessPeer(&value, 0, 0));
  SHOW(cudaDeviceEnablePeerAccess(0, 0));
  SHOW(cudaDeviceReset());
  SHOW(cudaMemset(device, 0, 64));
}

void AfterAFault() {
  LAUNCH((trap<<<1, 1>>>()));
  SHOW(cudaDeviceSynchronize());
  SHOW(cudaDeviceSynchronize());
  SHOW(cudaMalloc(&pointer, 4));
  SHOW(cudaMemcpy(host, device, 16, cudaMemcpyDeviceToHost));
  LAUNCH((plain<<<1, 1>>>(device)));
  SHOW(cudaFree(device));
  SHOW(cudaGetDeviceCount(&value));
  SHOW(cudaGetDevice(&value));
  SHOW(cudaSetDevice(0));
  SHOW(cudaGetDeviceProperties(&properties, 0));
  SHOW(cudaDeviceReset());
  SHOW(cudaMalloc(&pointer, 4));
  SHOW(cudaDeviceSynchronize());
}

}  // namespace

int main(int argc, char**) {
  cudaMalloc(&device, 64);
  cudaMallocHost(&pinned, 64);
  cudaMallocManaged(&managed, 64);
  if (argc > 1) {
    AfterAFault();
    return 0;
  }
  Copies();
  Allocations();
  Launches();
  EventsAndStreams();
  Devices();
  return 0;
}
