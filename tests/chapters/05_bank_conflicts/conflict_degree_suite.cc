// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 5's conflict_degree: lists of requests, each with a pattern that kernels really have.

#include <gtest/gtest.h>

#include "grader/suite/evidence.h"
#include "tests/chapters/05_bank_conflicts/bank_steps.h"
#include "tests/chapters/05_bank_conflicts/host_answers.h"

namespace warplings::bank_conflicts {
namespace {

using reference::LaneAddresses;
using reference::Strided;
using DegreeAnswer = Answered<WarpRequest, int>;

std::vector<DegreeAnswer>& AllAnswers() {
  static std::vector<DegreeAnswer> all;
  return all;
}

std::string Text(const int& degree) {
  return degree == 1 ? "1 (no conflict)" : std::to_string(degree);
}

class ConflictDegree : public testing::Test {
 protected:
  void Ask(const std::string& name, int element_bytes, const LaneAddresses& addresses) {
    questions_.push_back({name, ToRequest(addresses, element_bytes)});
  }
  /// Lane i reads element i * stride.
  void AskStride(const std::string& type, int element_bytes, int stride, int base = 0) {
    Ask(type + ", stride " + std::to_string(stride), element_bytes,
        Strided(static_cast<std::uint32_t>(base), static_cast<std::uint32_t>(stride * element_bytes)));
  }
  /// Lane i reads element element(i).
  template <class Element>
  void AskElements(const std::string& name, int element_bytes, const Element& element) {
    LaneAddresses addresses;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      addresses[lane] = static_cast<std::uint32_t>(element(static_cast<int>(lane)) * element_bytes);
    }
    Ask(name, element_bytes, addresses);
  }
  int Random(int least, int most) {
    return least + static_cast<int>(random_.Below(static_cast<std::uint64_t>(most - least + 1)));
  }

