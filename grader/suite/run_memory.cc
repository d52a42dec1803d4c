// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/run_memory.h"

#include <charconv>
#include <string>
#include <string_view>

#include "grader/base/sha256.h"

namespace warplings {
namespace {

/// 64 bits that say nothing of the seed to whoever has less than weeks.
std::uint64_t SlowHash(std::uint64_t seed, std::string_view purpose) {
  constexpr int kRounds = 1000;
  std::string digits = std::to_string(seed);
  for (int round = 0; round < kRounds; ++round) {
    Sha256 hash;
    hash.AddField(purpose);
    hash.AddField(digits);
    digits = hash.Finish();
  }
  constexpr std::size_t kDigitsOf64Bits = 16;
  std::uint64_t value = 0;
  std::from_chars(digits.data(), digits.data() + kDigitsOf64Bits, value, 16);
  return value;
}

}  // namespace

MemoryOptions MemoryOf(const SuiteOrder& order) {
  // 0 would be the usual addresses.
  return {.bytes = order.memory_bytes, .seed = SlowHash(order.seed, "addresses") | 1};
}

std::uint32_t PoisonOf(std::uint64_t run_seed) {
  // Quiet NaNs but those that computations and nanf("1") give: payloads of few bits, or of all.
  constexpr std::uint64_t kQuietNan = 0x7fc00000, kFirstPayload = 0x10000, kPayloads = 0x3e0000;
  return static_cast<std::uint32_t>(kQuietNan + kFirstPayload + SlowHash(run_seed, "poison") % kPayloads);
}

}  // namespace warplings
