// SPDX-License-Identifier: Apache-2.0
#include "grader/build/wrapped_index.h"

#include <gtest/gtest.h>

#include <string>

#include "grader/messages/calls.h"
#include "grader/messages/findings.h"

namespace warplings {
namespace {

constexpr std::int64_t kWrapped = std::int64_t{1} << 32;

/// `line`: the finding's, the second one of the source.
std::string Explained(const std::string& line, std::int64_t meant = -1, Message object = "totals") {
  Finding finding;
  finding.where = {"mine.cu", 2};
  finding.object = object;
  finding.message = say::index_below_zero(say::reads(), say::numbered_element(object, kWrapped + meant),
                                          meant, kWrapped + meant);
  ExplainWrappedIndex(finding, "__global__ void k() {\n" + line + "\n}\n");
  return English(finding.message);
}

TEST(WrappedIndex, ANameMinusANumberIsQuoted) {
  const std::string begin = "the index is an unsigned number that went below 0 ";
  const std::string of_words = "reads element 4294967295 of totals: " + begin;
  EXPECT_EQ(Explained("x = totals[blockIdx.x - 1];"),
            of_words + "(`blockIdx.x - 1`, where `blockIdx.x` is 0)");
  EXPECT_EQ(Explained("x = totals[tile - 1u];"), of_words + "(`tile - 1`, where `tile` is 0)");
  EXPECT_EQ(Explained("x = totals[tile - 4] + row[t - 1];"), of_words + "(`tile - 4`, where `tile` is 3)");
  EXPECT_EQ(Explained("x = totals[blockIdx.x - 1];", -1, say::name_in_code("totals")),
            "reads `totals[4294967295]`: " + begin + "(`blockIdx.x - 1`, where `blockIdx.x` is 0)");
}

TEST(WrappedIndex, NothingIsSaidInDoubt) {
  const std::string plain =
      "reads element 4294967295 of totals: the index is an unsigned number that went below 0 (-1 became "
      "4294967295)";
  for (const char* line :
       {"x = sums[blockIdx.x - 1];", "x = totals[before];", "x = totals[row * k - 1];", "x = totals[a - b];",
        "x = totals[a - 1] + totals[b - 1];", "x = totals[blockIdx.x - 2];", "x = totals[", ""})
    EXPECT_EQ(Explained(line), plain) << line;
  EXPECT_EQ(
      Explained("", -1, say::name_in_code("totals")),
      "reads `totals[4294967295]`: the index is an unsigned number that went below 0 (-1 became 4294967295)");
}

}  // namespace
}  // namespace warplings
