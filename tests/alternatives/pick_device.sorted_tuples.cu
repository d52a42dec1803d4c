// SPDX-License-Identifier: Apache-2.0
// differs: devices of use become tuples in a std::vector that is sorted; the first is the answer. Windows line ends.

#include <algorithm>
#include <tuple>
#include <vector>

#include "pick_device.h"

int pick_device(unsigned long long bytes) {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) return -1;

  std::vector<std::tuple<bool, long long, int>> ranking;  // integrated, minus throughput, number
  for (int d = 0; d != count; ++d) {
    cudaDeviceProp p{};
    int kilohertz = 0;
    cudaGetDeviceProperties(&p, d);
    cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, d);
    if (p.totalGlobalMem >= bytes) ranking.emplace_back(p.integrated != 0, -1LL * p.multiProcessorCount * kilohertz, d);
  }
  std::sort(ranking.begin(), ranking.end());
  return ranking.empty() ? -1 : std::get<2>(ranking.front());
}
