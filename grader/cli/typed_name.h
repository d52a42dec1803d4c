// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace warplings {

/// How the user called this program, "./warplings" or "warplings": what a message tells to type must work
/// when it is typed. The launcher hands its own name on as the first word of the command line.
const std::string& TypedName();
void SetTypedName(const char* first_word);

/// `text` with each "warplings COMMAND" in it spelled as it has to be typed here.
std::string AsTyped(std::string text);

}  // namespace warplings
