// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/message.h"

namespace warplings::when_not_to {

/// A submission's answers file, as far as it could be read. Its text is hostile input.
struct Answers {
  Message fault;  ///< Why nothing could be read, with the line; empty if it could.
  std::optional<double> sectors_per_1024_elements, idle_multiprocessors;
  std::optional<std::string> price;
  std::vector<std::string> texts{};  ///< The keys of numbers that are text: in quotes.
  Message step{};                    ///< What to do about the fault.
};

/// A key that is missing, or holds another type than it should, has no value here.
Answers ParseAnswers(std::string_view text);

inline constexpr double kSectorsPer1024 = 3 * 1024 * 4 / 32;           ///< A, B and C; 4 bytes an element.
inline constexpr double kIdleMultiprocessors = 108 - 65536 / 256 / 8;  ///< One block each on 32 of them.
inline constexpr std::string_view kPrice = "none";

}  // namespace warplings::when_not_to
