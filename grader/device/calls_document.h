// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace warplings {

/// docs/device_calls.md: the rows of calls.h for readers, in Markdown.
std::string CallsDocument();

}  // namespace warplings
