// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace warplings {

/// `from` replaced by `to`, wherever it stands; what was put in is not looked at again.
std::string ReplaceAll(std::string text, std::string_view from, std::string_view to);

}  // namespace warplings
