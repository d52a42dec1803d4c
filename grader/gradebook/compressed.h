// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "grader/base/result.h"

namespace warplings {

/// Compresses `text` to one zstd frame. A result's JSON is 100 KB or more and very repetitive.
std::string Compress(std::string_view text);

/// Decompresses such a frame; a grader error if it is not one.
Result<std::string> Decompress(std::string_view frame);

}  // namespace warplings
