// SPDX-License-Identifier: Apache-2.0
// Run with two devices, an sm_80 or later and another: each thread has its current device, memory and
// handles know theirs. Prints one line for each expectation that does not hold.
#include <cstdio>
#include <cstring>
#include <thread>

#include "expect.h"

namespace {

__device__ int variable = 5;
__global__ void add(int* data, int value) { data[threadIdx.x] += value + variable; }
__global__ void count(int* counter) { atomicAdd(counter, 1); }
__global__ void copy(int* target, const int* source) { target[threadIdx.x] = source[threadIdx.x]; }
__global__ void write(int* data, int value) { data[threadIdx.x] = value; }

int CurrentDevice() {
  int device = -1;
  OK(cudaGetDevice(&device));
  return device;
}

int FirstOf(const int* data) {
  int first = -1;
  OK(cudaMemcpy(&first, data, sizeof first, cudaMemcpyDefault));
  return first;
}

void Queries() {
  int count = 0, value = 0, other = 0;
  OK(cudaGetDeviceCount(&count));
  EXPECT(count == 2);
  cudaDeviceProp first, second;
  OK(cudaGetDeviceProperties(&first, 0));
  OK(cudaGetDeviceProperties(&second, 1));
  EXPECT(std::strcmp(first.name, second.name) != 0);
  EXPECT(first.pciBusID != second.pciBusID);
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
  OK(cudaDeviceGetAttribute(&other, cudaDevAttrMultiProcessorCount, 1));
  EXPECT(value == first.multiProcessorCount && other == second.multiProcessorCount);
  FAILS(cudaGetDeviceProperties(&first, 2), cudaErrorInvalidDevice);
  FAILS(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 2), cudaErrorInvalidDevice);
  FAILS(cudaSetDevice(2), cudaErrorInvalidDevice);
  FAILS(cudaSetDevice(-1), cudaErrorInvalidDevice);
  FAILS(cudaInitDevice(2, 0, 0), cudaErrorInvalidDevice);
  OK(cudaInitDevice(1, 0, 0));
  EXPECT(CurrentDevice() == 0);
  OK(cudaDeviceCanAccessPeer(&value, 0, 1));
  EXPECT(value == 1);
  OK(cudaDeviceCanAccessPeer(&value, 1, 1));
  EXPECT(value == 0);
  FAILS(cudaDeviceCanAccessPeer(&value, 0, 2), cudaErrorInvalidDevice);
  OK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1));
  EXPECT(value == 1);
  OK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrNativeAtomicSupported, 1, 0));
  EXPECT(value == 1);
  OK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrPerformanceRank, 0, 1));
  EXPECT(value == 0);
  FAILS(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0), cudaErrorInvalidDevice);
  FAILS(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 2), cudaErrorInvalidDevice);
  FAILS(cudaDeviceGetP2PAttribute(nullptr, cudaDevP2PAttrAccessSupported, 0, 1), cudaErrorInvalidValue);
  char bus[2][16];
  OK(cudaDeviceGetPCIBusId(bus[0], sizeof bus[0], 0));
  OK(cudaDeviceGetPCIBusId(bus[1], sizeof bus[1], 1));
  EXPECT(std::strcmp(bus[0], bus[1]) != 0);
}

void ThreadsHaveTheirOwn() {
  OK(cudaSetDevice(1));
  int seen = -1;
  std::thread([&] { seen = CurrentDevice(); }).join();
  EXPECT(seen == 0);
  std::thread([] { OK(cudaSetDevice(0)); }).join();
  EXPECT(CurrentDevice() == 1);
  OK(cudaSetDevice(0));
}

