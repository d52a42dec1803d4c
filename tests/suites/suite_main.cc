// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/judge.h"

int main(int argc, char** argv) {
  return warplings::RunJudge(argc, argv);
}
