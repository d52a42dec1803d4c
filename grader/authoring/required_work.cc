// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "grader/authoring/verification.h"
#include "grader/base/read_file.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

/// Of the line that contracts have by KernelGrading() (grader/suite/grading.cc).
constexpr const char* kPromise = "kernel must do the work itself";
constexpr const char* kCall = "RequireDeviceWork(";

constexpr const char* kInclude = "#include \"";

/// The suites' headers that the text includes.
std::vector<fs::path> HeadersIn(const std::string& text) {
  std::vector<fs::path> headers;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(kInclude + std::string("tests/suites/")))
      headers.emplace_back(
          line.substr(std::string(kInclude).size(), line.rfind('"') - std::string(kInclude).size()));
  }
  return headers;
}

/// What a header declares may be in any source of its folder that includes it.
std::vector<fs::path> SourcesOf(const fs::path& root, const fs::path& header) {
  std::vector<fs::path> sources = {header};
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(root / header.parent_path(), none)) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".cc") || name.ends_with("_suite.cc") || name.ends_with("_test.cc")) continue;
    if (std::ranges::count(HeadersIn(ReadFile(entry.path()).value_or("")), header) > 0)
      sources.push_back(header.parent_path() / name);
  }
  return sources;
}

bool Calls(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t call = line.find(kCall);
    if (call != std::string::npos && line.find("//") > call) return true;
  }
  return false;
}

/// Whether the source, or one behind a header that it includes, calls RequireDeviceWork.
bool RequiresWork(const fs::path& root, const fs::path& source, std::set<fs::path>& seen) {
  if (!seen.insert(source).second) return false;
  const std::string text = ReadFile(root / source).value_or("");
  if (Calls(text)) return true;
  for (const fs::path& header : HeadersIn(text)) {
    for (const fs::path& each : SourcesOf(root, header)) {
      if (RequiresWork(root, each, seen)) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<std::string> UnrequiredWork(const Exercise& exercise, const Layout& layout) {
  const fs::path header = fs::path("chapters") / exercise.chapter / (exercise.id + ".h");
  const fs::path suite = fs::path("tests/suites") / exercise.chapter / (exercise.id + "_suite.cc");
  if (ReadFile(layout.root / header).value_or("").find(kPromise) == std::string::npos) return {};
  if (!fs::exists(layout.root / suite)) return {};
  std::set<fs::path> seen;
  if (RequiresWork(layout.root, suite, seen)) return {};
  return {
      "the contract says that the kernel must do the work, and the suite never calls RequireDeviceWork: an "
      "answer that computes on the CPU gets all points. Call it after each comparison of an output, or take "
      "the sentence out of the contract"};
}

}  // namespace warplings
