// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

namespace warplings {

// Parts of what handout-facts writes, one function for each subject; facts.cc puts them together.

/// Chapter 4: what a multiprocessor gives out and in which portions, by profile.
nlohmann::json LimitFacts();
/// Chapter 4: a scheduler with 1, 2, 4 and 8 warps that wait after each instruction.
nlohmann::json LatencyFacts();
/// Chapter 5: three trees that add up 256 elements, step by step: lanes at work, branches, conflicts.
nlohmann::json TreeFacts();
/// Chapter 5: arrangements of a tile, by how many elements a row has: the banks, and who meets in them.
nlohmann::json ArrangementFacts();

}  // namespace warplings
