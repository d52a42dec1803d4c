// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/original_file.h"

#include <functional>
#include <iterator>
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

/// The first of the revisions' texts of the file for which `fits` holds.
std::optional<std::string> FindInGit(const std::filesystem::path& root, const std::string& file,
                                     const std::vector<std::string>& revisions,
                                     const std::function<bool(const std::string&)>& fits) {
  for (const std::string& revision : revisions) {
    if (auto text = Git(root, {"show", revision + (":./" + file)}); text && fits(*text)) return text;
  }
  return std::nullopt;
}

/// Those that changed the file, the last one first.
std::vector<std::string> CommitsOf(const std::filesystem::path& root, const std::string& file) {
  std::istringstream commits(Git(root, {"log", "--format=%H", "HEAD", "--", file}).value_or(std::string()));
  return {std::istream_iterator<std::string>(commits), {}};
}

}  // namespace

Result<std::string> OriginalText(const std::filesystem::path& workbook_root,
                                 const std::filesystem::path& file) {
  const std::string relative = std::filesystem::proximate(file, workbook_root).string();
  // A workbook that `init` made came out of this program's tree.
  const std::filesystem::path root = IsStudentWorkbook(workbook_root) ? ThisLayout().root : workbook_root;
  const auto present = ReadSubmission(root / relative);
  // Whoever commits answers has them in HEAD; the branch that is followed still has the starter.
  const std::vector<std::string> heads = {"@{upstream}", "HEAD"};
  if (!StarterListNames(root, relative)) {
    const auto committed = FindInGit(root, relative, heads, [](const std::string&) { return true; });
    if (committed) return *committed;
    // Nobody edits the files of an installed tree.
    if (ThisLayout().is_installed && root == ThisLayout().root) return present;
    return UsageError(say::no_original(relative), say::original_is_in_git());
  }
  const auto is_listed = [&](const std::string& text) {
    return StarterListHas(root, relative, HashOfText(text));
  };
  if (present && is_listed(*present)) return present;
  // Answers may have been committed more than once.
  auto found = FindInGit(root, relative, heads, is_listed);
  if (!found) found = FindInGit(root, relative, CommitsOf(root, relative), is_listed);
  if (!found) return UsageError(say::no_original(relative), say::original_is_in_git());
  return *std::move(found);
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
