// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warplings {

/// Extent of a grid or a block, or an index into one, as CUDA's dim3.
struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  friend bool operator==(const Dim3&, const Dim3&) = default;
  std::uint64_t Volume() const { return std::uint64_t{x} * y * z; }
};

/// A place in the student's source; line 0 means that the compiler recorded none (no -lineinfo).
struct SourceLine {
  std::string file;
  int line = 0;
  friend bool operator==(const SourceLine&, const SourceLine&) = default;
};

enum class FindingKind {
  kOutOfBounds,  ///< Read or write outside every live allocation, or outside its own.
  kUseAfterFree,
  kMisaligned,
  kUninitialised,     ///< Read of memory that nobody has written.
  kRace,              ///< Two threads, one of them writing, with nothing that orders them.
  kDivergentBarrier,  ///< Threads meet at different barriers, or only part of a warp arrives.
  kBarrierAfterExit,  ///< Barrier that returned threads leave out; happens to work since cc 7.0.
  kDeadlock,          ///< Nobody can go on.
  kEndlessLoop,       ///< The watchdog's budget of instructions is used up.
  kTrap,              ///< trap, assert(), division of an integer by zero, bad indirect call.
  kInvalidLaunch,     ///< The launch was refused: shape, shared memory, missing kernel.
  kInvalidCall,       ///< A runtime call was refused: bad pointer, double free, range.
  kLeak,              ///< Device memory that was allocated and not freed.
  kUnsupported,       ///< An instruction or call that the virtual GPU does not have; by name.
};

/// Stable lower-case identifier, as in the JSON report: "out_of_bounds".
std::string_view FindingKindName(FindingKind kind);

enum class Severity {
  kWarning,  ///< Reported, does not fail a test: it works on today's hardware.
  kError,    ///< Fails the test in which it was seen.
};

enum class MemorySpace { kNone, kGlobal, kShared, kLocal, kConstant, kParameter };
std::string_view MemorySpaceName(MemorySpace space);

enum class Access { kNone, kRead, kWrite, kAtomic };

/// One fault that the device process saw. Identical faults (same kind, kernel, lines and object) are
/// folded into the first, which keeps its thread as the example; `count` says how many there were.
struct Finding {
  FindingKind kind = FindingKind::kOutOfBounds;
  Severity severity = Severity::kError;
  std::string kernel;  ///< Name without parameters; empty for faults outside a kernel.
  Dim3 block{0, 0, 0};
  Dim3 thread{0, 0, 0};
  SourceLine where;
  std::optional<SourceLine> other;  ///< Of a race: the other access. Of a barrier: the other barrier.
  MemorySpace space = MemorySpace::kNone;
  Access access = Access::kNone;
  std::string object;              ///< "M", "shared array Mds", "argument 2"; empty if unknown.
  std::int64_t object_bytes = 0;   ///< Size of that object, if known.
  std::int64_t offset_bytes = 0;   ///< Of the access, from the object's start; negative: before it.
  std::uint32_t access_bytes = 0;  ///< Width of one thread's access.
  std::string message;             ///< One sentence in a student's words, ready to print.
  std::uint64_t count = 1;         ///< Thread-accesses folded into this finding.
};

}  // namespace warplings
