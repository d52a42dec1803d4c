// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/base/message.h"

namespace warplings {

/// A place where host code divides whole numbers, or takes a remainder.
struct HostDivision {
  int line = 0;
  std::string divisor;  ///< "unit", "round_up(...)"; empty if it is no name.
};

/// The divisions of host code that may crash: those whose divisor is neither a literal nor a constant of the
/// source that is not 0, and is not compared with 0 before in its function. A division of floats, which never
/// crashes, is left out if its text shows that it is one: a literal, a cast, a variable declared as one.
std::vector<HostDivision> FindHostDivisions(std::string_view source);

/// What to do about host code that divided by 0: names the line if only one can be meant, or the few that
/// can.
Message AdviceOnDivisionByZero(std::string_view source);

}  // namespace warplings
