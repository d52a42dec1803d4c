// SPDX-License-Identifier: Apache-2.0
// Every host call of course programs, once right and, where that is telling, once wrong. Prints one line
// for each expectation that does not hold, and at the end how many were tried.
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

namespace {

int tried = 0, failed = 0;
#if CUDART_VERSION >= 13000
const cudaError_t kShapeError = cudaErrorInvalidValue;
#else
const cudaError_t kShapeError = cudaErrorInvalidConfiguration;
#endif

void Expect(bool holds, const char* what, int line) {
  ++tried;
  if (holds) return;
  ++failed;
  std::printf("line %d: %s\n", line, what);
}
#define EXPECT(condition) Expect((condition), #condition, __LINE__)
#define OK(call) Expect((call) == cudaSuccess, #call, __LINE__)
// The error is returned, becomes the last error, and is gone once it has been fetched.
#define FAILS(call, error)                                    \
  do {                                                        \
    Expect((call) == (error), #call, __LINE__);               \
    Expect(cudaPeekAtLastError() == (error), "peek", __LINE__); \
    Expect(cudaGetLastError() == (error), "get", __LINE__);   \
    Expect(cudaGetLastError() == cudaSuccess, "cleared", __LINE__); \
  } while (0)

__device__ int counter[4];
__constant__ float factors[8];

__global__ void scale(float* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= factors[i % 8];
}
__global__ void increment(int by) { counter[threadIdx.x] += by; }
__global__ void with_shared(int* out) {
  extern __shared__ int buffer[];
  buffer[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = buffer[blockDim.x - 1 - threadIdx.x];
}
struct Pair {
  char tag;
  double value;
};
template <class T>
__global__ void fill(T* target, Pair pair, short n) {
  for (short i = 0; i < n; ++i) target[i] = static_cast<T>(pair.value) + pair.tag;
}

void Memory() {
  float* device = nullptr;
  OK(cudaMalloc(&device, 64 * sizeof(float)));
  std::vector<float> host(64, 2.0f), back(64);
  OK(cudaMemcpy(device, host.data(), 256, cudaMemcpyHostToDevice));
  OK(cudaMemcpy(back.data(), device, 256, cudaMemcpyDefault));
  EXPECT(back == host);
  OK(cudaMemset(device, 0, 256));
  OK(cudaMemcpy(back.data(), device, 256, cudaMemcpyDeviceToHost));
  EXPECT(back[63] == 0);
  float* other = nullptr;
  OK(cudaMalloc(&other, 256));
  OK(cudaMemcpy(other, host.data(), 256, cudaMemcpyDefault));
  OK(cudaMemcpy(device, other, 256, cudaMemcpyDeviceToDevice));
  OK(cudaMemcpy(back.data(), device, 256, cudaMemcpyDeviceToHost));
  EXPECT(back == host);
  cudaPointerAttributes attributes;
  OK(cudaPointerGetAttributes(&attributes, device + 3));
  EXPECT(attributes.type == cudaMemoryTypeDevice && attributes.devicePointer == device + 3);
  OK(cudaPointerGetAttributes(&attributes, host.data()));
  EXPECT(attributes.type == cudaMemoryTypeUnregistered);
  size_t free_bytes = 0, total = 0;
  OK(cudaMemGetInfo(&free_bytes, &total));
  EXPECT(free_bytes > 0 && free_bytes < total);
  OK(cudaMemcpy(device, host.data(), 0, cudaMemcpyHostToDevice));
  OK(cudaFree(other));
  OK(cudaFree(device));
  OK(cudaFree(nullptr));
  void* none = &none;
  OK(cudaMalloc(&none, 0));
  EXPECT(none == nullptr);
  FAILS(cudaMalloc(&none, size_t{1} << 60), cudaErrorMemoryAllocation);
  FAILS(cudaMalloc(static_cast<void**>(nullptr), 4), cudaErrorInvalidValue);
}

void TwoDimensions() {
  char* device = nullptr;
  size_t pitch = 0;
  OK(cudaMallocPitch(&device, &pitch, 100, 7));
  EXPECT(pitch >= 100 && pitch % 256 == 0);
  std::vector<char> host(700), back(700);
  for (int i = 0; i < 700; ++i) host[i] = static_cast<char>(i);
  OK(cudaMemcpy2D(device, pitch, host.data(), 100, 100, 7, cudaMemcpyHostToDevice));
  OK(cudaMemcpy2D(back.data(), 100, device, pitch, 100, 7, cudaMemcpyDeviceToHost));
  EXPECT(back == host);
  OK(cudaMemset2D(device, pitch, 9, 50, 7));
  OK(cudaMemcpy2DAsync(back.data(), 100, device, pitch, 100, 7, cudaMemcpyDeviceToHost, 0));
  OK(cudaDeviceSynchronize());
  EXPECT(back[649] == 9 && back[650] == host[650]);
  FAILS(cudaMemcpy2D(device, 50, host.data(), 100, 100, 7, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
  OK(cudaFree(device));
}

void Shared() {
  int* managed = nullptr;
  OK(cudaMallocManaged(&managed, 32 * sizeof(int)));
  for (int i = 0; i < 32; ++i) managed[i] = -1;
  with_shared<<<1, 32, 32 * sizeof(int)>>>(managed);
  OK(cudaDeviceSynchronize());
  EXPECT(managed[0] == 31 && managed[31] == 0);
  cudaPointerAttributes attributes;
  OK(cudaPointerGetAttributes(&attributes, managed));
  EXPECT(attributes.type == cudaMemoryTypeManaged && attributes.hostPointer == managed);
#if CUDART_VERSION >= 13000
  OK(cudaMemPrefetchAsync(managed, 128, {cudaMemLocationTypeDevice, 0}, 0));
  OK(cudaMemAdvise(managed, 128, cudaMemAdviseSetReadMostly, {cudaMemLocationTypeDevice, 0}));
#else
  OK(cudaMemPrefetchAsync(managed, 128, 0));
  OK(cudaMemAdvise(managed, 128, cudaMemAdviseSetReadMostly, 0));
#endif
  OK(cudaFree(managed));

  int* pinned = nullptr;
  OK(cudaMallocHost(&pinned, 128));
  int* mapped = nullptr;
  OK(cudaHostGetDevicePointer(&mapped, pinned, 0));
  with_shared<<<1, 32, 128>>>(mapped);
  OK(cudaDeviceSynchronize());
  EXPECT(pinned[0] == 31);
  OK(cudaFreeHost(pinned));
  OK(cudaHostAlloc(&pinned, 128, cudaHostAllocDefault));
  OK(cudaFreeHost(pinned));
  std::vector<int> ordinary(64);
  OK(cudaHostRegister(ordinary.data(), 256, cudaHostRegisterDefault));
  OK(cudaHostUnregister(ordinary.data()));
}

void Symbols() {
  float values[8] = {1, 2, 3, 4, 5, 6, 7, 8}, back[8] = {};
  OK(cudaMemcpyToSymbol(factors, values, sizeof values));
  OK(cudaMemcpyFromSymbol(back, factors, sizeof back));
  EXPECT(std::memcmp(values, back, sizeof back) == 0);
  int zeros[4] = {};
  OK(cudaMemcpyToSymbol(counter, zeros, sizeof zeros));
  increment<<<1, 4>>>(5);
  int two[2] = {};
  OK(cudaMemcpyFromSymbol(two, counter, sizeof two, 2 * sizeof(int)));
  EXPECT(two[0] == 5 && two[1] == 5);
  void* address = nullptr;
  size_t bytes = 0;
  OK(cudaGetSymbolAddress(&address, counter));
  OK(cudaGetSymbolSize(&bytes, counter));
  EXPECT(bytes == sizeof counter);
  OK(cudaMemset(address, 0, bytes));
  OK(cudaMemcpyFromSymbolAsync(two, counter, sizeof two, 0, cudaMemcpyDeviceToHost, 0));
  OK(cudaStreamSynchronize(0));
  EXPECT(two[0] == 0);
  FAILS(cudaMemcpyToSymbol(counter, zeros, sizeof zeros, 4), cudaErrorInvalidValue);
  FAILS(cudaGetSymbolSize(&bytes, &tried), cudaErrorInvalidSymbol);
}

void Launches() {
  float* data = nullptr;
  OK(cudaMalloc(&data, 32 * sizeof(float)));
  fill<float><<<1, 1>>>(data, Pair{2, 0.5}, 32);
  OK(cudaGetLastError());
  scale<<<1, 32>>>(data, 32);
  float back[32];
  OK(cudaMemcpy(back, data, sizeof back, cudaMemcpyDeviceToHost));
  EXPECT(back[0] == 2.5f && back[9] == 5.0f);
  scale<<<1, 1056>>>(data, 32);
  EXPECT(cudaPeekAtLastError() == kShapeError);
  EXPECT(cudaGetLastError() == kShapeError);
  scale<<<0, 32>>>(data, 32);
  EXPECT(cudaGetLastError() == kShapeError);
  with_shared<<<1, 32, 100 << 10>>>(nullptr);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  OK(cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10));
  int* out = nullptr;
  OK(cudaMalloc(&out, 128));
  with_shared<<<1, 32, 100 << 10>>>(out);
  OK(cudaGetLastError());
  int n = 32;
  void* arguments[] = {&data, &n};
  OK(cudaLaunchKernel(reinterpret_cast<const void*>(scale), dim3(1), dim3(32), arguments, 0, 0));
  OK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(scale), dim3(1), dim3(32), arguments, 0, 0));
  cudaFuncAttributes attributes;
  OK(cudaFuncGetAttributes(&attributes, scale));
  EXPECT(attributes.maxThreadsPerBlock == 1024 && attributes.numRegs > 0);
  int blocks = 0, best = 0;
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 256, 0));
  EXPECT(blocks > 0);
  OK(cudaOccupancyMaxPotentialBlockSize(&blocks, &best, scale, 0, 0));
  EXPECT(best > 0 && best <= 1024);
  OK(cudaDeviceSynchronize());
  OK(cudaFree(data));
  OK(cudaFree(out));
}

