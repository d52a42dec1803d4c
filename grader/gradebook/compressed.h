// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "grader/base/result.h"

namespace warplings {

/// One zstd frame. A result's JSON is 100 KB and more, and says most things many times.
std::string Compress(std::string_view text);

/// Its text; a grader error for what is no such frame.
Result<std::string> Decompress(std::string_view frame);

}  // namespace warplings
