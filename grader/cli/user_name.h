// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace warplings {

/// Who decides, where --author does not say: WARPLINGS_AUTHOR, else the user's name on this machine.
std::string NameOfUser();

}  // namespace warplings