void StreamsAndEvents() {
  cudaStream_t stream, other;
  OK(cudaStreamCreate(&stream));
  OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  cudaEvent_t start, stop;
  OK(cudaEventCreate(&start));
  OK(cudaEventCreateWithFlags(&stop, cudaEventDefault));
  std::vector<int> host(32);
  int* data = nullptr;
  OK(cudaMallocAsync(&data, 128, stream));
  OK(cudaEventRecord(start, stream));
  with_shared<<<1, 32, 128, stream>>>(data);
  OK(cudaEventRecord(stop, stream));
  OK(cudaStreamWaitEvent(other, stop, 0));
  OK(cudaMemcpyAsync(host.data(), data, 128, cudaMemcpyDeviceToHost, other));
  OK(cudaStreamSynchronize(other));
  EXPECT(host[0] == 31);
  OK(cudaEventSynchronize(stop));
  OK(cudaEventQuery(stop));
  OK(cudaStreamQuery(stream));
  float milliseconds = -1;
  OK(cudaEventElapsedTime(&milliseconds, start, stop));
  EXPECT(milliseconds >= 0);
  int called = 0;
  OK(cudaLaunchHostFunc(stream, [](void* flag) { *static_cast<int*>(flag) = 1; }, &called));
  OK(cudaStreamSynchronize(stream));
  EXPECT(called == 1);
  OK(cudaMemsetAsync(data, 0, 128, cudaStreamPerThread));
  OK(cudaStreamSynchronize(cudaStreamPerThread));
  OK(cudaFreeAsync(data, stream));
  OK(cudaStreamDestroy(stream));
  OK(cudaStreamDestroy(other));
  OK(cudaEventDestroy(start));
  OK(cudaEventDestroy(stop));
  int least = 1, greatest = 1;
  OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  EXPECT(greatest < least);
  OK(cudaDeviceGetStreamPriorityRange(nullptr, nullptr));
  // Beyond the range: its nearer end.
  for (int asked : {least, greatest, greatest + 1, greatest - 100, least + 100}) {
    int priority = 1000;
    OK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, asked));
    OK(cudaStreamGetPriority(stream, &priority));
    EXPECT(priority == (asked < greatest ? greatest : asked > least ? least : asked));
    OK(cudaStreamDestroy(stream));
    FAILS(cudaStreamGetPriority(stream, &priority), cudaErrorInvalidResourceHandle);
  }
  int priority = 1000;
  OK(cudaStreamGetPriority(nullptr, &priority));
  EXPECT(priority == 0);
  OK(cudaStreamCreate(&stream));
  OK(cudaStreamGetPriority(stream, &priority));
  EXPECT(priority == 0);
  FAILS(cudaStreamGetPriority(stream, nullptr), cudaErrorInvalidValue);
  OK(cudaStreamDestroy(stream));
  FAILS(cudaEventDestroy(nullptr), cudaErrorInvalidResourceHandle);
}

