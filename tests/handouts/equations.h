// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace warplings::handouts_test {

/// A calculation that stands in a page: "4 x 12 = 48", "164 KB / 128 bytes = 1,312".
struct Equation {
  std::string text;
  bool holds = false;  ///< Both sides agree, to as many digits as the less exact one shows.
};

/// All calculations of a normalised text (page.h) that are written with numbers alone.
std::vector<Equation> EquationsIn(const std::string& normalised);

}  // namespace warplings::handouts_test
