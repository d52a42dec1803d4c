// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "grader/base/message.h"

namespace warplings::vgpu {

/// For an unsupported instruction, the feature it belongs to, such as "textures", if a student is more
/// likely to know that name; otherwise empty.
Message UnsupportedFamily(std::string_view opcode);

}  // namespace warplings::vgpu