void Devices() {
  int count = 0, device = -1, value = 0;
  OK(cudaGetDeviceCount(&count));
  EXPECT(count == 1);
  OK(cudaSetDevice(0));
  OK(cudaGetDevice(&device));
  EXPECT(device == 0);
  cudaDeviceProp properties;
  OK(cudaGetDeviceProperties(&properties, 0));
  EXPECT(std::strcmp(properties.name, "NVIDIA A100-SXM4-40GB") == 0);
  EXPECT(properties.major == 8 && properties.minor == 0 && properties.multiProcessorCount == 108);
  EXPECT(properties.sharedMemPerMultiprocessor == 164 << 10 && properties.sharedMemPerBlockOptin == 163 << 10);
  EXPECT(properties.maxThreadsPerMultiProcessor == 2048 && properties.maxBlocksPerMultiProcessor == 32);
  EXPECT(properties.reservedSharedMemPerBlock == 1024 && properties.warpSize == 32);
  EXPECT(properties.totalGlobalMem == size_t{40} << 30 && properties.regsPerBlock == 65536);
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0));
  EXPECT(value == 164 << 10);
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrClockRate, 0));
  EXPECT(value == 1410000);
  OK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 21));
  size_t limit = 0;
  OK(cudaDeviceGetLimit(&limit, cudaLimitPrintfFifoSize));
  EXPECT(limit == 1 << 21);
  int runtime = 0, driver = 0;
  OK(cudaRuntimeGetVersion(&runtime));
  OK(cudaDriverGetVersion(&driver));
  EXPECT(runtime / 1000 == CUDART_VERSION / 1000 && driver >= runtime);
  EXPECT(std::strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);
  FAILS(cudaSetDevice(1), cudaErrorInvalidDevice);
  FAILS(cudaGetDeviceProperties(&properties, 7), cudaErrorInvalidDevice);
}

void LastErrorBelongsToItsThread() {
  EXPECT(cudaSetDevice(9) == cudaErrorInvalidDevice);
  std::thread([] { EXPECT(cudaGetLastError() == cudaSuccess); }).join();
  EXPECT(cudaGetLastError() == cudaErrorInvalidDevice);
}

void Reset() {
  void* device = nullptr;
  OK(cudaMalloc(&device, 64));
  OK(cudaDeviceReset());
  FAILS(cudaMemset(device, 0, 64), cudaErrorInvalidValue);
  increment<<<1, 4>>>(1);
  OK(cudaDeviceSynchronize());
}

}  // namespace

int main() {
  Memory();
  TwoDimensions();
  Shared();
  Symbols();
  Launches();
  StreamsAndEvents();
  Devices();
  LastErrorBelongsToItsThread();
  Reset();
  std::printf("%d of %d expectations failed\n", failed, tried);
  return failed != 0;
}
