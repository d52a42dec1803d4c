// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace warplings {

/// Replaces every occurrence of `from` by `to`. Inserted text is not searched again.
std::string ReplaceAll(std::string text, std::string_view from, std::string_view to);

}  // namespace warplings
