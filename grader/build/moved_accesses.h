// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace warplings {

/// The compiler may move a load, out of a loop, say, and give it the number of an earlier line. Of an access
/// to `array` in a line that does not name it, nor access any memory: the first later line of the same
/// function that indexes it. 0 if there is none, or if the access may be that line's own.
int LineOfMovedAccess(std::string_view source, int line, const std::string& array);

}  // namespace warplings
