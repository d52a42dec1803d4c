// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/workbook_history.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "grader/base/atomic_file.h"
#include "grader/base/read_file.h"
#include "grader/core/json.h"
#include "grader/messages/check_faults.h"
#include "grader/messages/judging.h"
#include "grader/pipeline/progress.h"

namespace warplings {
namespace {

using nlohmann::json;

std::string TextAt(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

ExerciseHistory ReadExercise(const json& entry) {
  ExerciseHistory history;
  if (const auto failed = entry.find("failed_checks"); failed != entry.end() && failed->is_number_unsigned())
    history.failed_checks = *failed;
  history.misconception = TextAt(entry, "misconception");
  history.hinted_for = TextAt(entry, "hinted_for");
  if (const auto hints = entry.find("hints"); hints != entry.end() && hints->is_array()) {
    for (const json& each : *hints) {
      if (each.is_number_unsigned()) history.hints.insert(each.get<std::size_t>());
    }
  }
  return history;
}

/// The beginnings of a text's longer words: enough to tell "barrier" and "barriers" from everything else.
std::set<std::string> Stems(const std::string& text) {
  constexpr std::size_t kShortest = 4, kStem = 5;
  std::set<std::string> stems;
  std::string word;
  for (const char c : text + " ") {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalpha(letter) != 0) {
      word += static_cast<char>(std::tolower(letter));
      continue;
    }
    if (word.size() >= kShortest) stems.insert(word.substr(0, kStem));
    word.clear();
  }
  return stems;
}

/// The hint that shares most with a misconception's text, in words that few of the hints have; nothing where
/// none shares enough to be about the same thing.
std::optional<std::size_t> HintFor(const Exercise& exercise, const MisconceptionText& misconception) {
  constexpr double kEnough = 6.0;  // Below that, several hints say about as much.
  std::vector<std::set<std::string>> hints;
  for (const std::string& hint : exercise.hints) hints.push_back(Stems(hint));
  const std::set<std::string> wanted = Stems(misconception.title + " " + misconception.message);
  std::optional<std::size_t> best;
  double most = kEnough;
  for (std::size_t i = 0; i < hints.size(); ++i) {
    double score = 0;
    for (const std::string& stem : hints[i]) {
      if (!wanted.contains(stem)) continue;
      const auto having = std::ranges::count_if(hints, [&](const auto& each) { return each.contains(stem); });
      score += std::log(static_cast<double>(hints.size()) / static_cast<double>(having));
    }
    score /= std::sqrt(static_cast<double>(std::max<std::size_t>(hints[i].size(), 1)) / 20);
    if (score <= most) continue;
    most = score;
    best = i;
  }
  return best;
}

/// Who has stored no element yet has not come to the mistake that the report names: the first hint fits.
bool StoresNothing(const ExerciseResult& result) {
  bool misses_all = false;
  for (const TestResult& test : result.tests) {
    if (test.element_count == 0) continue;
    misses_all = test.wrong_count == test.element_count && !test.wrong.empty() &&
                 say::never_written.Made(test.wrong.front().note);
    if (!misses_all) return false;
  }
  return misses_all;
}

}  // namespace

std::filesystem::path WorkbookHistoryFile(const std::filesystem::path& workbook_root) {
  const std::filesystem::path progress = ProgressFile();
  if (progress.empty()) return {};
  std::error_code fault;
  std::filesystem::path root = std::filesystem::weakly_canonical(workbook_root, fault);
  if (fault) root = workbook_root;
  return progress.parent_path() / ("desk-" + HashText(root.string()) + ".json");
}

WorkbookHistory LoadWorkbookHistory(const std::filesystem::path& file) {
  const Result<json> read = FromJson<json>(ReadFile(file).value_or(""));
  WorkbookHistory state;
  if (!read || !read->is_object()) return state;
  state.last_checked = TextAt(*read, "last_checked");
  if (const auto drills = read->find("drills"); drills != read->end() && drills->is_array()) {
    for (const json& each : *drills) {
      if (each.is_string()) state.drills.insert(each.get<std::string>());
    }
  }
  const auto exercises = read->find("exercises");
  if (exercises == read->end() || !exercises->is_object()) return state;
  for (const auto& [name, entry] : exercises->items()) {
    if (entry.is_object()) state.exercises[name] = ReadExercise(entry);
  }
  return state;
}

Status SaveWorkbookHistory(const std::filesystem::path& file, const WorkbookHistory& state) {
  if (file.empty()) return GraderError(say::no_home_for_progress(), say::set_state_home());
  std::error_code ignored;  // Writing says what is wrong.
  std::filesystem::create_directories(file.parent_path(), ignored);
  json exercises = json::object();
  for (const auto& [name, history] : state.exercises) {
    exercises[name] = {{"failed_checks", history.failed_checks},
                       {"misconception", history.misconception},
                       {"hinted_for", history.hinted_for},
                       {"hints", history.hints}};
  }
  const json all = {{"last_checked", state.last_checked}, {"exercises", exercises}, {"drills", state.drills}};
  return WriteFileAtomically(file, DumpJson(all, 2) + "\n");
}

void NoteCheck(WorkbookHistory& state, const ExerciseResult& result) {
  if (result.verdict == Verdict::kGraderFault) return;
  state.last_checked = result.chapter + "/" + result.exercise;
  ExerciseHistory& history = state.exercises[state.last_checked];
  history.failed_checks = result.verdict == Verdict::kPassed ? 0 : history.failed_checks + 1;
  const bool has_name = !result.misconceptions.empty() && !StoresNothing(result);
  history.misconception = has_name ? result.misconceptions.front().id : "";
}

std::optional<std::size_t> NextHint(const Exercise& exercise, const ExerciseHistory& history) {
  const auto text = std::ranges::find(exercise.misconceptions, history.misconception, &MisconceptionText::id);
  if (text != exercise.misconceptions.end() && history.hinted_for != history.misconception) {
    const auto fitting = HintFor(exercise, *text);
    if (fitting && !history.hints.contains(*fitting)) return fitting;
  }
  for (std::size_t i = 0; i < exercise.hints.size(); ++i) {
    if (!history.hints.contains(i)) return i;
  }
  return std::nullopt;
}

}  // namespace warplings
