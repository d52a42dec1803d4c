// SPDX-License-Identifier: Apache-2.0
// Memory of cudaHostRegister is pinned: copies take place when their stream gets there. Prints one line for
// each expectation that does not hold, and at the end "right". An H200 with CUDA 13.0 gives the same. With an
// argument, it shows what a mistake does.
#include <sys/mman.h>

#include <cstring>
#include <vector>

#include "expect.h"

namespace {

__global__ void twice(int* to, const int* from, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) to[i] = 2 * from[i];
}

cudaStream_t stream;
int* device;

struct Fill {
  int* at;
  int n, value;
};
void CUDART_CB FillNow(void* data) {
  const Fill& fill = *static_cast<Fill*>(data);
  for (int i = 0; i < fill.n; ++i) fill.at[i] = fill.value;
}

bool AllAre(const int* at, int n, int value) {
  for (int i = 0; i < n; ++i)
    if (at[i] != value) return false;
  return true;
}

/// A host function fills `host`, a copy takes it to the device, a kernel doubles it, a copy brings it back,
/// and a host function saves what it sees there.
void RoundTrip(int* host, int n) {
  Fill first{host, n, 7}, last{host, n, 9};
  std::vector<int> seen(n);
  struct Save {
    int* to;
    const int* from;
    int n;
  } save{seen.data(), host, n};
  OK(cudaLaunchHostFunc(stream, FillNow, &first));
  OK(cudaMemcpyAsync(device, host, n * sizeof(int), cudaMemcpyHostToDevice, stream));
  OK(cudaLaunchHostFunc(stream, FillNow, &last));
  twice<<<1, 128, 0, stream>>>(device, device, n);
  OK(cudaMemcpyAsync(host, device, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
  OK(cudaLaunchHostFunc(
      stream,
      [](void* data) {
        const Save& it = *static_cast<Save*>(data);
        std::memcpy(it.to, it.from, it.n * sizeof(int));
      },
      &save));
  OK(cudaStreamSynchronize(stream));
  EXPECT(AllAre(host, n, 14));
  EXPECT(AllAre(seen.data(), n, 14));
}

void Ordered() {
  std::vector<int> heap(5000, 1);
  OK(cudaHostRegister(heap.data(), heap.size() * sizeof(int), cudaHostRegisterDefault));
  EXPECT(AllAre(heap.data(), 5000, 1));
  RoundTrip(heap.data(), 5000);
  RoundTrip(heap.data() + 1000, 3000);
  OK(cudaHostUnregister(heap.data()));
  EXPECT(AllAre(heap.data() + 1000, 3000, 14));

  static int fixed[3000];
  OK(cudaHostRegister(fixed, sizeof fixed, cudaHostRegisterPortable));
  RoundTrip(fixed, 3000);
  OK(cudaHostUnregister(fixed));
  EXPECT(AllAre(fixed, 3000, 14));

  int local[700] = {};
  OK(cudaHostRegister(local, sizeof local, cudaHostRegisterMapped));
  RoundTrip(local, 700);
  OK(cudaHostUnregister(local));
  EXPECT(AllAre(local, 700, 14));
}

/// Ranges that share pages, with what is nobody's in between.
void SharedPages() {
  constexpr int kWords = 1500;
  std::vector<int> all(3 * kWords + 2, 5);
  int* parts[3] = {all.data(), all.data() + kWords + 1, all.data() + 2 * kWords + 2};
  for (int i : {0, 2, 1}) OK(cudaHostRegister(parts[i], kWords * sizeof(int), 0));
  FAILS(cudaHostRegister(parts[1] + 100, 400, 0), cudaErrorHostMemoryAlreadyRegistered);
  FAILS(cudaHostUnregister(parts[1] + 1), cudaErrorInvalidValue);
  FAILS(cudaMemcpyAsync(device, parts[1] + 1400, 800, cudaMemcpyHostToDevice, stream), cudaErrorInvalidValue);
  OK(cudaMemcpyAsync(device, parts[1], 400, cudaMemcpyDeviceToDevice, stream));
  for (int* part : parts) RoundTrip(part, kWords);
  OK(cudaHostUnregister(parts[2]));
  EXPECT(AllAre(parts[2], kWords, 14));
  OK(cudaHostUnregister(parts[0]));
  RoundTrip(parts[1], kWords);
  OK(cudaHostUnregister(parts[1]));
  EXPECT(AllAre(parts[0], kWords, 14) && all[kWords] == 5 && all[2 * kWords + 1] == 5);
}

void RowsAndFills() {
  std::vector<int> host(64 * 64, 3);
  const size_t pitch = 64 * sizeof(int);
  OK(cudaHostRegister(host.data(), host.size() * sizeof(int), 0));
  OK(cudaMemcpy2DAsync(device, 32 * sizeof(int), host.data() + 8, pitch, 32 * sizeof(int), 64,
                       cudaMemcpyHostToDevice, stream));
  twice<<<1, 128, 0, stream>>>(device, device, 32 * 64);
  OK(cudaMemcpy2DAsync(host.data() + 8, pitch, device, 32 * sizeof(int), 32 * sizeof(int), 64,
                       cudaMemcpyDeviceToHost, stream));
  OK(cudaStreamSynchronize(stream));
  for (int row = 0; row < 64; ++row) {
    EXPECT(AllAre(&host[row * 64], 8, 3) && AllAre(&host[row * 64 + 8], 32, 6) &&
           AllAre(&host[row * 64 + 40], 24, 3));
  }
  OK(cudaMemsetAsync(host.data(), 1, host.size() * sizeof(int), stream));
  OK(cudaStreamSynchronize(stream));
  EXPECT(AllAre(host.data(), 64 * 64, 0x01010101));
  OK(cudaHostUnregister(host.data()));
}

void InAGraph() {
  std::vector<int> host(2000, 2);
  OK(cudaHostRegister(host.data(), 2000 * sizeof(int), 0));
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  OK(cudaMemcpyAsync(device, host.data(), 2000 * sizeof(int), cudaMemcpyHostToDevice, stream));
  twice<<<1, 128, 0, stream>>>(device, device, 2000);
  OK(cudaMemcpyAsync(host.data(), device, 2000 * sizeof(int), cudaMemcpyDeviceToHost, stream));
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaGraphInstantiate(&ready, graph, 0));
  for (int i = 0; i < 3; ++i) OK(cudaGraphLaunch(ready, stream));
  OK(cudaStreamSynchronize(stream));
  EXPECT(AllAre(host.data(), 2000, 16));
  OK(cudaGraphExecDestroy(ready));
  OK(cudaGraphDestroy(graph));
  OK(cudaHostUnregister(host.data()));
}

void Attributes() {
  std::vector<int> host(3000, 4);
  cudaPointerAttributes attributes;
  OK(cudaPointerGetAttributes(&attributes, host.data() + 1));
  EXPECT(attributes.type == cudaMemoryTypeUnregistered);
  int* seen = nullptr;
  FAILS(cudaHostGetDevicePointer(&seen, host.data(), 0), cudaErrorInvalidValue);
  OK(cudaHostRegister(host.data(), 3000 * sizeof(int), cudaHostRegisterMapped));
  OK(cudaPointerGetAttributes(&attributes, host.data() + 1));
  EXPECT(attributes.type == cudaMemoryTypeHost && attributes.device == 0 &&
         attributes.hostPointer == host.data() + 1 && attributes.devicePointer != nullptr);
  unsigned flags = 0;
  OK(cudaHostGetFlags(&flags, host.data()));
  EXPECT(flags == cudaHostAllocMapped);
  FAILS(cudaFreeHost(host.data()), cudaErrorInvalidValue);
  OK(cudaHostGetDevicePointer(&seen, host.data() + 1000, 0));
  twice<<<1, 128, 0, stream>>>(seen, seen, 2000);
  OK(cudaStreamSynchronize(stream));
  EXPECT(AllAre(host.data(), 1000, 4) && AllAre(host.data() + 1000, 2000, 8));
  OK(cudaHostUnregister(host.data()));
  OK(cudaPointerGetAttributes(&attributes, host.data()));
  EXPECT(attributes.type == cudaMemoryTypeUnregistered);
  EXPECT(AllAre(host.data() + 1000, 2000, 8));
  FAILS(cudaHostUnregister(host.data()), cudaErrorHostMemoryNotRegistered);

  int* pinned;
  OK(cudaMallocHost(&pinned, 4096));
  FAILS(cudaHostRegister(pinned, 4096, 0), cudaErrorInvalidValue);
  FAILS(cudaHostRegister(device, 400, 0), cudaErrorInvalidValue);
  OK(cudaFreeHost(pinned));
  void* hole = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(hole, 4096);
  FAILS(cudaHostRegister(hole, 4096, 0), cudaErrorInvalidValue);
}

/// The mistake that pinned memory makes possible: the memory is refilled while its copy is pending. A card
/// may copy either value; here it is always the later one.
void RefilledTooEarly() {
  std::vector<int> host(1000, 1);
  int got = 0;
  OK(cudaHostRegister(host.data(), 4000, 0));
  OK(cudaMemcpyAsync(device, host.data(), 4000, cudaMemcpyHostToDevice, stream));
  host[500] = 2;
  OK(cudaStreamSynchronize(stream));
  OK(cudaMemcpy(&got, device + 500, sizeof got, cudaMemcpyDeviceToHost));
  OK(cudaHostUnregister(host.data()));
  std::printf("refilled: %d\n", got);
}

}  // namespace

int main(int argc, char**) {
  OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  OK(cudaMalloc(&device, 5000 * sizeof(int)));
  if (argc > 1) {
    RefilledTooEarly();
    return failed;
  }
  Ordered();
  SharedPages();
  RowsAndFills();
  InAGraph();
  Attributes();
  OK(cudaFree(device));
  OK(cudaStreamDestroy(stream));
  if (failed == 0) std::printf("right\n");
  return failed;
}
