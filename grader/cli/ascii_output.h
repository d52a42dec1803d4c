// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace warplings {

/// From now on, converts to ASCII (ToAscii) what this process writes to stdout and stderr through the C
/// library. For locales that are not UTF-8. Files are not affected.
void WriteAsciiOnly();

/// Writes to standard output without that conversion: for text that is not a message of ours, such as a
/// solution or SARIF.
void PutAsItIs(std::string_view text);

}  // namespace warplings
