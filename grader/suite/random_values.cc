// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/random_values.h"

#include <cmath>
#include <utility>

namespace warplings {

std::uint64_t RandomValues::Next() {
  state_ += 0x9e3779b97f4a7c15u;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

std::uint64_t RandomValues::Below(std::uint64_t count) {
  // The high 32 bits scaled; the bias is below count / 2^32, of no matter for choosing inputs.
  return ((Next() >> 32) * count) >> 32;
}

float RandomValues::Unit() {
  return static_cast<float>(Next() >> 40) * 0x1p-24f;
}

std::uint64_t SeedOfTest(std::uint64_t run_seed, std::string_view test) {
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a, 64 bits.
  for (const char c : test) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return RandomValues(run_seed ^ hash).Next();
}

namespace {

float WithSign(RandomValues& random, float magnitude) {
  return (random.Next() >> 63) != 0 ? -magnitude : magnitude;
}

}  // namespace

std::vector<float> SignedValues(RandomValues& random, std::size_t count) {
  std::vector<float> values(count);
  for (float& value : values) value = WithSign(random, 0.0625f + 0.9375f * random.Unit());
  return values;
}

std::vector<float> WideValues(RandomValues& random, std::size_t count) {
  std::vector<float> values(count);
  for (float& value : values) {
    const int exponent = static_cast<int>(random.Below(24)) - 12;
    value = WithSign(random, std::ldexp(1.0f + random.Unit(), exponent));
  }
  return values;
}

std::vector<float> DistinctIntegers(RandomValues& random, std::size_t count, int first) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(first + static_cast<int>(i));
  for (std::size_t i = count; i > 1; --i) std::swap(values[i - 1], values[random.Below(i)]);
  for (float& value : values) value = WithSign(random, value);
  return values;
}

}  // namespace warplings
