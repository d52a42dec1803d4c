// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/command.h"

#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "grader/base/catalogue.h"
#include "grader/base/text.h"
#include "grader/base/thrown.h"
#include "grader/cli/typed_name.h"
#include "grader/core/layout.h"
#include "grader/messages/check_faults.h"
#include "grader/messages/command_line.h"

namespace warplings {

int ExitStatusOf(Blame blame) {
  switch (blame) {
    case Blame::kUsage: return kExitUsage;
    case Blame::kSubmission: return kExitNotPassed;
    case Blame::kGrader: return kExitGraderFault;
  }
  return kExitGraderFault;
}

void PrintLine(const Message& message) {
  std::printf("%s\n", AsTyped(Words(message)).c_str());
}

void Warn(const Message& message) {
  std::fprintf(stderr, "warplings: %s\n", AsTyped(Words(message)).c_str());
}

void WarnFurther(const Message& message) {
  std::fprintf(stderr, "  %s\n", AsTyped(Words(message)).c_str());
}

int ReportError(const Error& error) {
  std::fflush(stdout);
  // Errors name files and students, whose names may hold anything.
  std::fprintf(stderr, "warplings: %s\n", Printable(AsTyped(Words(error.message))).c_str());
  if (!error.next_step.empty())
    std::fprintf(stderr, "  %s\n", Printable(AsTyped(Words(error.next_step))).c_str());
  return ExitStatusOf(error.blame);
}

int RunGuarded(const std::function<int()>& work) {
  try {
    return work();
  } catch (...) {
    return ReportError(ErrorOfThrown());
  }
}

Option WorkbookOption(std::filesystem::path& root, std::string help) {
  const auto refuse_what_is_no_folder = [](const std::string& text) -> std::string {
    std::error_code fault;
    return std::filesystem::is_directory(text, fault) ? "" : Words(say::typed_no_folder(text));
  };
  return {.name = "--workbook",
          .target = &root,
          .help = std::move(help),
          .value_name = "DIR",
          .refuse = refuse_what_is_no_folder};
}

std::string ProgramVersion() {
  return WARPLINGS_VERSION;
}

bool IsStudentEdition() {
  std::error_code fault;
  const Layout layout = ThisLayout();
  return layout.is_installed && !std::filesystem::exists(layout.TeachingProgram(), fault);
}

Status NeedSourceTree(const std::string& verb) {
  if (!ThisLayout().is_installed) return Unit{};
  return UsageError(say::needs_source_tree(verb), say::clone_repository(verb));
}

Status NeedWorkbook(const std::filesystem::path& root) {
  const Layout layout = ThisLayout();
  if (!layout.is_installed || !(root.string() + "/").starts_with(layout.root.string() + "/")) return Unit{};
  return UsageError(say::folder_in_no_workbook(), say::go_to_made_folder());
}

}  // namespace warplings
