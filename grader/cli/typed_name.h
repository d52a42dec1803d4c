// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace warplings {

/// The name by which the user called this program, "./warplings" or "warplings", so that commands in messages
/// work as printed. The launcher passes its own name on as the first word of the command line.
const std::string& TypedName();
void SetTypedName(const char* first_word);

/// `text` with every "warplings COMMAND" replaced by what the user has to type here.
std::string AsTyped(std::string text);

}  // namespace warplings
