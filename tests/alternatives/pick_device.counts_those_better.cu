// SPDX-License-Identifier: Apache-2.0
// differs: looks at all pairs: the answer is the device of use that no other one of use beats; a class with operator<,
// throughput as unsigned __int128; no newline at the end.

#include <array>

#include "pick_device.h"

class Device {
 public:
  explicit Device(int number) : number_(number) {
    cudaGetDeviceProperties(&properties_, number);
    cudaDeviceGetAttribute(&clock_, cudaDevAttrClockRate, number);
  }
  bool of_use(unsigned long long bytes) const { return !(properties_.totalGlobalMem < bytes); }
  bool operator<(const Device& other) const {  // comes before it
    if (properties_.integrated != other.properties_.integrated) return properties_.integrated < other.properties_.integrated;
    if (throughput() != other.throughput()) return throughput() > other.throughput();
    return number_ < other.number_;
  }

 private:
  unsigned __int128 throughput() const { return static_cast<unsigned __int128>(properties_.multiProcessorCount) * clock_; }
  int number_;
  int clock_ = 0;
  cudaDeviceProp properties_;
};

int pick_device(unsigned long long bytes) {
  int count = 0;
  cudaGetDeviceCount(&count);
  for (int a = 0; a < count; ++a) {
    const Device mine(a);
    if (!mine.of_use(bytes)) continue;
    bool beaten = false;
    for (int b = 0; b < count; ++b) {
      const Device other(b);
      beaten |= b != a && other.of_use(bytes) && other < mine;
    }
    if (!beaten) return a;
  }
  return -1;
}