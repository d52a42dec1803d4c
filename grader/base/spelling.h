// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplings {

/// The candidate that somebody may have meant who typed `word`: the nearest by letters left out, added,
/// changed or interchanged, or one that begins with it; "" where none is near or two are equally near.
std::string MeantBy(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace warplings
