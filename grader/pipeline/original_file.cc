// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/original_file.h"

#include <optional>
#include <sstream>
#include <vector>

#include "grader/base/atomic_file.h"
#include "grader/base/messages.h"
#include "grader/base/program_output.h"
#include "grader/core/layout.h"
#include "grader/messages/check_faults.h"
#include "grader/pipeline/workbook_view.h"
#include "grader/workbook/laid_down.h"
#include "grader/workbook/student_workbook.h"

namespace warplings {
namespace {

/// git's output if it succeeds.
std::optional<std::string> Git(const std::filesystem::path& folder, const std::vector<std::string>& words) {
  std::vector<std::string> all = {"git", "-C", folder.string()};
  all.insert(all.end(), words.begin(), words.end());
  const auto output = CaptureOutput(all, ErrorText::kDropped);
  if (!output || output->status != 0) return std::nullopt;
  return output->text;
}

}  // namespace

Result<std::string> OriginalText(const std::filesystem::path& workbook_root,
                                 const std::filesystem::path& file) {
  const std::string relative = std::filesystem::proximate(file, workbook_root).string();
  // A workbook that `init` made came out of this program's tree.
  if (IsStudentWorkbook(workbook_root)) return ReadSubmission(ThisLayout().root / relative);
  // Whoever commits answers has them in HEAD; the branch that is followed still has the starter.
  for (const char* revision : {"@{upstream}", "HEAD"}) {
    if (auto text = Git(workbook_root, {"show", revision + (":./" + relative)})) return *text;
  }
  return UsageError(say::no_original(relative), say::original_is_in_git());
}

Result<std::string> UnchangedStarter(const std::filesystem::path& root, const std::filesystem::path& file) {
  auto present = ReadSubmission(file);
  if (!std::filesystem::exists(root / kStarterList)) return present;
  const std::string relative = std::filesystem::proximate(file, root).string();
  const auto is_starter = [&](const std::string& text) {
    return StarterListHas(root, relative, HashOfText(text));
  };
  if (present && is_starter(*present)) return present;
  // Answers may have been committed more than once.
  std::istringstream commits(
      Git(root, {"log", "--format=%H", "HEAD", "--", relative}).value_or(std::string()));
  for (std::string commit; commits >> commit;) {
    if (auto text = Git(root, {"show", commit + (":./" + relative)}); text && is_starter(*text)) return *text;
  }
  return UsageError(say::no_original(relative), say::original_is_in_git());
}

Result<std::string> ReplaceKeepingBackup(const std::filesystem::path& file, const std::string& text) {
  std::string backup;
  std::error_code fault;
  if (std::filesystem::exists(file)) {
    backup = file.string() + ".bak";
    for (int number = 2; std::filesystem::exists(backup); ++number) {
      backup = file.string() + ".bak" + std::to_string(number);
    }
    // The file itself stays until the new one takes its place.
    std::filesystem::copy_file(file, backup, fault);
    if (fault) return UsageError(say::cannot_write(backup, fault.message()));
  }
  const Status written = WriteFileAtomically(file, text);
  if (!written) return written.error();
  return backup;
}

}  // namespace warplings
