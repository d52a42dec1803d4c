// SPDX-License-Identifier: Apache-2.0
// What one forwarded runtime call costs: its round trip to the device process. Prints, for each call, its
// name and the median of the batches' mean time in microseconds, separated by a tab.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int kBatches = 21, kCallsPerBatch = 2000;

void Check(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(status));
  std::exit(1);
}

template <class Call>
void Measure(const char* name, Call call, int calls = kCallsPerBatch) {
  std::vector<double> means;
  for (int batch = 0; batch < kBatches; ++batch) {
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) Check(call(), name);
    std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - start;
    means.push_back(taken.count() / calls);
  }
  std::nth_element(means.begin(), means.begin() + kBatches / 2, means.end());
  std::printf("%s\t%.2f\n", name, means[kBatches / 2]);
}

__global__ void nothing() {}

}  // namespace

int main() {
  constexpr size_t kLarge = size_t{64} << 20;
  char* device = nullptr;
  std::vector<char> host(kLarge);
  Check(cudaMalloc(&device, kLarge), "cudaMalloc");
  Measure("cudaStreamQuery", [] { return cudaStreamQuery(nullptr); });
  Measure("cudaMemset of 4 bytes", [&] { return cudaMemset(device, 0, 4); });
  Measure("cudaMemcpy of 4 bytes to the device",
          [&] { return cudaMemcpy(device, host.data(), 4, cudaMemcpyHostToDevice); });
  Measure("cudaMemcpy of 4 bytes to the host",
          [&] { return cudaMemcpy(host.data(), device, 4, cudaMemcpyDeviceToHost); });
  Measure("launch of an empty kernel of one thread", [] {
    nothing<<<1, 1>>>();
    return cudaGetLastError();
  });
  Measure(
      "cudaMemcpy of 64 MiB to the device",
      [&] { return cudaMemcpy(device, host.data(), kLarge, cudaMemcpyHostToDevice); }, 1);
  Measure(
      "cudaMemcpy of 64 MiB to the host",
      [&] { return cudaMemcpy(host.data(), device, kLarge, cudaMemcpyDeviceToHost); }, 1);
  Check(cudaFree(device), "cudaFree");
  return 0;
}
