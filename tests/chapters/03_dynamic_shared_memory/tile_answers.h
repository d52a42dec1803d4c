// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "grader/device/device_profile.h"
#include "tests/chapters/host_function.h"

namespace warplings::tile_for_device {

struct Question {
  const DeviceProfile* profile = nullptr;
  int arrays = 0, element_bytes = 0, step = 0;
};

/// The right answer.
int LargestTile(const Question& question);

/// Wrong ideas and their answers: one for each misconception, some with a second variant.
std::vector<WrongIdea<Question, int>> WrongIdeas();

/// The misconception behind `all`; see ExplainAnswers.
std::vector<Recognised> Recognise(const std::vector<Asked<Question, int>>& all);

/// "t4, 2 arrays of 4-byte elements, step 16".
std::string InWords(const Question& question);

/// What the suite asks of every profile: all combinations that tell wrong ideas apart.
std::vector<Question> QuestionsFor(const DeviceProfile& profile);

}  // namespace warplings::tile_for_device
