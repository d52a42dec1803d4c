// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace warplings {

/// The text of docs/device_calls.md: the rows of calls.h in Markdown.
std::string CallsDocument();

}  // namespace warplings
