// SPDX-License-Identifier: Apache-2.0
#include "grader/core/finding.h"

namespace warplings {

std::string_view FindingKindName(FindingKind kind) {
  switch (kind) {
    case FindingKind::kOutOfBounds: return "out_of_bounds";
    case FindingKind::kUseAfterFree: return "use_after_free";
    case FindingKind::kMisaligned: return "misaligned";
    case FindingKind::kUninitialised: return "uninitialised";
    case FindingKind::kRace: return "race";
    case FindingKind::kDivergentBarrier: return "divergent_barrier";
    case FindingKind::kBarrierAfterExit: return "barrier_after_exit";
    case FindingKind::kShuffleAfterExit: return "shuffle_after_exit";
    case FindingKind::kMaskWithoutLane: return "mask_without_lane";
    case FindingKind::kDeadlock: return "deadlock";
    case FindingKind::kEndlessLoop: return "endless_loop";
    case FindingKind::kTrap: return "trap";
    case FindingKind::kInvalidLaunch: return "invalid_launch";
    case FindingKind::kInvalidCall: return "invalid_call";
    case FindingKind::kLeak: return "leak";
    case FindingKind::kUnsupported: return "unsupported";
  }
  return "unsupported";
}

std::string_view MemorySpaceName(MemorySpace space) {
  switch (space) {
    case MemorySpace::kNone: return "none";
    case MemorySpace::kGlobal: return "global";
    case MemorySpace::kShared: return "shared";
    case MemorySpace::kLocal: return "local";
    case MemorySpace::kConstant: return "constant";
    case MemorySpace::kParameter: return "parameter";
  }
  return "none";
}

}  // namespace warplings
