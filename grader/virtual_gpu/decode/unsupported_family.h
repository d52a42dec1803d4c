// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace warplings::vgpu {

/// For an unsupported instruction, the feature it belongs to, such as " (textures)", if a student is more
/// likely to know that name; otherwise "".
std::string UnsupportedFamily(std::string_view opcode);

}  // namespace warplings::vgpu
