// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/command.h"

namespace warplings {

std::vector<Command> AllCommands() {
  return {
      MakeListCommand(),
      MakeCheckCommand(),
      MakeProfileCommand(),
      MakeHintCommand(),
      MakeNextCommand(),
      MakeStatusCommand(),
      MakeResetCommand(),
      MakeSolutionCommand(),
      MakeWatchCommand(),
      MakeInitCommand(),
      MakeUpdateCommand(),
      MakeRunCommand(),
      TeachingCommand("grade"),
      TeachingCommand("grade-slice"),
      TeachingCommand("course"),
      TeachingCommand("override"),
      TeachingCommand("export"),
      TeachingCommand("gradescope-bundle"),
      TeachingCommand("statistics"),
      TeachingCommand("handouts"),
      MakeDoctorCommand(),
      TeachingCommand("new"),
      TeachingCommand("verify"),
      MakeSelftestCommand(),
  };
}

}  // namespace warplings
