// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "grader/base/message.h"

namespace warplings {

/// Dimensions of a grid or a block, or an index into one, like CUDA's dim3.
struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  friend bool operator==(const Dim3&, const Dim3&) = default;
  std::uint64_t Volume() const { return std::uint64_t{x} * y * z; }
};

/// A line of the student's source. Line 0: the compiler recorded none (no -lineinfo).
struct SourceLine {
  std::string file;
  int line = 0;
  friend bool operator==(const SourceLine&, const SourceLine&) = default;
};

enum class FindingKind {
  kOutOfBounds,  ///< Read or write outside every live allocation, or outside the one that it belongs to.
  kUseAfterFree,
  kMisaligned,
  kUninitialised,  ///< Read of memory that nobody has written.
  kRace,  ///< Two threads access the same bytes, at least one writes, and nothing orders the accesses.
  kRaceBetweenStreams,  ///< The same of two operations (kernels, copies, fills) of different streams.
  kDivergentBarrier,    ///< Threads of a block wait at different barriers, or only part of a warp arrives at
                        ///< one.
  kBarrierAfterExit,    ///< Barrier that some threads skip because they have returned; works by chance since
                        ///< compute capability 7.0.
  kShuffleAfterExit,  ///< Shuffle that takes the value of a lane that has returned, or never was there: CUDA
                      ///< does not define what it gets. Harmless where nobody uses it.
  kMaskWithoutLane,   ///< A ..._sync() instruction whose mask does not name the lane that executes it: CUDA
                      ///< does not define what happens.
  kDivisionByZero,    ///< Of an integer: the result is whatever the hardware gives.
  kDeadlock,          ///< No thread can make progress.
  kEndlessLoop,       ///< The watchdog's instruction budget is used up.
  kTrap,              ///< trap, assert(), bad indirect call.
  kInvalidLaunch,     ///< The launch was refused: grid or block dimensions, shared memory, missing kernel.
  kInvalidCall,       ///< A runtime call was refused: invalid pointer, double free, range out of bounds.
  kLeak,              ///< Device memory that was allocated and never freed.
  kMissingWait,       ///< Work that wrote memory of the host's, and that the host never waited for.
  kUnsupported,       ///< An instruction or call that the virtual GPU does not support; the message names it.
};

/// Stable lower-case identifier, as in the JSON report: "out_of_bounds".
std::string_view FindingKindName(FindingKind kind);

enum class Severity {
  kWarning,  ///< Reported, but does not fail a test, because it works on today's hardware.
  kError,    ///< Fails the test in which it occurred.
};

enum class MemorySpace { kNone, kGlobal, kShared, kLocal, kConstant, kParameter };
std::string_view MemorySpaceName(MemorySpace space);

enum class Access { kNone, kRead, kWrite, kAtomic };

/// One error that the device process detected. Identical errors (same kind, kernel, lines and object) are
/// merged into the first one, whose block and thread serve as the example; `count` says how many there were.
struct Finding {
  FindingKind kind = FindingKind::kOutOfBounds;
  Severity severity = Severity::kError;
  std::string kernel;  ///< Name without parameters; empty for errors outside a kernel.
  Dim3 block{0, 0, 0};
  Dim3 thread{0, 0, 0};
  SourceLine where;
  std::optional<SourceLine> other;  ///< For a race: the other access. For a barrier: the other barrier.
  MemorySpace space = MemorySpace::kNone;
  Access access = Access::kNone;
  /// Of a race what the other thread does. Missing in results stored by versions that did not record it.
  std::optional<Access> other_access{};
  Message object;                  ///< "M", "shared array Mds", "argument 2"; empty if unknown.
  std::int64_t object_bytes = 0;   ///< Size of that object, if known.
  std::int64_t offset_bytes = 0;   ///< Offset of the access from the object's start; negative: before it.
  std::uint32_t access_bytes = 0;  ///< Size of one thread's access.
  Message message;                 ///< What happened, in one sentence.
  std::uint64_t count = 1;         ///< Accesses, counted per thread, that were merged into this finding.
};

/// Whether a race in global memory, or a read of what nothing has stored there, may be that of an index which
/// leaves another array: `outside` is an access out of bounds of the same kind, in the same line.
bool MayFollowFromOutside(const Finding& met, const Finding& outside);

}  // namespace warplings