void MemoryAndLaunches() {
  int* data[2];
  for (int device = 0; device < 2; ++device) {
    OK(cudaSetDevice(device));
    OK(cudaMalloc(&data[device], 32 * sizeof(int)));
    OK(cudaMemset(data[device], 0, 32 * sizeof(int)));
    add<<<1, 32>>>(data[device], 10 * (device + 1));
    OK(cudaGetLastError());
  }
  OK(cudaDeviceSynchronize());
  cudaPointerAttributes attributes;
  for (int device = 0; device < 2; ++device) {
    OK(cudaPointerGetAttributes(&attributes, data[device] + 3));
    EXPECT(attributes.device == device && attributes.type == cudaMemoryTypeDevice);
  }
  // Device 1 is current; copies go by their addresses all the same.
  EXPECT(FirstOf(data[0]) == 15 && FirstOf(data[1]) == 25);
  OK(cudaMemcpy(data[0], data[1], 64, cudaMemcpyDeviceToDevice));
  EXPECT(FirstOf(data[0]) == 25);
  int value = 77;
  OK(cudaMemcpy(data[0], &value, sizeof value, cudaMemcpyHostToDevice));
  OK(cudaMemcpyPeer(data[1], 1, data[0], 0, sizeof value));
  EXPECT(FirstOf(data[1]) == 77);
  FAILS(cudaMemcpyPeer(data[1], 1, data[0], 2, 4), cudaErrorInvalidDevice);
  cudaMemcpy3DPeerParms box = {};
  box.srcPtr = make_cudaPitchedPtr(data[0], sizeof value, 1, 1);
  box.dstPtr = make_cudaPitchedPtr(data[1], sizeof value, 1, 1);
  box.dstDevice = 1;
  box.extent = make_cudaExtent(sizeof value, 1, 1);
  OK(cudaMemcpy3DPeer(&box));
  box.srcDevice = 2;
  FAILS(cudaMemcpy3DPeer(&box), cudaErrorInvalidDevice);
  // Each device has its own copy of a variable.
  value = 100;
  OK(cudaMemcpyToSymbol(variable, &value, sizeof value));
  OK(cudaMemcpyFromSymbol(&value, variable, sizeof value));
  EXPECT(value == 100);
  OK(cudaSetDevice(0));
  OK(cudaMemcpyFromSymbol(&value, variable, sizeof value));
  EXPECT(value == 5);
  OK(cudaFree(data[1]));
  FAILS(cudaFree(data[1]), cudaErrorInvalidValue);
  OK(cudaFree(data[0]));
}

void SharedMemoryIsEveryDevices() {
  int *managed, *pinned;
  OK(cudaMallocManaged(&managed, 32 * sizeof(int)));
  OK(cudaMallocHost(&pinned, 32 * sizeof(int)));
  for (int device = 0; device < 2; ++device) {
    OK(cudaSetDevice(device));
    write<<<1, 32>>>(managed, 7 + device);
    write<<<1, 32>>>(pinned, 9 + device);
    OK(cudaDeviceSynchronize());
    EXPECT(managed[31] == 7 + device && pinned[31] == 9 + device);
  }
  OK(cudaFree(managed));  // Device 1 is current.
  OK(cudaFreeHost(pinned));
  OK(cudaSetDevice(0));
}

void StreamsAndEvents() {
  cudaStream_t stream[2];
  cudaEvent_t event[2];
  int* data[2];
  for (int device = 0; device < 2; ++device) {
    OK(cudaSetDevice(device));
    OK(cudaStreamCreateWithFlags(&stream[device], cudaStreamNonBlocking));
    OK(cudaEventCreate(&event[device]));
    OK(cudaMalloc(&data[device], 32 * sizeof(int)));
  }
#if CUDART_VERSION >= 12080
  int device = -1;
  OK(cudaStreamGetDevice(stream[0], &device));
  EXPECT(device == 0);
#endif
  // Device 1 is current. Kernels and events stay on their device, copies may cross.
  write<<<1, 32, 0, stream[0]>>>(data[0], 1);
  EXPECT(cudaGetLastError() == cudaErrorInvalidResourceHandle);
  FAILS(cudaEventRecord(event[0], stream[1]), cudaErrorInvalidResourceHandle);
  write<<<1, 32, 0, stream[1]>>>(data[1], 3);
  OK(cudaGetLastError());
  OK(cudaEventRecord(event[1], stream[1]));
  OK(cudaStreamWaitEvent(stream[0], event[1], 0));
  OK(cudaMemcpyAsync(data[0], data[1], 128, cudaMemcpyDeviceToDevice, stream[0]));
  OK(cudaStreamSynchronize(stream[0]));
  EXPECT(FirstOf(data[0]) == 3);
  OK(cudaEventRecord(event[0], stream[0]));
  OK(cudaEventSynchronize(event[0]));
  float milliseconds = 0;
  FAILS(cudaEventElapsedTime(&milliseconds, event[0], event[1]), cudaErrorInvalidResourceHandle);
  for (int i = 0; i < 2; ++i) {
    OK(cudaStreamDestroy(stream[i]));
    OK(cudaEventDestroy(event[i]));
    OK(cudaFree(data[i]));
  }
  OK(cudaSetDevice(0));
}

void AResetIsOneDevices() {
  int* data[2];
  for (int device = 0; device < 2; ++device) {
    OK(cudaSetDevice(device));
    OK(cudaMalloc(&data[device], 128));
    OK(cudaMemset(data[device], 0, 128));
  }
  OK(cudaDeviceReset());
  FAILS(cudaFree(data[1]), cudaErrorInvalidValue);
  EXPECT(FirstOf(data[0]) == 0);
  OK(cudaMalloc(&data[1], 128));
  write<<<1, 32>>>(data[1], 4);
  EXPECT(FirstOf(data[1]) == 4);
  OK(cudaFree(data[0]));
  OK(cudaFree(data[1]));
  OK(cudaSetDevice(0));
}

