// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace warplings {

/// Writes all of it, however many calls that takes; false, with errno, where one fails.
bool WriteAll(int fd, std::string_view text);

}  // namespace warplings
