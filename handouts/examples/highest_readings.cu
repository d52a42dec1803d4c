// SPDX-License-Identifier: Apache-2.0
// Worked example of chapter 7's handout: each block keeps its own highest readings.
#include <algorithm>
#include <climits>
#include <cstdio>
#include <vector>

constexpr int kStations = 16;

// [kernel]
// highest[s] = the largest reading of station s. Before the launch, all of highest is INT_MIN.
template <int kSegment>
__global__ void highest_of(const int* station, const int* reading, int* highest, int n) {
  __shared__ int own[kStations];
  const int t = threadIdx.x;
  if (t < kStations) own[t] = INT_MIN;
  __syncthreads();  // own is set before anybody compares with it

  const int begin = blockIdx.x * kSegment;
  const int end = min(n, begin + kSegment);
  for (int i = begin + t; i < end; i += blockDim.x) {
    atomicMax(&own[station[i]], reading[i]);
  }
  __syncthreads();  // the block has seen all of its readings

  if (t < kStations) atomicMax(&highest[t], own[t]);  // the price: once for each block
}
// [end]

template <int kSegment>
bool IsRight(const int* station, const int* reading, int* highest, int n,
             const std::vector<int>& expected) {
  const std::vector<int> least(kStations, INT_MIN);
  cudaMemcpy(highest, least.data(), kStations * sizeof(int), cudaMemcpyHostToDevice);
  highest_of<kSegment><<<(n + kSegment - 1) / kSegment, 256>>>(station, reading, highest, n);
  std::vector<int> result(kStations);
  cudaMemcpy(result.data(), highest, kStations * sizeof(int), cudaMemcpyDeviceToHost);
  return result == expected;
}

int main() {
  constexpr int n = 5000;
  std::vector<int> station(n), reading(n), expected(kStations, INT_MIN);
  for (int i = 0; i < n; ++i) {
    station[i] = i * 7 % kStations;
    reading[i] = i * 193 % 1009 - 500;
    expected[station[i]] = std::max(expected[station[i]], reading[i]);
  }
  int *device_station, *device_reading, *highest;
  cudaMalloc(&device_station, n * sizeof(int));
  cudaMalloc(&device_reading, n * sizeof(int));
  cudaMalloc(&highest, kStations * sizeof(int));
  cudaMemcpy(device_station, station.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(device_reading, reading.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  const bool right = IsRight<256>(device_station, device_reading, highest, n, expected) &&
                     IsRight<8192>(device_station, device_reading, highest, n, expected);
  cudaFree(device_station);
  cudaFree(device_reading);
  cudaFree(highest);
  std::puts(right ? "ok" : "wrong");
}
