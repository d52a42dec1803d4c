// SPDX-License-Identifier: Apache-2.0
#include "grader/build/moved_pointers.h"

#include <gtest/gtest.h>

#include <string>

namespace warplings {
namespace {

/// Of the pointer into M that line 3 uses: "m += STEP in LINE", then what is known besides.
std::string Moved(const std::string& body) {
  const auto moved = FindMovedPointer(
      "__global__ void k(const float* M, float* P, int j, int k) {\n" + body + "\n}", 3, "M");
  if (!moved) return "";
  const std::string length =
      moved->length.empty() ? "" : ", rows of " + moved->length + " in " + std::to_string(moved->length_line);
  const std::string condition =
      moved->condition_line == 0 ? "" : ", checked in " + std::to_string(moved->condition_line);
  return moved->pointer + " += " + moved->step + " in " + std::to_string(moved->line) + length + condition;
}

TEST(MovedPointers, AreMovedInOnePlace) {
  EXPECT_EQ(Moved("const float* m = M + ty * j + row; for (int l = k; l > 0; l -= T) {\ns += c ? *m : 0;\nm "
                  "+= T * k; }"),
            "m += T * k in 4, rows of j in 2");
  EXPECT_EQ(Moved("const float* m = M + ty * j + row; for (int l = k; l > 0; l -= T) {\ns += c ? m[0] : "
                  "0;\nm += T * j; }"),
            "m += T * j in 4");
  EXPECT_EQ(Moved("const float* m = M + row * k; for (;;) {\ns += *m;\nm += T; }"), "m += T in 4");
  EXPECT_EQ(
      Moved("if (row < j) { float* m = M + row * k; for (int e = 0; e < 4; ++e) {\n*m = s;\nm += k; } }"),
      "m += k in 4, checked in 2");
  EXPECT_EQ(Moved("if (row < j) { float* m = M + row * k; for (int e = 0; e < 4; ++e) {\nif (e < j) *m = "
                  "s;\nm += k; } }"),
            "m += k in 4")
      << "the loop has a condition of its own";
}

TEST(MovedPointers, NothingInDoubt) {
  EXPECT_EQ(Moved("const float* m = M + row;\ns += *m;"), "") << "it does not move";
  EXPECT_EQ(Moved("const float* m = M + row; for (;;) {\ns += *m;\nm += T; m += j; }"), "");
  EXPECT_EQ(Moved("const float* m = M + row; for (;;) {\ns += *m;\nm += T; } m = M;"), "");
  EXPECT_EQ(Moved("const float* m = P + row; for (;;) {\ns += *m;\nm += T; }"), "") << "into another array";
  EXPECT_EQ(Moved("const float* m = M + row; for (;;) {\ns += a * b;\nm += T; }"), "");
}

std::string Passed(const std::string& index, const std::string& argument, const std::string& more = "") {
  const auto passed =
      FindPassedSum("__global__ void k(float* P, int l) {\nif (c < l)\nP[" + index +
                        "] = s;\n}\nvoid f(float* P) {\nk<<<1, 32>>>(" + argument + ", 4);\n" + more + "}",
                    3, "P", {"row", "col"});
  return passed ? std::to_string(passed->line) + " " + passed->sum : "";
}

TEST(MovedPointers, ALaunchPassesASum) {
  EXPECT_EQ(Passed("row * l + col", "P + done * l"), "6 P + done * l");
  EXPECT_EQ(Passed("row * l + c", "P + done * l"), "") << "c may be anything";
  EXPECT_EQ(Passed("row * l + 1", "P + done * l"), "");
  EXPECT_EQ(Passed("row * l + col", "P"), "");
  EXPECT_EQ(Passed("row * l + col", "P + done * l", "k<<<1, 32>>>(P, 4);"), "")
      << "which of the two launches?";
}

}  // namespace
}  // namespace warplings