void PeerAccessIsEnabledInOneDirection() {
  OK(cudaSetDevice(0));
  FAILS(cudaDeviceEnablePeerAccess(1, 1), cudaErrorInvalidValue);
  FAILS(cudaDeviceEnablePeerAccess(2, 0), cudaErrorInvalidDevice);
  FAILS(cudaDeviceEnablePeerAccess(-1, 0), cudaErrorInvalidDevice);
  FAILS(cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessUnsupported);
  FAILS(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
  FAILS(cudaDeviceDisablePeerAccess(2), cudaErrorInvalidDevice);
  OK(cudaDeviceEnablePeerAccess(1, 0));
  FAILS(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
  OK(cudaSetDevice(1));
  FAILS(cudaDeviceDisablePeerAccess(0), cudaErrorPeerAccessNotEnabled);
  OK(cudaDeviceEnablePeerAccess(0, 0));
  OK(cudaDeviceDisablePeerAccess(0));
  FAILS(cudaDeviceDisablePeerAccess(0), cudaErrorPeerAccessNotEnabled);
  // A reset ends it for both.
  OK(cudaDeviceEnablePeerAccess(0, 0));
  OK(cudaDeviceReset());
  FAILS(cudaDeviceDisablePeerAccess(0), cudaErrorPeerAccessNotEnabled);
  OK(cudaSetDevice(0));
  FAILS(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
}

/// Memory that is there before access is enabled, and memory that comes later.
void KernelsUseTheOthersMemory() {
  int *early, *late, *own, *there;
  OK(cudaSetDevice(1));
  OK(cudaMalloc(&early, 128));
  write<<<1, 32>>>(early, 5);
  OK(cudaDeviceSynchronize());
  OK(cudaSetDevice(0));
  OK(cudaDeviceEnablePeerAccess(1, 0));
  OK(cudaSetDevice(1));
  OK(cudaMalloc(&late, 128));
  OK(cudaMemset(late, 0, 128));
  OK(cudaGetSymbolAddress(reinterpret_cast<void**>(&there), variable));
  OK(cudaDeviceSynchronize());
  OK(cudaSetDevice(0));
  OK(cudaMalloc(&own, 128));
  for (int pass = 0; pass < 2; ++pass) {
    copy<<<1, 32>>>(own, early);
    OK(cudaDeviceSynchronize());
    EXPECT(FirstOf(own) == 5 + pass);
    OK(cudaSetDevice(1));
    write<<<1, 32>>>(early, 6 + pass);  // The next pass sees it.
    OK(cudaDeviceSynchronize());
    OK(cudaSetDevice(0));
  }
  count<<<4, 32>>>(late);
  count<<<1, 1>>>(there);
  OK(cudaDeviceSynchronize());
  EXPECT(FirstOf(late) == 128 && FirstOf(there) == 6);
  OK(cudaDeviceDisablePeerAccess(1));
  for (int* pointer : {early, late, own}) OK(cudaFree(pointer));
}

/// A kernel on device 1 uses memory of device 0, and must not.
void MisusePeerAccess(const char* how) {
  int* data;
  OK(cudaMalloc(&data, 128));
  OK(cudaSetDevice(1));
  if (std::strcmp(how, "reach") != 0) OK(cudaDeviceEnablePeerAccess(0, 0));
  if (std::strcmp(how, "disabled") == 0) OK(cudaDeviceDisablePeerAccess(0));
  if (std::strcmp(how, "freed") == 0) OK(cudaFree(data));
  if (std::strncmp(how, "race", 4) == 0) {
    // Device 0 writes in its default stream, and nobody waits; or an event says when it has.
    OK(cudaSetDevice(0));
    cudaEvent_t written;
    OK(cudaEventCreate(&written));
    write<<<1, 32>>>(data, 3);
    OK(cudaEventRecord(written));
    OK(cudaSetDevice(1));
    if (std::strcmp(how, "race_avoided") == 0) OK(cudaStreamWaitEvent(nullptr, written, 0));
    if (std::strcmp(how, "race_copied") == 0) OK(cudaMemcpyPeer(data + 16, 0, data, 0, 64));
    count<<<1, 1>>>(data);
    OK(cudaDeviceSynchronize());
    return;
  }
  if (std::strcmp(how, "unset") == 0) {
    int* own;
    OK(cudaMalloc(&own, 128));
    copy<<<1, 32>>>(own, data);
    cudaDeviceSynchronize();
    return;
  }
  write<<<1, 32>>>(std::strcmp(how, "beyond") == 0 ? data + 1 : data, 1);
  cudaDeviceSynchronize();
}

}  // namespace

int main(int argc, char** argv) {
  Queries();
  ThreadsHaveTheirOwn();
  MemoryAndLaunches();
  SharedMemoryIsEveryDevices();
  StreamsAndEvents();
  AResetIsOneDevices();
  PeerAccessIsEnabledInOneDirection();
  KernelsUseTheOthersMemory();
  if (argc > 1) MisusePeerAccess(argv[1]);
  return failed != 0;
}
