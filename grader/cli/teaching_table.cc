// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/command.h"

namespace warplings {

std::vector<Command> AllCommands() {
  return {
      MakeGradeCommand(),   MakeGradeSliceCommand(), MakeCourseCommand(),     MakeHandoutsCommand(),
      MakeNewCommand(),     MakeOverrideCommand(),   MakeExportCommand(),     MakeGradescopeBundleCommand(),
      MakePackageCommand(), MakeReviewCommand(),     MakeStatisticsCommand(), MakeVerifyCommand()};
}

}  // namespace warplings
