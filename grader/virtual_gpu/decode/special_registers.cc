// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/decode/special_registers.h"

namespace warplings::vgpu {
namespace {

struct SpecialName {
  std::string_view name;
  Special special;
};
constexpr SpecialName kSpecialNames[] = {
    {"%tid.x", Special::kTidX},
    {"%tid.y", Special::kTidY},
    {"%tid.z", Special::kTidZ},
    {"%ntid.x", Special::kNtidX},
    {"%ntid.y", Special::kNtidY},
    {"%ntid.z", Special::kNtidZ},
    {"%ctaid.x", Special::kCtaidX},
    {"%ctaid.y", Special::kCtaidY},
    {"%ctaid.z", Special::kCtaidZ},
    {"%nctaid.x", Special::kNctaidX},
    {"%nctaid.y", Special::kNctaidY},
    {"%nctaid.z", Special::kNctaidZ},
    {"%laneid", Special::kLaneId},
    {"%warpid", Special::kWarpId},
    {"%nwarpid", Special::kNwarpId},
    {"%smid", Special::kSmId},
    {"%nsmid", Special::kNsmId},
    {"%gridid", Special::kGridId},
    {"%lanemask_eq", Special::kLaneMaskEq},
    {"%lanemask_lt", Special::kLaneMaskLt},
    {"%lanemask_le", Special::kLaneMaskLe},
    {"%lanemask_gt", Special::kLaneMaskGt},
    {"%lanemask_ge", Special::kLaneMaskGe},
    {"%dynamic_smem_size", Special::kDynamicSharedBytes},
    {"%total_smem_size", Special::kTotalSharedBytes},
    {"%envreg1", Special::kEnvReg1},
    {"%envreg2", Special::kEnvReg2},
    // Without an explicit cluster, each block is a cluster of its own.
    {"%clusterid.x", Special::kCtaidX},
    {"%clusterid.y", Special::kCtaidY},
    {"%clusterid.z", Special::kCtaidZ},
    {"%nclusterid.x", Special::kNctaidX},
    {"%nclusterid.y", Special::kNctaidY},
    {"%nclusterid.z", Special::kNctaidZ},
    {"%cluster_ctaid.x", Special::kZero},
    {"%cluster_ctaid.y", Special::kZero},
    {"%cluster_ctaid.z", Special::kZero},
    {"%cluster_nctaid.x", Special::kOne},
    {"%cluster_nctaid.y", Special::kOne},
    {"%cluster_nctaid.z", Special::kOne},
    {"%cluster_ctarank", Special::kZero},
    {"%cluster_nctarank", Special::kOne},
};

}  // namespace

std::optional<Special> SpecialNamed(std::string_view name) {
  for (const SpecialName& entry : kSpecialNames) {
    if (entry.name == name) return entry.special;
  }
  return std::nullopt;
}

}  // namespace warplings::vgpu
