// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "grader/virtual_gpu/machine/program.h"

namespace warplings::vgpu {

/// The 32-bit special register with this PTX name ("%tid.x"); nothing if the virtual GPU has none.
std::optional<Special> SpecialNamed(std::string_view name);

}  // namespace warplings::vgpu
