// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/seed_option.h"

#include <charconv>
#include <random>

namespace warplings {

std::uint64_t FreshSeed() {
  return std::random_device()();
}

std::string RefuseWhatIsNoSeed(const std::string& text) {
  std::uint64_t seed = 0;
  const char* end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, seed);
  return fault == std::errc() && stop == end ? "" : Words(say::typed_no_number(text, 0, "2^64 - 1"));
}

}  // namespace warplings
