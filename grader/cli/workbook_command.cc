// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/workbook_command.h"

#include <cstdlib>
#include <string_view>

#include "grader/base/shell.h"
#include "grader/cli/typed_name.h"
#include "grader/core/layout.h"
#include "grader/pipeline/original_file.h"
#include "grader/workbook/lay_out.h"
#include "grader/workbook/student_workbook.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

/// Quoted only where it has to be: these words are read by people.
std::string Quoted(const std::string& path) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@%,:=";
  return path.find_first_not_of(kPlain) == path.npos ? path : ShellWord(path);
}

/// A shell's word for an absolute path; "~/" stays outside of quotes.
std::string WordFor(const std::string& path) {
  const char* home = std::getenv("HOME");
  const std::string folder = home == nullptr ? "" : std::string(home) + "/";
  if (folder.size() > 1 && path.starts_with(folder)) return "~/" + Quoted(path.substr(folder.size()));
  return Quoted(path);
}

}  // namespace

std::string CommandInWorkbook(const fs::path& workbook) {
  std::error_code fault;
  const Layout layout = ThisLayout();
  if (!layout.is_installed) return WordFor((layout.root / "warplings").string());
  if (fs::exists(workbook / "warplings", fault) && fs::exists(workbook / "program", fault))
    return "./warplings";
  const fs::path typed = TypedName();
  return typed.has_parent_path() ? WordFor(fs::absolute(typed, fault).lexically_normal().string())
                                 : typed.string();
}

Result<std::string> HandedOutText(const fs::path& workbook, const fs::path& file) {
  auto text = OriginalText(workbook, file);
  if (!text || !IsStudentWorkbook(workbook)) return text;
  return TextInWorkbook(*text, CommandInWorkbook(workbook));
}

}  // namespace warplings
