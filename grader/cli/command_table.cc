// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/command.h"

namespace warplings {

std::vector<Command> AllCommands() {
  std::vector<Command> commands = {
      MakeListCommand(),
      MakeCheckCommand(),
      MakeProfileCommand(),
      MakeHintCommand(),
      MakeDrillCommand(),
      MakeNextCommand(),
      MakeStatusCommand(),
      MakeResetCommand(),
      MakeSolutionCommand(),
      MakeWatchCommand(),
      MakeInitCommand(),
      MakeUpdateCommand(),
      MakeRunCommand(),
      MakeCcCommand(),
      TeachingCommand("grade"),
      TeachingCommand("grade-slice"),
      TeachingCommand("course"),
      TeachingCommand("override"),
      TeachingCommand("review"),
      TeachingCommand("export"),
      TeachingCommand("gradescope-bundle"),
      TeachingCommand("package"),
      TeachingCommand("statistics"),
      TeachingCommand("handouts"),
      MakeDoctorCommand(),
      TeachingCommand("new"),
      TeachingCommand("verify"),
      MakeSelftestCommand(),
  };
  if (!IsStudentEdition()) return commands;
  for (Command& command : commands) {
    if (command.name == "handouts") command = MakeBuiltHandoutsCommand();
  }
  std::erase_if(commands, [](const Command& command) {
    return command.is_of_other_program || command.name == "selftest";
  });
  return commands;
}

}  // namespace warplings
