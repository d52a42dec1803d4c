// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>

#include "grader/commands/command.h"

namespace warplings {
namespace {

constexpr const char* kFooter =
    "Start here:\n"
    "  warplings check 1              check chapter 1; the report says what to do first\n"
    "  warplings check                check the next exercise that is not solved yet\n"
    "  warplings COMMAND --help       a command's options, with examples\n"
    "\n"
    "Exit status: 0 all passed, 1 something did not pass, 2 wrong usage, 3 the grader itself failed.";

/// CLI11 would only say that a subcommand is required.
bool IsUnknownVerb(const std::vector<Command>& commands, const std::string& word) {
  return !word.starts_with("-") &&
         std::none_of(commands.begin(), commands.end(), [&](const Command& c) { return c.name == word; });
}

/// CLI11's own exit codes start at 100; ours say who has to act.
int ReportParseError(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
    return app.exit(error) == 0 ? kExitPassed : kExitGraderFault;
  }
  std::string verb;
  for (const CLI::App* used : app.get_subcommands()) verb = used->get_name() + " ";
  return ReportError(UsageError(error.what(), "See: warplings " + verb + "--help"));
}

int Main(int argc, char** argv) {
  CLI::App app("A CUDA workbook that grades itself, with or without a GPU.", "warplings");
  app.set_version_flag("--version", "warplings " WARPLINGS_VERSION);
  app.require_subcommand(1);
  app.footer(kFooter);

  const std::vector<Command> commands = AllCommands();
  std::function<int()> chosen;
  for (const Command& command : commands) {
    CLI::App* verb = app.add_subcommand(command.name, command.help);
    command.configure(*verb);
    verb->callback([&chosen, &command] { chosen = command.run; });
  }
  if (argc < 2) {
    std::cerr << app.help();
    return kExitUsage;
  }
  if (IsUnknownVerb(commands, argv[1])) {
    return ReportError(
        UsageError("there is no command '" + std::string(argv[1]) + "'", "See: warplings --help"));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return ReportParseError(app, error);
  }
  return chosen();
}

}  // namespace
}  // namespace warplings

int main(int argc, char** argv) {
  return warplings::Main(argc, argv);
}
