// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 5's conflict_degree: lists of requests, each with a pattern that kernels really have.

#include <gtest/gtest.h>

#include "grader/suite/evidence.h"
#include "tests/suites/05_bank_conflicts/bank_steps.h"
#include "tests/suites/05_bank_conflicts/host_answers.h"
#include "tests/suites/05_bank_conflicts/messages.h"

namespace warplings::bank_conflicts {
namespace {

using reference::LaneAddresses;
using reference::Strided;
using DegreeAnswer = Answered<WarpRequest, int>;

std::vector<DegreeAnswer>& AllAnswers() {
  static std::vector<DegreeAnswer> all;
  return all;
}

Message Text(const int& degree) {
  return degree == 1 ? say::degree_answer_no_conflict() : say::degree_answer(degree);
}

class ConflictDegree : public testing::Test {
 protected:
  void Ask(const Message& name, int element_bytes, const LaneAddresses& addresses) {
    questions_.push_back({name, ToRequest(addresses, element_bytes)});
  }
  /// Lane i reads element i * stride.
  void AskStride(const std::string& type, int element_bytes, int stride) {
    Ask(say::degree_stride(type, stride), element_bytes,
        Strided(0, static_cast<std::uint32_t>(stride * element_bytes)));
  }
  /// Lane i reads element element(i).
  template <class Element>
  void AskElements(const Message& name, int element_bytes, const Element& element) {
    LaneAddresses addresses;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      addresses[lane] = static_cast<std::uint32_t>(element(static_cast<int>(lane)) * element_bytes);
    }
    Ask(name, element_bytes, addresses);
  }
  int Random(int least, int most) {
    return least + static_cast<int>(random_.Below(static_cast<std::uint64_t>(most - least + 1)));
  }

  void Check(const Message& title, const Message& next_step) {
    const auto call = [](Worker& worker, const WarpRequest& request) { return worker.Call(request); };
    RecordResult(
        CheckAnswers<int, WarpRequest>(title, questions_, call, RightDegree, Text, next_step, AllAnswers()));
  }

  RandomValues random_ = TestRandom();

