// SPDX-License-Identifier: Apache-2.0
#include "grader/core/layout.h"

#include <system_error>

#include "grader/core/machine_tools.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

/// The PREFIX/lib/warplings that the running program belongs to, recognised by a file that only an
/// installation writes; empty in a build directory. The program's own path comes from the kernel, because the
/// tree may have been moved or the program started through a link.
fs::path InstalledPrograms() {
  std::error_code fault;
  fs::path folder = fs::read_symlink("/proc/self/exe", fault).parent_path();
  for (; folder.has_relative_path(); folder = folder.parent_path()) {
    if (folder.filename() != "warplings" || folder.parent_path().filename() != "lib") continue;
    if (fs::is_regular_file(folder / "installed", fault)) return folder;
  }
  return {};
}

}  // namespace

fs::path Layout::NewExerciseScript() const {
  return ThisLayout().root / "grader" / "authoring" / "new_exercise";
}

fs::path Layout::MessageFile(const std::string& language) const {
  return ThisLayout().root / "po" / (language + ".po");
}

fs::path Layout::PythonProgram() const {
  return ThisLayout().is_installed ? ReadMachineTools(ThisLayout().build).python : fs::path(WARPLINGS_PYTHON);
}

fs::path Layout::ClassReportScript() const {
  return ThisLayout().root / "grader" / "pages" / "class" / "class_report.py";
}

fs::path Layout::ProfilePageScript() const {
  return ThisLayout().root / "grader" / "pages" / "profile" / "profile_page.py";
}

Layout ThisLayout() {
  static const fs::path kInstalled = InstalledPrograms();
  if (kInstalled.empty()) return {WARPLINGS_SOURCE_ROOT, WARPLINGS_BUILD_ROOT};
  return {kInstalled.parent_path().parent_path() / "share" / "warplings", kInstalled, true};
}

}  // namespace warplings
