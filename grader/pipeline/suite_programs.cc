// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/suite_programs.h"

#include <algorithm>
#include <filesystem>
#include <string>

#include "grader/messages/check_faults.h"
#include "grader/pipeline/run_program.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

/// The start time of the launcher's build that left this stamp; the distant past if there is none.
fs::file_time_type TimeOf(const fs::path& stamp) {
  std::error_code none;
  const fs::file_time_type time = fs::last_write_time(stamp, none);
  return none ? fs::file_time_type::min() : time;
}

bool IsUpToDate(const Exercise& exercise, const Layout& layout) {
  std::error_code ignored;
  if (!fs::exists(layout.SuiteProgram(exercise.chapter, exercise.id), ignored)) return false;
  const fs::file_time_type built = std::max(TimeOf(layout.LauncherStamp("suites")),
                                            TimeOf(layout.SuiteStamp(exercise.chapter, exercise.id)));
  return built >= TimeOf(layout.LauncherStamp("check"));
}

}  // namespace

Status BuildSuites(const std::vector<const Exercise*>& exercises, const Layout& layout,
                   const std::filesystem::path& launcher) {
  std::error_code ignored;
  if (!fs::exists(layout.LauncherStamp("check"), ignored)) return Unit{};
  std::vector<std::string> command = {launcher.string(), "--build-suites"};
  for (const Exercise* exercise : exercises) {
    if (!IsUpToDate(*exercise, layout)) command.push_back(exercise->chapter + "_" + exercise->id);
  }
  if (command.size() == 2) return Unit{};
  const Result<int> status = RunProgram(command);
  if (!status) return status.error();
  // It has said why, at length.
  if (*status != 0) return GraderError(say::suites_not_built(), say::reason_stands_above());
  return Unit{};
}

}  // namespace warplings