 private:
  std::vector<Asked<WarpRequest>> questions_;
};

/// Strides whose wavefronts were measured on a card, and those between.
TEST_F(ConflictDegree, EveryStrideOfFloats) {
  for (int stride = 1; stride <= 33; ++stride) AskStride("float", 4, stride);
  // Far apart, as rows of a wide array are: more words of one bank than a mask of 32 or 64 bits has.
  for (const int stride : {64, 96, 128}) AskStride("float", 4, stride);
  Check(say::degree_strides(), say::degree_strides_step());
}

TEST_F(ConflictDegree, StrideOf32BytesMeetsInFourBanks) {
  AskStride("float", 4, 8);
  Ask(say::degree_float_from_byte_20(8), 4, Strided(20, 8 * sizeof(float)));
  AskStride("char", 1, 32);
  Check(say::degree_32_bytes(), say::degree_32_bytes_step());
}

/// Groups of lanes that share a word, besides lanes that share a bank.
TEST_F(ConflictDegree, OneWordForManyLanesIsNoConflict) {
  AskElements(say::degree_all_read_one_float(), 4, [](int) { return 7; });
  AskElements(say::degree_eight_lanes_a_float(), 4, [](int lane) { return lane / 8; });
  AskElements(say::degree_neighbours_one_float(), 4, [](int lane) { return lane / 2; });
  AskElements(say::degree_two_floats(), 4, [](int lane) { return lane % 2 * 32; });
  AskElements(say::degree_four_floats(), 4, [](int lane) { return lane % 4 * 32; });
  AskElements(say::degree_neighbours_one_double(), 8, [](int lane) { return lane / 2; });
  Check(say::degree_one_word(), say::degree_one_word_step());
}

TEST_F(ConflictDegree, BytesOfOneWordAreOneWord) {
  for (const int stride : {1, 2, 3, 4, 8, 64, 128, 132}) AskStride("char", 1, stride);
  for (const int stride : {1, 2, 3, 4, 16, 64, 66}) AskStride("short", 2, stride);
  AskElements(say::degree_chars_of_two_words(), 1, [](int lane) { return lane % 4 + lane / 16 * 128; });
  Check(say::degree_narrow(), say::degree_narrow_step());
}

TEST_F(ConflictDegree, DoublesGoByHalfWarps) {
  for (const int stride : {1, 2, 3, 4, 5, 8, 16, 17, 32}) AskStride("double", 8, stride);
  AskElements(say::degree_halves_repeat(), 8, [](int lane) { return lane + lane / 16 * 48; });
  // What the first half has had is asked for again.
  AskElements(say::degree_halves_share_a_double(), 8, [](int lane) { return lane < 17 ? 0 : 16; });
  Check(say::degree_doubles(), say::degree_doubles_step());
}

TEST_F(ConflictDegree, Float4GoesByQuarterWarps) {
  for (const int stride : {1, 2, 3, 4, 5, 8, 9}) AskStride("float4", 16, stride);
  AskElements(say::degree_quarters_share_a_float4(), 16,
              [](int lane) { return lane % 8 == 0 ? 0 : 8 * (lane / 8); });
  Check(say::degree_float4(), say::degree_float4_step());
}

TEST_F(ConflictDegree, RowsAndColumnsOfATile) {
  AskElements(say::degree_row(3, "float tile[32][32]"), 4, [](int lane) { return 3 * 32 + lane; });
  AskElements(say::degree_column(3, "float tile[32][32]"), 4, [](int lane) { return lane * 32 + 3; });
  AskElements(say::degree_column(3, "float tile[32][33]"), 4, [](int lane) { return lane * 33 + 3; });
  AskElements(say::degree_column(3, "float tile[32][34]"), 4, [](int lane) { return lane * 34 + 3; });
  AskElements(say::degree_columns(3, 4, "float tile[16][16]"), 4,
              [](int lane) { return lane % 16 * 16 + 3 + lane / 16; });
  AskElements(say::degree_columns(3, 4, "float tile[16][17]"), 4,
              [](int lane) { return lane % 16 * 17 + 3 + lane / 16; });
  AskElements(say::degree_column(3, "double tile[32][32]"), 8, [](int lane) { return lane * 32 + 3; });
  AskElements(say::degree_column(3, "double tile[32][33]"), 8, [](int lane) { return lane * 33 + 3; });
  AskElements(say::degree_diagonal("float tile[32][31]"), 4, [](int lane) { return lane * 32; });
  Check(say::degree_tiles(), say::degree_tiles_step());
}

/// Patterns in which the lanes are not spread evenly over the banks that they use.
TEST_F(ConflictDegree, TheWorstBankDecides) {
  AskElements(say::degree_one_bank_with_four(), 4,
              [](int lane) { return lane < 28 ? lane : 29 + (lane - 28) * 32; });
  AskElements(say::degree_last_lane(), 4, [](int lane) { return lane < 31 ? lane : 32; });
  AskElements(say::degree_second_half(), 8, [](int lane) { return lane < 16 ? lane : 16 * lane; });
  AskElements(say::degree_one_quarter(24, 31), 16, [](int lane) { return lane < 24 ? lane : 8 * lane; });
  AskElements(say::degree_first_half(), 8, [](int lane) { return lane < 16 ? 16 * lane : lane; });
  for (int quarter = 0; quarter < 3; ++quarter) {
    AskElements(say::degree_one_quarter(8 * quarter, 8 * quarter + 7), 16,
                [=](int lane) { return lane / 8 == quarter ? 8 * lane : lane; });
  }
  AskElements(say::degree_bank_9_worse(), 4, [](int lane) {
    if (lane < 2) return 3 + 32 * lane;
    return lane < 6 ? 9 + 32 * lane : lane + 4;
  });
  AskElements(say::degree_bank_3_worse(), 4, [](int lane) {
    if (lane < 4) return 3 + 32 * lane;
    return lane < 6 ? 9 + 32 * lane : lane + 4;
  });
  AskElements(say::degree_many_lanes_few_words(), 4, [](int lane) {
    if (lane < 20) return 0;
    return lane < 26 ? 5 + 32 * (lane - 20) : lane;
  });
  const int crowd = Random(3, 12), bank = Random(0, 31);
  AskElements(say::degree_crowd(crowd, bank), 4,
              [=](int lane) { return lane < crowd ? bank + 32 * (lane + 1) : lane; });
  Check(say::degree_uneven(), say::degree_uneven_step());
}

/// Random, but with a formula that a student can follow by hand.
TEST_F(ConflictDegree, AnyPattern) {
  for (int i = 0; i < 40; ++i) {
    const int bytes = 1 << Random(0, 4), factor = Random(1, 40), offset = Random(0, 20);
    const int sharing = Random(1, 3), modulus = Random(8, 600);
    const std::string lane = sharing == 1 ? "lane" : "(lane / " + std::to_string(sharing) + ")";
    AskElements(say::degree_formula(bytes, factor, lane, offset, modulus), bytes,
                [=](int each) { return (factor * (each / sharing) + offset) % modulus; });
  }
  Check(say::degree_any_pattern(), say::degree_any_pattern_step());
}

std::vector<std::pair<WarpRequest, int>> GivenAnswers() {
  std::vector<std::pair<WarpRequest, int>> answers;
  for (const DegreeAnswer& each : AllAnswers()) answers.emplace_back(each.question, each.given);
  return answers;
}

std::vector<Fact> FactsOfDegrees() {
  return step_search::Name(step_search::Explain(Degree(), GivenAnswers(), std::equal_to()),
                           say::degree_answers(), AskingsOf(AllAnswers()));
}

/// What the requests with wrong answers have in common, or else the first of them.
Message Advise() {
  const Message shared = step_search::WhatWrongOnesShare(TraitsOfRequests(), GivenAnswers(), RightDegree,
                                                         std::equal_to(), AskingsOf(AllAnswers()), Text);
  if (!shared.empty()) return shared;
  for (const DegreeAnswer& each : AllAnswers()) {
    const int right = RightDegree(each.question);
    if (each.given != right)
      return say::degree_beside_right(each.asking.words, Text(each.given), Text(right));
  }
  return {};
}

const bool graded =
    GradedBy({.shared = HostGrading(), .header = {"The degree is right for every request."}, .page = {}});

const bool explains = ExplainWith([] { return AdviseFirstOfWrong(Advise()); });

const bool states_facts = StateFactsWith(FactsOfDegrees);

}  // namespace
}  // namespace warplings::bank_conflicts
