// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "grader/core/result.h"

namespace warplings {

/// The program's exit statuses; nothing else is returned by a command, except by `run`, which hands
/// on its program's own.
enum ExitStatus : int {
  kExitPassed = 0,        ///< Everything that was asked for passed.
  kExitNotPassed = 1,     ///< Something of the submission's did not.
  kExitUsage = 2,         ///< Wrong usage: option, path, unknown exercise, broken chapter.toml.
  kExitGraderFault = 3,   ///< This machine or our own code failed.
  kExitInterrupted = 130  ///< Ctrl-C, as a shell reports it.
};

/// One verb of the command line: a row of the table in command_table.cc.
struct Command {
  std::string name;
  std::string help;  ///< One line, for the list of commands.
  /// Declares options and arguments on the verb's own parser, and its footer with examples. They are
  /// bound to variables that `run` shares (a shared_ptr held by both functions).
  std::function<void(CLI::App&)> configure;
  /// Does the work after parsing; returns the exit status.
  std::function<int()> run;
};

// Each is defined in the file named after its verb: check_command.cc, …
Command MakeListCommand();
Command MakeCheckCommand();
Command MakeRunCommand();
Command MakeGradeCommand();
Command MakeDoctorCommand();
Command MakeNewCommand();
Command MakeVerifyCommand();
Command MakeHandoutsCommand();
Command MakeSelftestCommand();

/// All verbs in the order in which the help lists them.
std::vector<Command> AllCommands();

/// Replaces the usage line that a parser makes up, for verbs that hand words on: "run [OPTIONS] PROGRAM
/// [ARG...]". (CLI11 has App::usage for it from 2.3 on; Debian 12 has 2.1.)
void SetUsage(CLI::App& app, const std::string& usage);

/// The exit status for a failure that somebody has to act on.
int ExitStatusOf(Blame blame);

/// Prints "warplings: MESSAGE" and the next step to standard error; returns the exit status.
int ReportError(const Error& error);

}  // namespace warplings
