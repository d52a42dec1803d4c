// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "grader/build/idioms.h"
#include "grader/build/plain_code.h"

namespace warplings {

/// Numbers of blocks or phases that are meant to be rounded up, where / takes only the last part:
/// `n + T - 1 / T` and `n + (T - 1) / T`. Nothing with one of these names, which are of floats.
std::vector<Slip> FindDivisionSlips(const std::vector<CodeToken>& tokens,
                                    const std::set<std::string>& float_names);

}  // namespace warplings
