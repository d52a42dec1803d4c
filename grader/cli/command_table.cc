// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "grader/cli/command.h"
#include "grader/core/layout.h"

namespace warplings {

namespace {

/// False in a student edition, which does not contain `warplings-teach`.
bool IsStudentEdition() {
  std::error_code fault;
  const Layout layout = ThisLayout();
  return layout.is_installed && !std::filesystem::exists(layout.TeachingProgram(), fault);
}

}  // namespace

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
