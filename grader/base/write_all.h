// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace warplings {

/// Writes all of `text`, with as many calls of write() as that takes. Returns false, with errno set, if one
/// fails.
bool WriteAll(int fd, std::string_view text);

}  // namespace warplings
