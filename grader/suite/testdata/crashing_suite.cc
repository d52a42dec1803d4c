// SPDX-License-Identifier: Apache-2.0
//
// A suite program for judge_test.cc that dies in the middle of a test.
#include <gtest/gtest.h>

#include <cstdlib>

#include "grader/suite/judge.h"

TEST(Crashing, Aborts) {
  std::abort();
}

int main(int argc, char** argv) {
  return warplings::RunJudge(argc, argv);
}
