// SPDX-License-Identifier: Apache-2.0
#include "grader/workbook/student_workbook.h"

#include <algorithm>
#include <system_error>

#include "grader/base/language.h"

namespace warplings {

namespace fs = std::filesystem;

fs::path LaidDownFile(const fs::path& workbook) {
  return workbook / kWorkbookMarker / "laid_down";
}

bool IsStudentWorkbook(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(LaidDownFile(folder), ignored);
}

std::optional<fs::path> FindStudentWorkbook(const fs::path& folder) {
  std::error_code fault;
  fs::path at = fs::absolute(folder, fault).lexically_normal();
  if (fault) return std::nullopt;
  for (;; at = at.parent_path()) {
    if (IsStudentWorkbook(at)) return at;
    if (!at.has_relative_path()) return std::nullopt;
  }
}

fs::path CurrentWorkbook() {
  std::error_code fault;
  const fs::path here = fs::current_path(fault);
  const auto found = fault ? std::nullopt : FindStudentWorkbook(here);
  return found ? *found : ThisLayout().root;
}

Layout LayoutOfCurrentWorkbook() {
  Layout layout = ThisLayout();
  layout.root = CurrentWorkbook();
  return layout;
}

std::filesystem::path FolderOfBuiltHandouts(const Layout& layout) {
  if (!layout.is_installed) return layout.build / "handouts";
  std::error_code fault;
  const auto workbook = FindStudentWorkbook(std::filesystem::current_path(fault));
  return workbook ? *workbook / "handouts" : "handouts";
}

std::filesystem::path FolderOfHandoutsToRead(const Layout& layout) {
  std::filesystem::path built = FolderOfBuiltHandouts(layout);
  std::error_code fault;
  if (std::filesystem::exists(built / "students", fault)) return built;
  // Of this program's own tree: the root of `layout` is the workbook.
  std::filesystem::path packed = ThisLayout().PackedHandoutFolder();
  return std::filesystem::exists(packed / "students", fault) ? packed : built;
}

std::filesystem::path PageToRead(const std::filesystem::path& folder, const std::string& page,
                                 const std::vector<std::string>& languages) {
  const bool has_chosen = std::ranges::count(languages, ChosenLanguage()) > 0;
  const std::string language = has_chosen ? ChosenLanguage() : languages.front();
  return (language == kEnglish ? folder : folder / language) / page;
}

std::filesystem::path HandoutPageToRead(const Layout& layout, const std::string& page) {
  const std::filesystem::path folder = FolderOfHandoutsToRead(layout) / "students";
  std::vector<std::string> languages = {std::string(kEnglish)};
  std::error_code fault;
  if (std::filesystem::exists(folder / ChosenLanguage() / page, fault)) languages.push_back(ChosenLanguage());
  return PageToRead(folder, page, languages);
}

}  // namespace warplings
