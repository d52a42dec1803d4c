// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/timed_shape.h"

#include <bit>

namespace warplings {
namespace {

/// Makes one value from 32 random bits.
template <class Make>
void SetFromBits(RandomValues& random, std::size_t count, std::vector<float>& values, Make make) {
  values.resize(count);
  std::size_t i = 0;
  for (; i + 1 < count; i += 2) {
    const std::uint64_t bits = random.Next();
    values[i] = make(static_cast<std::uint32_t>(bits));
    values[i + 1] = make(static_cast<std::uint32_t>(bits >> 32));
  }
  if (i < count) values[i] = make(static_cast<std::uint32_t>(random.Next()));
}

}  // namespace

void SetTimedValues(RandomValues& random, std::size_t count, std::vector<float>& values) {
  SetFromBits(random, count, values, [](std::uint32_t bits) {
    // Sign and significand as they come; the exponent of [0.5, 1).
    return std::bit_cast<float>((bits & 0x807fffffu) | 0x3f000000u);
  });
}

void SetExactSummands(RandomValues& random, std::size_t count, std::vector<float>& values) {
  SetFromBits(random, count, values, [](std::uint32_t bits) {
    // No branch: it would be mispredicted every second time.
    const float magnitude = static_cast<float>(static_cast<int>(1 + (bits & 255u))) * 0x1p-8f;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | (bits & 0x80000000u));
  });
}

}  // namespace warplings