  void Check(const std::string& title, const std::string& next_step) {
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
  Check("floats, strides 1 to 33, 64, 96 and 128",
        "List the banks of lanes 0, 1, 2, ... for stride 2: when does one come again?");
}

TEST_F(ConflictDegree, StrideOf32BytesMeetsInFourBanks) {
  AskStride("float", 4, 8);
  AskStride("float, from byte 20 on", 4, 8, 20);
  AskStride("char", 1, 32);
  Check("32 bytes from lane to lane",
        "Write down the banks of all 32 lanes, and how often each stands there.");
}

/// Groups of lanes that share a word, besides lanes that share a bank.
TEST_F(ConflictDegree, OneWordForManyLanesIsNoConflict) {
  AskElements("all lanes read float 7", 4, [](int) { return 7; });
  AskElements("eight lanes each read floats 0 to 3", 4, [](int lane) { return lane / 8; });
  AskElements("neighbours read the same float", 4, [](int lane) { return lane / 2; });
  AskElements("half reads float 0, half float 32", 4, [](int lane) { return lane % 2 * 32; });
  AskElements("lanes read floats 0, 32, 64, 96 in turn", 4, [](int lane) { return lane % 4 * 32; });
  AskElements("neighbours read the same double", 8, [](int lane) { return lane / 2; });
  Check("several lanes read one word", "One pass of a bank hands its word to every lane that wants it.");
}

TEST_F(ConflictDegree, BytesOfOneWordAreOneWord) {
  for (const int stride : {1, 2, 3, 4, 8, 64, 128, 132}) AskStride("char", 1, stride);
  for (const int stride : {1, 2, 3, 4, 16, 64, 66}) AskStride("short", 2, stride);
  AskElements("all four chars of words 0 and 32", 1, [](int lane) { return lane % 4 + lane / 16 * 128; });
  Check("chars and shorts", "Banks hand out whole words. Which lanes' chars lie in the same word?");
}

TEST_F(ConflictDegree, DoublesGoByHalfWarps) {
  for (const int stride : {1, 2, 3, 4, 5, 8, 16, 17, 32}) AskStride("double", 8, stride);
  AskElements("the second half repeats the banks of the first", 8,
              [](int lane) { return lane + lane / 16 * 48; });
  // What the first half has had is asked for again.
  AskElements("lanes 0 to 16 read double 0, the others double 16", 8,
              [](int lane) { return lane < 17 ? 0 : 16; });
  Check("doubles: 16 lanes are served together",
        "Draw lanes 0 to 15 and 16 to 31 apart: the two groups cannot be in each other's way.");
}

TEST_F(ConflictDegree, Float4GoesByQuarterWarps) {
  for (const int stride : {1, 2, 3, 4, 5, 8, 9}) AskStride("float4", 16, stride);
  AskElements("the first lane of each quarter reads float4 0, the others float4 8 * quarter", 16,
              [](int lane) { return lane % 8 == 0 ? 0 : 8 * (lane / 8); });
  Check("float4: 8 lanes are served together", "How many bytes do 8 lanes with a float4 each want?");
}

TEST_F(ConflictDegree, RowsAndColumnsOfATile) {
  AskElements("row 3 of float tile[32][32]", 4, [](int lane) { return 3 * 32 + lane; });
  AskElements("column 3 of float tile[32][32]", 4, [](int lane) { return lane * 32 + 3; });
  AskElements("column 3 of float tile[32][33]", 4, [](int lane) { return lane * 33 + 3; });
  AskElements("column 3 of float tile[32][34]", 4, [](int lane) { return lane * 34 + 3; });
  AskElements("columns 3 and 4 of float tile[16][16]", 4,
              [](int lane) { return lane % 16 * 16 + 3 + lane / 16; });
  AskElements("columns 3 and 4 of float tile[16][17]", 4,
              [](int lane) { return lane % 16 * 17 + 3 + lane / 16; });
  AskElements("column 3 of double tile[32][32]", 8, [](int lane) { return lane * 32 + 3; });
  AskElements("column 3 of double tile[32][33]", 8, [](int lane) { return lane * 33 + 3; });
  AskElements("the diagonal of float tile[32][31]", 4, [](int lane) { return lane * 32; });
  Check("rows and columns of tiles, padded and not", "Write the banks of one column under each other.");
}

/// Patterns in which the lanes are not spread evenly over the banks that they use.
TEST_F(ConflictDegree, TheWorstBankDecides) {
  AskElements("28 banks with one lane, one bank with four", 4,
              [](int lane) { return lane < 28 ? lane : 29 + (lane - 28) * 32; });
  AskElements("the last lane alone is in the way", 4, [](int lane) { return lane < 31 ? lane : 32; });
  AskElements("only the second half of the doubles conflicts", 8,
              [](int lane) { return lane < 16 ? lane : 16 * lane; });
  AskElements("only the last quarter of the float4 conflicts", 16,
              [](int lane) { return lane < 24 ? lane : 8 * lane; });
  AskElements("only the first half of the doubles conflicts", 8,
              [](int lane) { return lane < 16 ? 16 * lane : lane; });
  for (int quarter = 0; quarter < 3; ++quarter) {
    AskElements("only quarter " + std::to_string(quarter) + " of a warp's float4 conflicts", 16,
                [=](int lane) { return lane / 8 == quarter ? 8 * lane : lane; });
  }
  AskElements("bank 3 is asked for two words, bank 9 for four", 4, [](int lane) {
    if (lane < 2) return 3 + 32 * lane;
    return lane < 6 ? 9 + 32 * lane : lane + 4;
  });
  AskElements("bank 3 is asked for four words, bank 9 for two", 4, [](int lane) {
    if (lane < 4) return 3 + 32 * lane;
    return lane < 6 ? 9 + 32 * lane : lane + 4;
  });
  AskElements("20 lanes read float 0, and six want a word each from bank 5", 4, [](int lane) {
    if (lane < 20) return 0;
    return lane < 26 ? 5 + 32 * (lane - 20) : lane;
  });
  const int crowd = Random(3, 12), bank = Random(0, 31);
  AskElements(std::to_string(crowd) + " lanes crowd in bank " + std::to_string(bank), 4,
              [=](int lane) { return lane < crowd ? bank + 32 * (lane + 1) : lane; });
  Check("uneven patterns",
        "Everybody waits for the bank from which most is wanted, however idle the others are.");
}

/// Random, but with a formula that a student can follow by hand.
TEST_F(ConflictDegree, AnyPattern) {
  for (int i = 0; i < 40; ++i) {
    const int bytes = 1 << Random(0, 4), factor = Random(1, 40), offset = Random(0, 20);
    const int sharing = Random(1, 3), modulus = Random(8, 600);
    const std::string lane = sharing == 1 ? "lane" : "(lane / " + std::to_string(sharing) + ")";
    AskElements(std::to_string(bytes) + " bytes, element (" + std::to_string(factor) + " * " + lane + " + " +
                    std::to_string(offset) + ") % " + std::to_string(modulus),
                bytes, [=](int each) { return (factor * (each / sharing) + offset) % modulus; });
  }
  Check("40 random patterns", "Take the patterns of the other tests first; their numbers are smaller.");
}

std::vector<std::pair<WarpRequest, int>> GivenAnswers() {
  std::vector<std::pair<WarpRequest, int>> answers;
  for (const DegreeAnswer& each : AllAnswers()) answers.emplace_back(each.question, each.given);
  return answers;
}

std::vector<Recognised> RecogniseDegree() {
  return step_search::Name(step_search::Explain(Degree(), GivenAnswers(), std::equal_to()), "answers",
                           AskingsOf(AllAnswers()));
}

/// What the requests with wrong answers have in common, or else the first of them.
std::string Advise() {
  const std::string shared = step_search::WhatWrongOnesShare(TraitsOfRequests(), GivenAnswers(), RightDegree,
                                                             std::equal_to(), AskingsOf(AllAnswers()));
  if (!shared.empty()) return shared;
  for (const DegreeAnswer& each : AllAnswers()) {
    const int right = RightDegree(each.question);
    if (each.given != right)
      return step_search::BesideTheRightOne(each.asking.words, Text(each.given), Text(right));
  }
  return "";
}

const bool explains = ExplainWith([] { return AdviseFirstOfWrong(Advise()); });

const bool recognises = RecogniseWith(RecogniseDegree);

}  // namespace
}  // namespace warplings::bank_conflicts
