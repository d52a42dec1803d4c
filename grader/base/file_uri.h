// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace warplings {

/// "file:///home/me/my%20answer.cu"; a path that does not begin with / becomes a relative reference, in which
/// a colon must not look like the end of a scheme.
std::string FileUri(const std::string& path);

}  // namespace warplings
