// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/command.h"

int main(int argc, char** argv) {
  return warplings::RunCommandLine(warplings::AllCommands, argc, argv);
}
