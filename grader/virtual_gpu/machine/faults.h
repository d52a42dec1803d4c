// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/core/finding.h"
#include "grader/virtual_gpu/machine/program.h"

namespace warplings::vgpu {

struct BlockContext;
struct Split;
struct WarpAccess;
struct WarpContext;

/// The earlier one of two accesses that race.
struct OtherAccess {
  const Inst* inst = nullptr;  ///< Null: not known.
  std::uint32_t warp = 0, lane = 0;
  Access access = Access::kRead;
  bool same_value = false;        ///< Both write the same.
  bool same_instruction = false;  ///< Two lanes of one execution.
  /// A thread of another warp, which no record names: of several readers it names one, here of this very
  /// warp.
  bool is_of_other_warp = false;
};

/// What the interpreter and its observers report of a grid, or of a part of one. What becomes of it is not
/// theirs to know: FaultReporter makes findings of it.
class Faults {
 public:
  virtual ~Faults() = default;

  virtual void OutOfBoundsGlobal(const WarpContext& warp, const Inst& inst, int lane, std::uint64_t address,
                                 std::uint32_t bytes, Access access) = 0;
  /// Of shared, local or parameter memory; `offset` into the window.
  virtual void OutOfBoundsWindow(const WarpContext& warp, const Inst& inst, int lane, MemorySpace space,
                                 std::uint64_t offset, std::uint32_t bytes, Access access) = 0;
  virtual void Misaligned(const WarpContext& warp, const Inst& inst, int lane, MemorySpace space,
                          std::uint64_t address, std::uint32_t bytes, Access access) = 0;
  virtual void Uninitialised(const WarpContext& warp, const Inst& inst, int lane, MemorySpace space,
                             std::uint64_t address, std::uint32_t bytes) = 0;
  /// Nothing orders two accesses of one block, one of which writes.
  virtual void Race(const WarpAccess& access, int lane, MemorySpace space, const OtherAccess& other) = 0;
  /// Likewise of two blocks that run in turns.
  virtual void RaceBetweenBlocks(const WarpAccess& access, int lane, const OtherAccess& other) = 0;
  /// Touches what a cp.async, `copy`, is still writing; `own`: of the same thread.
  virtual void CopyUnderWay(const WarpAccess& access, int lane, const Inst* copy, bool own) = 0;

  /// Only part of a warp's live lanes (`arrived`) reached an aligned barrier.
  virtual void PartialWarpAtBarrier(const WarpContext& warp, const Inst& inst, Mask arrived) = 0;
  /// Likewise a matrix instruction, which all lanes execute together.
  virtual void PartialWarpAtCollective(const WarpContext& warp, const Inst& inst, Mask arrived) = 0;
  /// Threads of the block met at two different barriers.
  virtual void DifferentBarriers(const WarpContext& warp, const Inst& first, const Inst& second,
                                 Mask lanes) = 0;
  /// A barrier that threads left out by returning.
  virtual void BarrierAfterExit(const WarpContext& warp, const Inst& inst, Mask lanes,
                                std::uint32_t returned) = 0;
  /// A shuffle of the lanes `arrived` takes the values of lanes that are not there, `from` by lane; those in
  /// `lanes` get them.
  virtual void ShuffleAfterExit(const WarpContext& warp, const Inst& inst, Mask arrived, Mask lanes,
                                const std::uint32_t* from) = 0;
  /// The lanes execute an instruction whose member mask does not name them.
  virtual void MaskWithoutLane(const WarpContext& warp, const Inst& inst, Mask lanes) = 0;
  /// The lanes divide an integer by zero.
  virtual void DivisionByZero(const WarpContext& warp, const Inst& inst, Mask lanes) = 0;
  virtual void Deadlock(const BlockContext& block) = 0;
  /// The watchdog's budget was used up while `split` ran.
  virtual void EndlessLoop(const WarpContext& warp, const Split& split) = 0;
  /// The user has ended the program.
  virtual void Interrupted(const BlockContext& block) = 0;
  virtual void Trap(const WarpContext& warp, const Inst& inst, Mask lanes, const Message& what) = 0;

  /// The lanes use a handle that is no texture object. Messages are made behind these functions: what the
  /// engines instantiate themselves is compiled for processors that not every machine has
  /// (engine/levels_test.sh).
  virtual void NoTexture(const WarpContext& warp, const Inst& inst, Mask lanes) = 0;
  virtual void NoSurface(const WarpContext& warp, const Inst& inst, Mask lanes) = 0;
  /// The lanes leave a surface of width x height elements.
  virtual void OutsideSurface(const WarpContext& warp, const Inst& inst, Mask lanes, std::uint32_t width,
                              std::uint32_t height) = 0;
  virtual void InvalidFree(const WarpContext& warp, const Inst& inst, int lane, const Message& what) = 0;
  /// A launch of another kernel that is refused, or wrong.
  virtual void InvalidLaunch(const WarpContext& warp, const Inst& inst, int lane, Severity severity,
                             const Message& what) = 0;
  virtual void StackOverflow(const WarpContext& warp, const Inst& inst, Mask lanes) = 0;

  /// Takes over what another one, of a later part of the same grid and of the same kind, has.
  virtual void Absorb(Faults& later) = 0;
  /// All blocks have ended, or the grid was broken off; they did not run in turns.
  virtual void EndOfIndependentBlocks(bool is_complete) = 0;
  virtual std::vector<Finding> Take() = 0;
};

}  // namespace warplings::vgpu
