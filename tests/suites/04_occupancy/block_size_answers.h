// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/device/device_profile.h"
#include "tests/suites/04_occupancy/sm_limits.h"
#include "tests/suites/common/step_search.h"
#include "tests/suites/host_function.h"

namespace warplings::pick_block_size {

struct Question {
  DeviceProfile card;
  int registers = 0, shared_bytes = 0, shared_bytes_per_thread = 0;
  std::optional<Portions> portions{};  ///< Other than those of its compute capability.
};

/// The largest of the best sizes, 0 where none can be launched; by cuda_occupancy.h, or, where portions are
/// others, by the contract's rules.
int BestBlockSize(const Question& question);

/// Steps: those of occupancy.h for the blocks of one size, then a block's shared memory, the sizes that are
/// tried, what is compared, which of equals stays, what is answered where none fits.
const step_search::Calculation<Question, int>& BlockSize();

/// The misconceptions behind `all`.
std::vector<Fact> FactsOf(const std::vector<Asked<Question, int>>& all);

/// What the wrong ones of `all` have in common, as an advice, or else the first of them beside the right
/// size; empty: no answer is wrong.
Message Advise(const std::vector<Asked<Question, int>>& all);

/// "a100, 40 registers, 1024 B + 8 B per thread".
Message InWords(const Question& question);

/// "384 threads: 5 blocks, 60 warps".
Message InWords(const Question& question, int threads);

/// Kernels that tell wrong ideas apart, for one card.
std::vector<Question> QuestionsFor(const DeviceProfile& card);
/// Kernels for cards on which what one block may ask for, or the number of blocks, limits the best size.
std::vector<Question> QuestionsOfLimits();
/// Kernels for a card that gives out registers and shared memory in portions of its own.
std::vector<Question> QuestionsOfPortions();
/// Kernels for a T4 of which no block fits, or just one.
std::vector<Question> ExtremeQuestions();

}  // namespace warplings::pick_block_size
