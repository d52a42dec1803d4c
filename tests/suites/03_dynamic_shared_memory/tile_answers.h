// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "grader/device/device_profile.h"
#include "tests/suites/common/step_search.h"
#include "tests/suites/host_function.h"

namespace warplings::tile_for_device {

struct Question {
  const DeviceProfile* profile = nullptr;  ///< Of the current device.
  int arrays = 0, element_bytes = 0, step = 0;
  const DeviceProfile* device_zero = nullptr;  ///< Of device 0, where another one is current.
};

/// The right answer.
int LargestTile(const Question& question);

/// Steps: how much memory there is, an element's bytes, the arrays, a tile's elements, the type of the
/// product, what fits, the widths that are tried, and what is answered where none fits.
const step_search::Calculation<Question, int>& Tile();

/// The misconceptions behind `all`.
std::vector<Fact> FactsOf(const std::vector<Asked<Question, int>>& all);

/// "t4, 2 arrays of 4-byte elements, step 16".
Message InWords(const Question& question);

/// "2 x 4 x 64 x 64 = 32768 bytes (limit 65536)": what a tile as wide as `tile` takes of what
/// the device has.
Message BytesOf(const Question& question, int tile);

/// What the suite asks of every profile: all combinations that tell wrong ideas apart.
std::vector<Question> QuestionsFor(const DeviceProfile& profile);
/// Blocks of which not even the smallest tiles fit into a T4, or just so; and products that pass an int's
/// end.
std::vector<Question> ExtremeQuestions();

}  // namespace warplings::tile_for_device
