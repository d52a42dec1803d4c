// SPDX-License-Identifier: Apache-2.0
#include "tests/chapters/03_dynamic_shared_memory/tile_answers.h"

#include <algorithm>

namespace warplings::tile_for_device {
namespace {

/// The largest multiple of `step` whose tiles need at most `available` bytes.
int Largest(std::uint64_t available, int arrays, int element_bytes, int step) {
  int best = 0;
  for (int tile = step; tile <= 1024; tile += step) {
    const auto t = static_cast<std::uint64_t>(tile);
    if (static_cast<std::uint64_t>(arrays) * static_cast<std::uint64_t>(element_bytes) * t * t <= available)
      best = tile;
  }
  return best;
}

/// The widest tile, up to `most`, whose one row fits for each array.
int LargestRow(const Question& q, int most) {
  const int row = static_cast<int>(q.profile->shared_bytes_per_block_optin) / (q.arrays * q.element_bytes);
  return std::min(row, most) / q.step * q.step;
}

int AtMostThreads(const Question& q) {
  const int tile = LargestTile(q);
  const int limit = 32 / q.step * q.step;
  return tile < limit ? tile : limit;
}

}  // namespace

int LargestTile(const Question& q) {
  return Largest(q.profile->shared_bytes_per_block_optin, q.arrays, q.element_bytes, q.step);
}

std::vector<WrongIdea<Question, int>> WrongIdeas() {
  const auto with = [](auto available) {
    return [available](const Question& q) {
      return Largest(available(*q.profile), q.arrays, q.element_bytes, q.step);
    };
  };
  const auto optin = [](const Question& q) { return q.profile->shared_bytes_per_block_optin; };
  std::vector<WrongIdea<Question, int>> ideas = {
      {"without_opt_in", with([](const DeviceProfile& p) { return p.shared_bytes_per_block; })},
      {"whole_multiprocessor",
       with([](const DeviceProfile& p) { return p.shared_bytes_per_multiprocessor; })},
      // By the device's number, which is 0 before compute capability 8.0, and by a number that is built in.
      {"reserve_taken_off", with([](const DeviceProfile& p) {
         return p.shared_bytes_per_block_optin - p.reserved_shared_bytes_per_block;
       })},
      {"reserve_taken_off",
       with([](const DeviceProfile& p) { return p.shared_bytes_per_block_optin - 1024; })},
      {"elements_are_bytes", [optin](const Question& q) { return Largest(optin(q), q.arrays, 1, q.step); }},
      {"one_array_counted",
       [optin](const Question& q) { return Largest(optin(q), 1, q.element_bytes, q.step); }},
      {"one_thread_an_element", AtMostThreads},
      // Tried up to 1024, as widths of blocks go; and computed by a division.
      {"square_forgotten", [](const Question& q) { return LargestRow(q, 1024); }},
      {"square_forgotten", [](const Question& q) { return LargestRow(q, 1 << 30); }},
      {"step_ignored",
       [optin](const Question& q) { return Largest(optin(q), q.arrays, q.element_bytes, 1); }},
  };
  // One card's number for all: whichever card it is.
  for (const DeviceProfile& card : DeviceProfiles()) {
    ideas.push_back({"one_card_for_all", [&card](const Question& q) {
                       return Largest(card.shared_bytes_per_block_optin, q.arrays, q.element_bytes, q.step);
                     }});
  }
  return ideas;
}

std::string InWords(const Question& q) {
  return q.profile->id + ", " + std::to_string(q.arrays) + (q.arrays == 1 ? " array" : " arrays") + " of " +
         std::to_string(q.element_bytes) + "-byte elements, step " + std::to_string(q.step);
}

std::vector<Question> QuestionsFor(const DeviceProfile& profile) {
  std::vector<Question> questions;
  for (const int arrays : {1, 2, 3}) {
    for (const int element_bytes : {1, 2, 4, 8}) {
      for (const int step : {1, 8, 16, 32}) questions.push_back({&profile, arrays, element_bytes, step});
    }
  }
  return questions;
}

std::vector<Recognised> Recognise(const std::vector<Asked<Question, int>>& all) {
  const auto evidence = [](const Question& q, const int& answer) {
    return InWords(q) + ": " + std::to_string(answer) + " instead of " + std::to_string(LargestTile(q));
  };
  return ExplainAnswers<Question, int>(all, LargestTile, WrongIdeas(), evidence);
}

}  // namespace warplings::tile_for_device
