// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/cli/option.h"

namespace warplings {

/// The program's exit statuses; nothing else is returned by a command, except by `run`, which hands
/// on its program's own.
enum ExitStatus : int {
  kExitPassed = 0,        ///< Everything that was asked for passed.
  kExitNotPassed = 1,     ///< Something of the submission's did not.
  kExitUsage = 2,         ///< Wrong usage: option, path, unknown exercise, broken chapter.toml.
  kExitGraderFault = 3,   ///< This machine or our own code failed.
  kExitUnplaced = 4,      ///< `grade` only: graded, and something that was handed in is nobody's.
  kExitInterrupted = 130  ///< Ctrl-C, as a shell reports it.
};

/// Words of the command line that a verb hands on unread.
enum class Rest {
  kNone,           ///< There are none: every word is an option or an argument of the verb.
  kFromFirstWord,  ///< From the first word that is no option of the verb's on.
  kAnywhere        ///< All that the verb does not know.
};

/// One verb of the command line: a row of a table in command_table.cc.
struct Command {
  std::string name;
  std::string help;             ///< One line, for the list of commands.
  std::vector<Option> options;  ///< Bound to variables that `run` shares.
  std::string footer;           ///< Examples and exit status, behind the options' help.
  /// Does the work after parsing; returns the exit status.
  std::function<int()> run;
  Rest rest = Rest::kNone;
  std::vector<std::string>* rest_words = nullptr;
  bool is_of_other_program = false;  ///< `run` gets the whole command line, unread.
  std::string usage = {};  ///< "run [OPTIONS] PROGRAM [ARG...]", where the library's own would mislead.
};

// Each is defined in the file named after its verb: check_command.cc, …
Command MakeListCommand();
Command MakeCheckCommand();
Command MakeProfileCommand();
Command MakeRunCommand();
Command MakeGradeCommand();
Command MakeGradeSliceCommand();
Command MakeCourseCommand();
Command MakeExportCommand();
Command MakeOverrideCommand();
Command MakeStatisticsCommand();
Command MakeGradescopeBundleCommand();
Command MakePackageCommand();
Command MakeDoctorCommand();
Command MakeNewCommand();
Command MakeVerifyCommand();
Command MakeHandoutsCommand();
/// The same verb in a student edition, which holds built handouts and not what they are made of.
Command MakeBuiltHandoutsCommand();
Command MakeSelftestCommand();
Command MakeHintCommand();
Command MakeNextCommand();
Command MakeStatusCommand();
Command MakeResetCommand();
Command MakeSolutionCommand();
Command MakeWatchCommand();
Command MakeInitCommand();
Command MakeUpdateCommand();

/// The verbs of this program, in the order in which the help lists them. There are two programs, each with a
/// table of its own: `warplings-cli` for those who solve exercises, and `warplings-teach` for those who grade
/// and write them, which is compiled when one of its verbs is first asked for. The first knows the verbs of
/// the second by name and hands its command line on to it.
std::vector<Command> AllCommands();

/// A verb of `warplings-teach` as the other program lists it; `run` becomes that program.
Command TeachingCommand(const std::string& name);

/// The line of help of a verb of `warplings-teach`, which both programs show.
std::string TeachingHelp(const std::string& name);

/// Reads the command line, runs the verb that it names, and returns the exit status. Wrong usage is reported
/// here, with the verb whose help says more.
int RunCommandLine(const std::vector<Command>& commands, int argc, char** argv);

/// "0.1.0", from meson.build.
std::string ProgramVersion();

/// An error if this is an installed tree, which has nothing to compile or test: for verbs of authors.
Status NeedSourceTree(const std::string& verb);

/// The exit status for a failure that somebody has to act on.
int ExitStatusOf(Blame blame);

/// Prints "warplings: MESSAGE" and the next step to standard error; returns the exit status.
int ReportError(const Error& error);

}  // namespace warplings
