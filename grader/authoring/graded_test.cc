// SPDX-License-Identifier: Apache-2.0
#include "grader/authoring/graded.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

TEST(GradedTest, SentencesOfAHeaderAreReadOverTheirLines) {
  const auto sentences = GradedInHeader(
      "#pragma once\n"
      "\n"
      "// C = A + B.\n"
      "//\n"
      "// Graded besides the values:\n"
      "//   - A block has 256 threads.\n"
      "//   - At most 24576 sectors of 32 bytes are loaded and stored in\n"
      "//     all.\n"
      "void add(const float* A);\n"
      "//   - Not one of them.\n");
  EXPECT_EQ(sentences,
            (std::vector<std::string>{"A block has 256 threads.",
                                      "At most 24576 sectors of 32 bytes are loaded and stored in all."}));
  EXPECT_TRUE(GradedInHeader("// C = A + B.\nvoid add();\n").empty());
}

TEST(GradedTest, AnotherNumberIsToldFromBothSides) {
  const auto differences =
      DifferencesInGrading({"At most 64 elements."}, {"At most 65 elements.", "No atomics."});
  ASSERT_EQ(differences.size(), 3u);
  EXPECT_NE(differences[0].find("does not say: \"At most 65 elements.\""), std::string::npos);
  EXPECT_NE(differences[2].find("does not grade: \"At most 64 elements.\""), std::string::npos);
  EXPECT_TRUE(DifferencesInGrading({"a", "b"}, {"b", "a"}).empty());
}

TEST(GradedTest, AMissingSuiteIsAnError) {
  EXPECT_FALSE(GradedInSuite("/nonexistent/suite").ok());
}

}  // namespace
}  // namespace warplings
