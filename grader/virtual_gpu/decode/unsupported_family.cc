// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/decode/unsupported_family.h"

#include "grader/messages/ptx.h"

namespace warplings::vgpu {

Message UnsupportedFamily(std::string_view opcode) {
  struct {
    std::string_view start;
    const MessageRow<>& family;
  } constexpr kFamilies[] = {{"tex", say::textures},
                             {"tld4", say::textures},
                             {"txq", say::textures},
                             {"su", say::surfaces},
                             {"barrier.cluster", say::thread_block_clusters},
                             {"mapa", say::thread_block_clusters},
                             {"getctarank", say::thread_block_clusters},
                             {"cp.async.bulk", say::bulk_and_tensor_copies},
                             {"cp.reduce.async.bulk", say::bulk_and_tensor_copies},
                             {"multimem", say::multicast_memory},
                             {"griddepcontrol", say::programmatic_dependent_launch},
                             {"wgmma", say::warpgroup_matrices}};
  for (const auto& [start, family] : kFamilies) {
    const bool fits = opcode.starts_with(start) && !opcode.starts_with("sub");
    if (fits) return family();
  }
  return {};
}

}  // namespace warplings::vgpu
