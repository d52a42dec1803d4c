// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/probe_calls.h"

#include <cmath>

namespace warplings::probing {

bool IsWhole(double value) {
  return std::fabs(value) < kLargestExact && value == std::floor(value);
}

std::vector<std::int64_t> DigitsOf(double value, const DigitScale& scale) {
  const std::int64_t base = scale.base();
  std::vector<std::int64_t> digits;
  auto rest = static_cast<std::int64_t>(value);
  for (std::int64_t i = 0; i < scale.count; ++i) {
    std::int64_t digit = ((rest % base) + base) % base;
    if (digit > base / 2) digit -= base;
    digits.push_back(digit);
    rest = (rest - digit) / base;
  }
  return digits;
}

void FillRandomly(RandomValues& random, std::span<float> values) {
  for (float& value : values) {
    const auto magnitude = static_cast<float>(1 + random.Below(60));
    value = random.Below(2) == 0 ? magnitude : -magnitude;
  }
}

ProbeMemory RandomArray(RandomValues& random, ProbeMemory memory) {
  if (memory.count == 0) return memory;
  FillRandomly(random, std::span(memory.values).subspan(ProbeMemory::kFront, memory.count));
  return memory;
}

ProbeMemory RandomSurroundings(RandomValues& random, ProbeMemory memory) {
  if (memory.count == 0) return memory;
  const std::span<float> all(memory.values);
  FillRandomly(random, all.first(ProbeMemory::kFront));
  FillRandomly(random, all.subspan(ProbeMemory::kFront + memory.count, ProbeMemory::kBack));
  return memory;
}

}  // namespace warplings::probing
