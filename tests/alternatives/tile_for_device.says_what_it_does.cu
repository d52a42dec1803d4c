// SPDX-License-Identifier: Apache-2.0
// differs: an extra answer that prints what it finds (std::cout, std::printf, std::ostringstream) and uses std::cbrt,
// std::gcd, std::iota; the answer is the same.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <numeric>
#include <sstream>
#include <vector>

#include "tile_for_device.h"

int tile_for_device(int arrays, int element_bytes, int step) {
  int device = 0;
  cudaGetDevice(&device);
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, device);
  std::printf("%s: %zu bytes\n", p.name, p.sharedMemPerBlockOptin);

  const unsigned long long elements = p.sharedMemPerBlockOptin / (1ull * arrays * element_bytes);
  std::vector<unsigned long long> sides(1025);
  std::iota(sides.begin(), sides.end(), 0ull);
  const auto end = std::remove_if(sides.begin(), sides.end(), [=](unsigned long long side) {
    return side * side > elements || std::gcd(side, static_cast<unsigned long long>(step)) != static_cast<unsigned long long>(step);
  });
  const unsigned long long best = *std::max_element(sides.begin(), end);  // 0 is always among them

  std::ostringstream line;
  line << "tile " << best << ", cube root " << std::cbrt(static_cast<double>(best)) << '\n';
  std::cout << line.str() << std::flush;
  return static_cast<int>(best);
}
