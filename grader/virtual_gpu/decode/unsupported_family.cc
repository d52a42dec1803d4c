// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/decode/unsupported_family.h"

namespace warplings::vgpu {

std::string UnsupportedFamily(std::string_view opcode) {
  struct {
    std::string_view start, family;
  } constexpr kFamilies[] = {{"tex", "textures"},
                             {"tld4", "textures"},
                             {"txq", "textures"},
                             {"su", "surfaces"},
                             {"barrier.cluster", "thread block clusters"},
                             {"mapa", "thread block clusters"},
                             {"getctarank", "thread block clusters"},
                             {"cp.async.bulk", "bulk and tensor copies"},
                             {"cp.reduce.async.bulk", "bulk and tensor copies"},
                             {"multimem", "multicast memory"},
                             {"griddepcontrol", "programmatic dependent launch"},
                             {"wgmma", "warpgroup matrices"}};
  for (const auto& [start, family] : kFamilies) {
    const bool fits = opcode.starts_with(start) && !opcode.starts_with("sub");
    if (fits) return " (" + std::string(family) + ")";
  }
  return "";
}

}  // namespace warplings::vgpu
