// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/original_file.h"

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <optional>

#include "grader/base/atomic_file.h"
#include "grader/core/layout.h"
#include "grader/exercise/student_workbook.h"
#include "grader/pipeline/workbook_view.h"

namespace warplings {
namespace {

std::string Quoted(const std::string& word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

/// What git prints, where it succeeds.
std::optional<std::string> Git(const std::filesystem::path& folder, const std::string& arguments) {
  FILE* pipe = ::popen(("git -C " + Quoted(folder) + " " + arguments + " 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) return std::nullopt;
  std::string text;
  std::array<char, 4096> bytes;
  for (std::size_t n; (n = std::fread(bytes.data(), 1, bytes.size(), pipe)) > 0;)
    text.append(bytes.data(), n);
  const int status = ::pclose(pipe);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  return text;
}

}  // namespace

Result<std::string> OriginalText(const std::filesystem::path& workbook_root,
                                 const std::filesystem::path& file) {
  const std::string relative = std::filesystem::proximate(file, workbook_root).string();
  // A workbook that `init` made came out of this program's tree.
  if (IsStudentWorkbook(workbook_root)) return ReadSubmission(ThisLayout().root / relative);
  // Whoever commits answers has them in HEAD; the branch that is followed still has the starter.
  for (const char* revision : {"@{upstream}", "HEAD"}) {
    if (auto text = Git(workbook_root, "show " + Quoted(revision + (":./" + relative)))) return *text;
  }
  return UsageError("there is no original of " + relative + " to go back to",
                    "It is looked for in git: is this folder a clone of the workbook, and git installed?");
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
    if (fault) return UsageError("cannot write " + backup + ": " + fault.message());
  }
  const Status written = WriteFileAtomically(file, text);
  if (!written) return written.error();
  return backup;
}

}  // namespace warplings
