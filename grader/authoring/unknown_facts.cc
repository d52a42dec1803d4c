// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "grader/authoring/verification.h"
#include "grader/base/read_file.h"
#include "grader/base/spelling.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;
using Words = std::set<std::string>;

void AddWords(const fs::path& file, Words& words) {
  const std::string text = ReadFile(file).value_or("");
  const auto is_part = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  for (auto at = text.begin(); at != text.end();) {
    const auto begin = std::find_if(at, text.end(), is_part);
    at = std::find_if_not(begin, text.end(), is_part);
    if (begin != at) words.emplace(begin, at);
  }
}

/// Of the sources in a folder: tests state nothing, and the suite of another exercise states nothing of this
/// one.
void AddWordsOfFolder(const fs::path& folder, Words& words) {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with("_test.cc") && !name.ends_with("_suite.cc")) AddWords(entry.path(), words);
  }
}

/// A source without white space and without what stands behind `//`.
std::string Code(const fs::path& file) {
  std::istringstream text(ReadFile(file).value_or(""));
  std::string code;
  for (std::string line; std::getline(text, line);) {
    line.resize(std::min(line.size(), line.find("//")));
    std::ranges::copy_if(line, std::back_inserter(code),
                         [](unsigned char c) { return std::isspace(c) == 0; });
  }
  return code;
}

}  // namespace

std::vector<std::string> MutantsLikeSolution(const Exercise& exercise, const Layout& layout) {
  const std::string solution = Code(exercise.solution);
  std::set<fs::path> mutants;
  for (const VerificationRun& run : PlanVerification(exercise, layout)) {
    if (run.kind == VerificationRun::Kind::kMutant) mutants.insert(run.file);
  }
  std::vector<std::string> found;
  for (const fs::path& mutant : mutants) {
    // Its mistake may be in its answers.
    if (fs::exists(fs::path(mutant).replace_extension(".toml"))) continue;
    if (!solution.empty() && Code(mutant) == solution)
      found.push_back(
          mutant.filename().string() +
          " is the solution, but for comments and white space: change what its misconception gets wrong");
  }
  return found;
}

std::vector<std::string> UnknownFacts(const Exercise& exercise, const Layout& layout) {
  const fs::path suites = fs::path("tests/suites"), folder = layout.root / suites / exercise.chapter;
  const fs::path suite = folder / (exercise.id + "_suite.cc");
  if (!fs::exists(suite)) return {};
  Words own, shared;
  AddWords(suite, own);
  AddWordsOfFolder(folder, own);
  const bool any_told =
      std::ranges::any_of(exercise.misconceptions, [](const auto& each) { return !each.told_by.empty(); });
  if (any_told && !own.contains("StateFactsWith")) {
    return {"the suite never calls StateFactsWith, so it states no fact, and no misconception is recognised"};
  }
  // A workbook in another place has the judge of this tree.
  for (const fs::path& root : {layout.root, ThisLayout().root}) {
    for (const fs::path& room : {suites / "common", fs::path("grader/suite"), fs::path("grader/messages")})
      AddWordsOfFolder(root / room, shared);
  }
  std::vector<std::string> candidates, unknown;
  std::ranges::copy_if(own, std::back_inserter(candidates),
                       [](const std::string& word) { return word.find('_') != std::string::npos; });
  for (const MisconceptionText& text : exercise.misconceptions) {
    for (const std::string& fact : text.told_by) {
      if (own.contains(fact) || shared.contains(fact)) continue;
      const std::string meant = ClosestCandidate(fact, candidates);
      unknown.push_back("told_by of " + text.id + ": no source of the suite has a fact " + fact +
                        (meant.empty() ? "" : "; did you mean " + meant + "?"));
    }
  }
  return unknown;
}

}  // namespace warplings
