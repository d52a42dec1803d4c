// SPDX-License-Identifier: Apache-2.0
// Histogram with a private copy for each block in shared memory, and with aggregation by each thread.
#include "tests/kernels/expect.h"

constexpr int kBins = 7;

__global__ void histogram(const char* text, int length, unsigned* bins) {
  __shared__ unsigned private_bins[kBins];
  for (int bin = threadIdx.x; bin < kBins; bin += blockDim.x) private_bins[bin] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += blockDim.x * gridDim.x) {
    const int letter = text[i] - 'a';
    if (letter >= 0 && letter < 26) atomicAdd(&private_bins[letter / 4], 1);
  }
  __syncthreads();
  for (int bin = threadIdx.x; bin < kBins; bin += blockDim.x)
    if (private_bins[bin]) atomicAdd(&bins[bin], private_bins[bin]);
}

__global__ void histogram_aggregated(const char* text, int length, unsigned* bins) {
  __shared__ unsigned private_bins[kBins];
  if (threadIdx.x < kBins) private_bins[threadIdx.x] = 0u;
  __syncthreads();
  unsigned accumulated = 0;
  int previous = -1;
  const int per_thread = (length + blockDim.x * gridDim.x - 1) / (blockDim.x * gridDim.x);
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * per_thread;
  for (int i = first; i < length && i < first + per_thread; ++i) {
    const int letter = text[i] - 'a';
    if (letter < 0 || letter >= 26) continue;
    if (letter / 4 != previous) {
      if (accumulated) atomicAdd(&private_bins[previous], accumulated);
      accumulated = 0;
      previous = letter / 4;
    }
    ++accumulated;
  }
  if (accumulated) atomicAdd(&private_bins[previous], accumulated);
  __syncthreads();
  if (threadIdx.x < kBins) atomicAdd(&bins[threadIdx.x], private_bins[threadIdx.x]);
}

int main() {
  const int length = 8000;
  std::vector<char> text;
  for (int value : Integers(length, 8)) text.push_back(static_cast<char>('a' - 2 + (value & 0xffff) % 30));
  char* dtext = OnDevice(text);
  std::vector<unsigned> wanted(kBins);
  for (char c : text)
    if (c >= 'a' && c <= 'z') ++wanted[(c - 'a') / 4];
  for (auto kernel : {histogram, histogram_aggregated}) {
    unsigned* bins = OnDevice(std::vector<unsigned>(kBins));
    kernel<<<4, 96>>>(dtext, length, bins);
    FINISH();
    const auto got = FromDevice(bins, kBins);
    for (int i = 0; i < kBins; ++i) ExpectEqual("bin", i, got[i], wanted[i]);
  }
  return Result();
}
