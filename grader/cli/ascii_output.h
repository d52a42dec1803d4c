// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace warplings {

/// From here on what this process writes to stdout and stderr by the C library is put into ASCII (InAscii) on
/// its way out. For locales that are not UTF-8; files are written as they are.
void WriteAsciiOnly();

/// Writes to standard output what is somebody's text and no message of ours, byte by byte: a solution, SARIF.
void PutAsItIs(std::string_view text);

}  // namespace warplings
