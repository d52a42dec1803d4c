// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 5's bank_of. Each test asks a list of questions; its name says what a student may have
// misunderstood. No right answer is in the title, and every test ends with random arrays of its kind.

#include <gtest/gtest.h>

#include <algorithm>

#include "grader/suite/evidence.h"
#include "tests/suites/05_bank_conflicts/bank_steps.h"
#include "tests/suites/05_bank_conflicts/host_answers.h"
#include "tests/suites/05_bank_conflicts/messages.h"
#include "tests/suites/common/messages.h"

namespace warplings::bank_conflicts {
namespace {

using BanksAnswer = Answered<Place, Banks>;
std::vector<BanksAnswer>& AllAnswers() {
  static std::vector<BanksAnswer> all;
  return all;
}

Message Text(const Banks& banks) {
  const int last = banks.first + banks.count - 1;
  switch (banks.count) {
    case 1: return say::bank_of_answer(banks.first);
    case 2: return say::bank_of_answer_of_two(banks.first, last);
    default:
      return banks.count > 2 && last < 32 ? say::bank_of_answer_of_many(banks.first, last)
                                          : say::bank_of_answer_of_several(banks.first, banks.count);
  }
}

class BankOf : public testing::Test {
 protected:
  void Ask(Place place) { questions_.push_back({Describe(place), place}); }
  /// One row of an array whose rows do not matter.
  void AskColumns(int element_bytes, const std::vector<int>& columns, int base = 0) {
    for (const int column : columns) Ask({{base, element_bytes, 2048, 2048}, 0, column});
  }
  int Random(int least, int most) {
    return least + static_cast<int>(random_.Below(static_cast<std::uint64_t>(most - least + 1)));
  }

  void Check(const Message& title, const Message& next_step) {
    const auto call = [](Worker& worker, const Place& p) { return worker.Call(p.array, p.row, p.column); };
    RecordResult(
        CheckAnswers<Banks, Place>(title, questions_, call, RightBanks, Text, next_step, AllAnswers(), Way));
  }

  RandomValues random_ = TestRandom();

