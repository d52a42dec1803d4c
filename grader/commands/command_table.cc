// SPDX-License-Identifier: Apache-2.0
#include "grader/commands/command.h"

namespace warplings {

std::vector<Command> AllCommands() {
  return {
      MakeListCommand(),  MakeCheckCommand(),    MakeRunCommand(),
      MakeGradeCommand(), MakeHandoutsCommand(), MakeDoctorCommand(),
      MakeNewCommand(),   MakeVerifyCommand(),   MakeSelftestCommand(),
  };
}

}  // namespace warplings
