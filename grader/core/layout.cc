// SPDX-License-Identifier: Apache-2.0
#include "grader/core/layout.h"

namespace warplings {

std::filesystem::path Layout::TemplateFolder() const {
  return std::filesystem::path(WARPLINGS_SOURCE_ROOT) / "grader" / "authoring" / "template";
}

std::filesystem::path Layout::MessageFile(const std::string& language) const {
  return std::filesystem::path(WARPLINGS_SOURCE_ROOT) / "po" / (language + ".po");
}

std::filesystem::path Layout::PythonProgram() const {
  return WARPLINGS_PYTHON;
}

std::filesystem::path Layout::ClassReportScript() const {
  return std::filesystem::path(WARPLINGS_SOURCE_ROOT) / "grader" / "report" / "class" / "class_report.py";
}

Layout ThisLayout() {
  return {WARPLINGS_SOURCE_ROOT, WARPLINGS_BUILD_ROOT};
}

}  // namespace warplings