 private:
  std::vector<Asked<Place>> questions_;
};

TEST_F(BankOf, ABankHoldsWordsNotBytes) {
  AskColumns(4, {0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 30, 31, Random(1, 31), Random(1, 31)});
  Check(say::bank_of_words(), say::bank_of_words_step());
}

TEST_F(BankOf, Bank0FollowsBank31) {
  AskColumns(4, {31, 32, 33, 63, 64, 95, 96, 100, 1000, Random(32, 2047), Random(32, 2047)});
  Check(say::bank_of_32_banks(), say::bank_of_32_banks_step());
}

TEST_F(BankOf, NarrowElementsShareABank) {
  AskColumns(1, {0, 1, 3, 4, 5, 127, 128, Random(0, 2047)});
  AskColumns(2, {0, 1, 2, 3, 63, 64, 65, Random(0, 2047)});
  Check(say::bank_of_narrow(), say::bank_of_narrow_step());
}

TEST_F(BankOf, WideElementsLieInSeveralBanks) {
  AskColumns(8, {0, 1, 2, 15, 16, 17, Random(0, 2047)});
  AskColumns(16, {0, 1, 7, 8, 9, Random(0, 2047)});
  Check(say::bank_of_wide(), say::bank_of_wide_step());
}

TEST_F(BankOf, AnArrayNeedNotStartInBank0) {
  AskColumns(4, {0, 1, 31, 32}, 4);
  AskColumns(4, {0, 5, 29, 33}, 4 * Random(1, 200));
  AskColumns(1, {0, 1, 2, 3}, 7);
  AskColumns(8, {0, 3, 12}, 8 * Random(1, 100));
  AskColumns(16, {0, 3, 12}, 16 * Random(1, 50));
  Check(say::bank_of_later_arrays(), say::bank_of_later_arrays_step());
}

TEST_F(BankOf, RowsLieOneAfterTheOther) {
  for (const int width : {32, 16, 8, 20, Random(3, 40)}) {
    for (const int row : {0, 1, 2, Random(3, 31)}) Ask({{0, 4, width, width}, row, Random(0, width - 1)});
  }
  // Far behind what 16 bits hold.
  Ask({{0, 4, 40, 40}, 1203, 5});
  Ask({{0, 8, 16, 16}, 5, 3});
  Ask({{0, 2, 24, 24}, 5, 3});
  Check(say::bank_of_rows(), say::bank_of_rows_step());
}

TEST_F(BankOf, PaddingMovesEachRowOn) {
  for (const int row : {1, 2, 3, 31, Random(4, 30)}) {
    Ask({{0, 4, 32, 33}, row, 0});
    Ask({{0, 4, 32, 34}, row, Random(0, 31)});
    Ask({{0, 8, 16, 17}, row, Random(0, 15)});
    Ask({{0, 1, 32, 36}, row, Random(0, 31)});
  }
  Check(say::bank_of_padded_rows(), say::bank_of_padded_rows_step());
}

TEST_F(BankOf, RowsNeedNotBeWholeWords) {
  // {bytes, width, pitch}: of so many bytes a row that one begins in the middle of a word.
  for (const auto& [bytes, width, pitch] : {std::tuple{1, 5, 5}, {1, 32, 33}, {2, 7, 7}, {2, 16, 17}}) {
    for (const int row : {1, 2, 3, Random(4, 31), Random(32, 63)})
      Ask({{0, bytes, width, pitch}, row, Random(0, width - 1)});
  }
  Check(say::bank_of_partial_words(), say::bank_of_partial_words_step());
}

TEST_F(BankOf, AnyArray) {
  for (int i = 0; i < 40; ++i) {
    const int bytes = 1 << Random(0, 4), width = Random(1, 70);
    Ask({{bytes * Random(0, 60), bytes, width, width + Random(0, 5)}, Random(0, 40), Random(0, width - 1)});
  }
  Check(say::bank_of_any_array(), say::bank_of_any_array_step());
}

std::vector<Fact> FactsOfBanks() {
  std::vector<std::pair<Place, int>> first, count;
  for (const BanksAnswer& each : AllAnswers()) {
    first.emplace_back(each.question, each.given.first);
    count.emplace_back(each.question, each.given.count);
  }
  const std::vector<step_search::Asking> askings = AskingsOf(AllAnswers());
  std::vector<Fact> found = step_search::Name(step_search::Explain(FirstBank(), first, std::equal_to()),
                                              say::bank_of_first_banks(), askings);
  for (const auto& each : step_search::Name(step_search::Explain(BankCount(), count, std::equal_to()),
                                            say::bank_of_counts(), askings)) {
    auto known = std::ranges::find(found, each.id, &Fact::id);
    if (known == found.end()) {
      found.push_back(each);
      continue;
    }
    // One name for two steps: the first is said.
    known->tests.insert(known->tests.end(), each.tests.begin(), each.tests.end());
  }
  return found;
}

/// What the places with wrong answers have in common.
Message Advise() {
  std::vector<std::pair<Place, Banks>> answers;
  for (const BanksAnswer& each : AllAnswers()) answers.emplace_back(each.question, each.given);
  const auto same = [](const Banks& a, const Banks& b) { return a.first == b.first && a.count == b.count; };
  const Message shared = step_search::WhatWrongOnesShare(TraitsOfPlaces(), answers, RightBanks, same,
                                                         AskingsOf(AllAnswers()), Text);
  if (!shared.empty()) return shared;
  for (const auto& [place, given] : answers) {
    if (!same(given, RightBanks(place))) {
      return step_search::BesideTheRightOne(Describe(place), Text(given),
                                            say::bank_of_answer_and_way(Text(RightBanks(place)), Way(place)));
    }
  }
  return {};
}

const bool graded =
    GradedBy({.shared = HostGrading(),
              .header = {"first and count are right for every array and every element of it."},
              .page = {}});

const bool explains = ExplainWith([] { return AdviseFirstOfWrong(Advise()); });

const bool states_facts = StateFactsWith(FactsOfBanks);

}  // namespace
}  // namespace warplings::bank_conflicts
