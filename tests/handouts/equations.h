// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace warplings::handouts_test {

/// A calculation on a page: "4 x 12 = 48", "164 KB / 128 bytes = 1,312".
struct Equation {
  std::string text;
  bool holds = false;  ///< Both sides agree, to the precision of the less precise one.
};

/// All calculations in a normalised text (page.h) that consist of numbers only.
std::vector<Equation> EquationsIn(const std::string& normalised);

}  // namespace warplings::handouts_test
