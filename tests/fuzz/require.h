// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace warplings::fuzz {

/// Maximum length of a message; a longer one probably repeats the input.
inline constexpr std::size_t kLongestMessage = 16 * 1024;

inline void Require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz target: %s\n", what);
  std::abort();
}

/// Every failure says in words what is wrong.
inline void RequireMessage(std::string_view message) {
  Require(!message.empty(), "a failure without a message");
  Require(message.size() <= kLongestMessage, "a message of more than 16 KiB");
}

}  // namespace warplings::fuzz
