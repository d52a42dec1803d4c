// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace warplings {

/// Opens a page in the user's browser. The page is there in any case: where no browser starts, as on a
/// server, it says so and where the page is, and the command has not failed.
void OpenPage(const std::string& page);

}  // namespace warplings
