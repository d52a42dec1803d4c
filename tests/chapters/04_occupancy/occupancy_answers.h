// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "chapters/04_occupancy/occupancy.h"
#include "grader/device/device_profile.h"
#include "tests/chapters/host_function.h"

namespace warplings::occupancy_exercise {

struct Question {
  DeviceProfile card;
  KernelUse use;
};

/// By NVIDIA's cuda_occupancy.h.
::Occupancy RightAnswer(const Question& question);

bool SameOccupancy(double a, double b);

/// What a student may have left out; each by itself changes the arithmetic. Bits.
enum Omission : unsigned {
  kReserved = 1,     ///< The bytes that each block takes for the driver.
  kRounding = 2,     ///< Of a warp's registers.
  kPartitions = 4,   ///< A warp's registers lie in one of four partitions.
  kWholeWarps = 8,   ///< A block takes whole warps.
  kBlockSlots = 16,  ///< max_blocks.
  kOwnReserve = 32,  ///< The reserved bytes of a block that asks for none itself.
  kBlockSize = 64,   ///< max_threads_per_block.
};
inline constexpr unsigned kOmissions = 128;  ///< All combinations: 0 to 127.

/// The contract's arithmetic without what `omissions` names. ArithmeticOf(q, 0) is the right answer.
::Occupancy ArithmeticOf(const Question& question, unsigned omissions);

/// Resident threads by an average of bytes and registers a thread, whole blocks or not.
double OccupancyByAverage(const Question& question);

/// The misconceptions behind `all`. Blocks and occupancy decide; the fewest omissions that explain every
/// answer are named, all of them, and none where two different sets of that size explain.
std::vector<Recognised> Recognise(const std::vector<Asked<Question, ::Occupancy>>& all);

/// "a100, 512 threads, 33 registers, 0 B shared".
std::string InWords(const Question& question);
/// "3 blocks, 75.0 %, limited by registers".
std::string InWords(const ::Occupancy& answer);

}  // namespace warplings::occupancy_exercise
