// SPDX-License-Identifier: Apache-2.0
// Worked example of chapter 7's handout: the highest reading of each station, by blocks that keep copies.
#include <algorithm>
#include <climits>
#include <cstdio>
#include <vector>

constexpr int kStations = 16;

// [kernel]
// highest[s] = the largest reading of station s. Before the launch highest holds INT_MIN everywhere.
__global__ void highest_readings(const int* station, const int* reading, int* highest, int n, int segment) {
  __shared__ int own[kStations];
  const int t = threadIdx.x;
  if (t < kStations) own[t] = INT_MIN;
  __syncthreads();  // own is set before anybody compares with it

  const int begin = blockIdx.x * segment;
  const int end = min(n, begin + segment);
  for (int i = begin + t; i < end; i += blockDim.x) {
    atomicMax(&own[station[i]], reading[i]);
  }
  __syncthreads();  // the block has seen all of its readings

  if (t < kStations) atomicMax(&highest[t], own[t]);  // the price: once for each block
}
// [end]

int main() {
  std::vector<int> station(5000), reading(5000), expected(kStations, INT_MIN), least(kStations, INT_MIN);
  for (int i = 0; i < 5000; ++i) {
    station[i] = i * 7 % kStations;
    reading[i] = i * 193 % 1009 - 500;
    expected[station[i]] = std::max(expected[station[i]], reading[i]);
  }
  int *device_station, *device_reading, *device_highest;
  cudaMalloc(&device_station, station.size() * sizeof(int));
  cudaMalloc(&device_reading, reading.size() * sizeof(int));
  cudaMalloc(&device_highest, kStations * sizeof(int));
  cudaMemcpy(device_station, station.data(), station.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(device_reading, reading.data(), reading.size() * sizeof(int), cudaMemcpyHostToDevice);
  int wrong = 0;
  for (const int segment : {256, 1024, 8192}) {
    cudaMemcpy(device_highest, least.data(), kStations * sizeof(int), cudaMemcpyHostToDevice);
    highest_readings<<<(5000 + segment - 1) / segment, 256>>>(device_station, device_reading, device_highest,
                                                              5000, segment);
    std::vector<int> result(kStations);
    cudaMemcpy(result.data(), device_highest, kStations * sizeof(int), cudaMemcpyDeviceToHost);
    wrong += result != expected;
  }
  cudaFree(device_station);
  cudaFree(device_reading);
  cudaFree(device_highest);
  std::puts(wrong == 0 ? "ok" : "wrong");
}
