// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/06_coarsening/coarsening_answers.h"

#include <gtest/gtest.h>

#include "grader/device/device_profile.h"
#include "grader/messages/joining.h"
#include "tests/suites/06_coarsening/coarsened_matmul_evidence.h"
#include "tests/suites/06_coarsening/coarsened_reduction_evidence.h"
#include "tests/suites/06_coarsening/fast_matmul_evidence.h"
#include "tests/suites/06_coarsening/messages.h"
#include "tests/suites/06_coarsening/when_not_to_evidence.h"

namespace warplings::when_not_to {
namespace {

TEST(AnswersTest, NumbersAndWordsAreRead) {
  const Answers answers = ParseAnswers(
      "sectors_per_1024_elements = 384\nidle_multiprocessors = 76.0\nprice = \"none\"\nremark = [1, 2]\n");
  EXPECT_TRUE(answers.fault.empty()) << answers.fault;
  EXPECT_EQ(answers.sectors_per_1024_elements, kSectorsPer1024);
  EXPECT_EQ(answers.idle_multiprocessors, kIdleMultiprocessors);
  EXPECT_EQ(answers.price, kPrice);
}

TEST(AnswersTest, WhatIsMissingOrOfAnotherTypeHasNoValue) {
  const Answers answers = ParseAnswers("sectors_per_1024_elements = \"384\"\nprice = 3\n");
  EXPECT_TRUE(answers.fault.empty()) << answers.fault;
  EXPECT_FALSE(answers.sectors_per_1024_elements.has_value());
  EXPECT_FALSE(answers.idle_multiprocessors.has_value());
  EXPECT_FALSE(answers.price.has_value());
  EXPECT_EQ(answers.texts, std::vector<std::string>{"sectors_per_1024_elements"});
}

TEST(AnswersTest, HostileTextIsRefused) {
  const Message fault = ParseAnswers("price = none\n").fault;
  ASSERT_TRUE(say::in_line.Made(fault)) << fault;
  EXPECT_EQ(fault.arguments()[0], Argument(say::Line(1)));
  EXPECT_EQ(ParseAnswers("a = 1\na = 2\n").step, say::when_not_to_line_step(say::Line(2)));
  EXPECT_FALSE(ParseAnswers(std::string_view("price = \"\0\"", 11)).fault.empty());
  EXPECT_FALSE(ParseAnswers("price = \"\xff\xfe\"\n").fault.empty());
  EXPECT_FALSE(ParseAnswers("x = " + std::string(30'000, '[')).fault.empty());
  EXPECT_EQ(ParseAnswers(std::string(70'000, '\n')).fault, say::when_not_to_too_long());
}

TEST(AnswersTest, AWordWithoutQuotesIsNamedWithItsLine) {
  const Answers answers = ParseAnswers("# which?\nidle_multiprocessors = 76\n  price =  none  # ?\n");
  EXPECT_EQ(answers.fault, say::in_line(3, say::when_not_to_lacks_quotes("price")));
  EXPECT_EQ(answers.step, say::when_not_to_quotes_step(say::Line(3), "price", "none"));
  EXPECT_EQ(ParseAnswers("price = \"none\nidle_multiprocessors = 3\n").step,
            say::when_not_to_line_step(say::Line(1)))
      << "quotes are there";
}

/// The question names 108 multiprocessors.
TEST(AnswersTest, AnA100HasTheMultiprocessorsOfTheQuestion) {
  const DeviceProfile* profile = FindDeviceProfile("a100");
  ASSERT_NE(profile, nullptr);
  EXPECT_EQ(profile->multiprocessors - 65536 / (256 * 8), kIdleMultiprocessors);
}

TEST(FactsTest, NothingSeenNamesNothing) {
  EXPECT_TRUE(FactsOf({}, Answers{}).empty());
  EXPECT_TRUE(coarsened_matmul::FactsOf({}).empty());
  EXPECT_TRUE(coarsened_reduction::FactsOf({}).empty());
  EXPECT_TRUE(fast_matmul::FactsOf({}).empty());
}

/// Each number is the count of one thing, whose name stands in the evidence; what is no count of anything has
/// none.
TEST(FactsTest, ANumberIsNamedByWhatItCounts) {
  const auto sectors = [](double number) { return FactsOf({}, {"", number, kIdleMultiprocessors, "none"}); };
  const auto idle = [](double number) { return FactsOf({}, {"", kSectorsPer1024, number, "none"}); };
  for (const double number : {12288, 128, 1536, 24576}) {
    ASSERT_EQ(sectors(number).size(), 1u) << number;
    EXPECT_EQ(sectors(number)[0].id, "when_not_to_number_counts");
  }
  for (const double number : {75, 104, 107, 44}) {
    ASSERT_EQ(idle(number).size(), 1u) << number;
    EXPECT_EQ(idle(number)[0].id, "when_not_to_number_counts");
  }
  // A quarter of the sectors, and the lines of 128 bytes: the evidence says both.
  ASSERT_EQ(sectors(96).size(), 1u);
  EXPECT_EQ(sectors(96)[0].message, say::when_not_to_quarter("sectors_per_1024_elements", 96));
  EXPECT_EQ(English(idle(75)[0].message),
            "your answer idle_multiprocessors = 75 is what comes out if you launch one block more than the "
            "elements need. A block of 256 threads adds 2,048 elements with coarse_factor 8: how many blocks "
            "do the question's elements need, and how many does your formula give?");
  for (const double number : {1, 7, 100, 383, 385}) EXPECT_TRUE(sectors(number).empty()) << number;
  for (const double number : {1, 7, 77, 108}) EXPECT_TRUE(idle(number).empty()) << number;
}

TEST(FactsTest, ARightAnswerIsNoWrongIdea) {
  EXPECT_TRUE(FactsOf({}, {"", kSectorsPer1024, kIdleMultiprocessors, std::string(kPrice)}).empty());
}

// --- Limits, at figures that were counted by hand.
// ----------------------------------------------------------

TEST(LimitsTest, OperationsPerByteAreThoseOfTheBook) {
  const double operations = 2.0 * 128 * 128 * 128;
  EXPECT_DOUBLE_EQ(operations / static_cast<double>(coarsened_matmul::AllowedBytes(128)), 12.8);
  Counts counts;
  counts.flops = 262144;  // a phase of a block: 4 tiles of P, 32^3 products each
  counts.global_load_bytes = 20480;
  EXPECT_DOUBLE_EQ(coarsening::OperationsPerByte(counts), 12.8);
  EXPECT_EQ(coarsening::OperationsPerByte(Counts{}), 0);
  EXPECT_EQ(coarsened_matmul::AllowedBytes(129), 4u * 129 * 129 * (2 + 5));
}

/// Width 33, first columns 0 to 31. In the last row columns from 33 on lie behind the matrix: 31 second
/// columns, 32 third, 32 fourth. In the row above those from 66 on: 30 third, 32 fourth; above that from 99
/// on: 29.
TEST(LimitsTest, AccessesOfAFirstColumnThatDecidesForAll) {
  EXPECT_EQ(coarsened_matmul::WritesOutsideP(33), 95u + 62 + 29);
  EXPECT_EQ(coarsened_matmul::ReadsOutsideN(33), 2u * (95 + 62 + 29));
  EXPECT_EQ(coarsened_matmul::WritesOutsideP(128), 0u);
}

TEST(LimitsTest, ACoarsenedReductionNeedsLess) {
  const coarsened_reduction::Limits limits = coarsened_reduction::LimitsOf(65536);
  EXPECT_EQ(limits.threads, 65536u / 8 + 1024);
  EXPECT_LT(32u * 9 * 8, limits.barriers);   // 32 blocks of 256 threads, 9 barriers each
  EXPECT_GT(256u * 9 * 8, limits.barriers);  // not coarsened
  EXPECT_LT(32u, limits.atomics);
}

TEST(LimitsTest, AFastMatmulNeedsLess) {
  const fast_matmul::Limits limits = fast_matmul::LimitsOf(256);
  EXPECT_EQ(limits.shared_requests, 65536u);
  // 8 x 8 elements a thread, tiles of 128 x 128, steps of 8: 32 warps.
  EXPECT_LT(32u * 256 * 4, limits.shared_requests);
  EXPECT_LT(4u * 2 * 128 * 256 / 8, limits.sectors);
  EXPECT_LT(32u * (256 / 8 + 2), limits.barriers);
  EXPECT_GT(32u * 2 * (256 / 8), limits.barriers);
}

}  // namespace
}  // namespace warplings::when_not_to
