// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "chapters/04_occupancy/occupancy.h"
#include "grader/device/device_profile.h"
#include "tests/suites/04_occupancy/sm_limits.h"
#include "tests/suites/common/step_search.h"
#include "tests/suites/host_function.h"

namespace warplings::occupancy_exercise {

struct Question {
  DeviceProfile card;
  KernelUse use;
  std::optional<Portions> portions{};  ///< Other than those of its compute capability.
};

/// The arguments of the submission's function.
SmLimits LimitsOf(const Question& question);

/// By NVIDIA's cuda_occupancy.h; where portions are others, which it cannot be told, by the contract's rules.
::Occupancy RightAnswer(const Question& question);

bool SameOccupancy(double a, double b);

/// The contract's steps and the versions that students take for them.
const step_search::Calculation<Question, ::Occupancy>& Arithmetic();

/// The same for a kernel whose registers, shared memory or block size are asked about elsewhere: just the
/// blocks.
int BlocksBy(const Question& question, const step_search::Versions& versions);

/// The steps of Arithmetic(), by their numbers.
enum ArithmeticStep : std::uint8_t {
  kWarpsOfBlock,
  kThreadSlots,
  kRegistersOfWarp,
  kRegisterFile,
  kSharedOfBlock,
  kSharedMemory,
  kBlockSlots,
  kQuotient,
  kNamedLimits,
};

/// Versions that others need by name; 0 is the right one of each step.
inline constexpr int kReservedForgotten = 1;      ///< Of kSharedOfBlock.
inline constexpr int kReservedAfterRounding = 8;  ///< Of kSharedOfBlock.
inline constexpr int kRegistersBy256 = 5;         ///< Of kRegistersOfWarp.
inline constexpr int kNoMostOfBlock = 1;          ///< Of kSharedMemory.
inline constexpr int kThreadSlotsLeftOut = 4;     ///< Of kThreadSlots.
inline constexpr int kRegistersOfThreads = 4;     ///< Of kRegisterFile.
inline constexpr int kRegistersLeftOut = 5;       ///< Of kRegisterFile.
inline constexpr int kRegistersOfBlockUp = 6;     ///< Of kRegisterFile.

/// Resident threads by an average of bytes and registers a thread, whole blocks or not.
double OccupancyByAverage(const Question& question);

/// The misconceptions behind `all`. Blocks and occupancy are explained first; then the limits, with blocks as
/// the submission has them.
std::vector<Fact> FactsOf(const std::vector<Asked<Question, ::Occupancy>>& all);

/// What the wrong ones of `all` have in common, as an advice; empty: nothing.
Message Advise(const std::vector<Asked<Question, ::Occupancy>>& all);

/// "a100, 512 threads, 33 registers, 0 B shared".
Message InWords(const Question& question);
/// "16 warps; threads allow 4, registers 3, shared memory no limit, blocks 32": the blocks of which the least
/// counts.
Message EachResource(const Question& question);
/// "3 blocks, 75.0 %, limited by registers".
Message InWords(const ::Occupancy& answer);

}  // namespace warplings::occupancy_exercise
