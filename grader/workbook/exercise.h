// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/language.h"
#include "grader/base/result.h"
#include "grader/core/speed_result.h"
#include "grader/core/test_result.h"

namespace warplings {

/// A misconception of an exercise, as chapter.toml describes it to the student.
struct MisconceptionText {
  std::string id;       ///< Its mutant is tests/mutants/CHAPTER/EXERCISE.ID.cu.
  std::string title;    ///< "The load from N has no guard of its own".
  std::string message;  ///< A short paragraph that says what to think about, not what to type.
  /// Why no test fails for it on a real card, so that only the virtual GPU shows it; "" if a card shows it,
  /// too.
  std::string hidden_on_gpu{};
  /// Ids of the facts that tell of it; never empty. A fact tells of one misconception of an exercise at most.
  std::vector<std::string> told_by{};
  /// Whether reports begin with the fact that told of it, in place of the title: where one misconception
  /// stands for many mistakes, the fact names the one that was made.
  bool fact_first = false;
};

/// How passed tests become points; `points_rule` in chapter.toml.
enum class PointsRule {
  kAllTests,  ///< "all_tests", the default: all points when every test passed, none otherwise.
  kPerTest,   ///< "per_test": in proportion to the tests passed; see PassedShare.
};

/// How speed on a card is graded; [exercise.speed] in chapter.toml.
struct SpeedRubric {
  std::string baseline;  ///< What the exercise improves on, in words; the kernel is in reference/baselines/.
  double points = 0;  ///< How many of the exercise's points depend on the measured speedup over the baseline.
};

struct Exercise {
  std::string chapter;  ///< "01_boundary_checks"
  std::string id;  ///< "tiled_matmul"; also the stem of the names of starter, contract, solution and suite.
  std::string title;
  std::string entry;        ///< Function that the contract declares.
  std::string declaration;  ///< Its declaration as the contract header spells it, for messages.
  double points = 0;
  PointsRule points_rule = PointsRule::kAllTests;
  std::vector<std::string> hints;  ///< In order: each tells more than the one before.
  std::vector<MisconceptionText> misconceptions;
  /// The counts that it teaches (kCountNames), which a short report shows once the values are right.
  std::vector<std::string> shown_counts;
  std::vector<std::string> starter_fails;  ///< GoogleTest names that the untouched starter fails.
  /// Device profiles, among them "a100", on which the solution must pass; `warplings verify` tries each.
  std::vector<std::string> profiles;
  /// True if the exercise also asks questions: the answers for a submission F.cu are beside it in F.toml.
  bool has_answers = false;
  std::optional<SpeedRubric> speed;
  /// Lines of these keys in chapter.toml, for faults that only the tree shows; 0 if it was not read.
  int id_line = 0, entry_line = 0, profiles_line = 0;

  std::filesystem::path starter;   ///< chapters/CHAPTER/ID.cu
  std::filesystem::path contract;  ///< chapters/CHAPTER/ID.h
  /// The contract's text with its comments in the chosen language; empty where it is there in English only.
  std::string translated_contract;
  /// solutions/CHAPTER/ID.cu; empty if there is none (in a student edition).
  std::filesystem::path solution;
  std::filesystem::path baseline;  ///< reference/baselines/CHAPTER/ID.cu, if speed is graded.
};

struct Chapter {
  std::string id;  ///< "01_boundary_checks"
  int number = 0;  ///< 1
  std::string title;
  std::vector<Exercise> exercises;  ///< In the order of chapter.toml.
};

struct Workbook {
  std::vector<Chapter> chapters;
};

/// Reads every chapters/*/chapter.toml below `root`, with the translations of chapter.LANGUAGE.toml if there
/// are any. A broken file is a usage error that names file, line and key. From a student's workbook only the
/// files to edit are used; everything that they are judged by is read from this program's tree. A starter may
/// be missing there.
Result<Workbook> LoadWorkbook(const std::filesystem::path& root, std::string_view language = kEnglish);

/// Of some tests, those that count, and of these those that passed.
struct PassedTests {
  std::size_t passed = 0, counted = 0;
};

/// Scoring by tests: of those for which `counts` is true. To pass a test that the unchanged starter passes
/// earns nothing, or a file handed in as it was would earn points. To fail it costs as much as any failed
/// test, because an answer may break what worked.
PassedTests CountPassed(
    const Exercise& exercise, std::span<const TestResult> tests,
    const std::function<bool(const TestResult&)>& counts = [](const TestResult&) { return true; });

/// The share, 0 to 1, of these; nothing if no test counts.
std::optional<double> PassedShare(
    const Exercise& exercise, std::span<const TestResult> tests,
    const std::function<bool(const TestResult&)>& counts = [](const TestResult&) { return true; });

/// The points that these test results earn by the exercise's rule; 0 without any test.
///
/// If speed was graded on a card, SpeedRubric::points of the exercise's points are for speed and the rest are
/// for the tests. The tests earn their part by the rule; speed earns its part times SpeedResult::share, but
/// only if the tests earned anything. Without a graded speed the tests decide about all points.
double ScorePoints(const Exercise& exercise, std::span<const TestResult> tests,
                   const std::optional<SpeedResult>& speed = std::nullopt);

/// The exercises that the argument WHAT of the command line selects: "1", "01_boundary_checks",
/// "tiled_matmul" or "01_boundary_checks/tiled_matmul". An unknown or ambiguous name is a usage error that
/// lists the valid ones. The pointers are valid as long as the workbook.
Result<std::vector<const Exercise*>> SelectExercises(const Workbook& workbook, const std::string& what);

/// The same of what a student types for his own exercise: a part of a name, too, of at least three letters,
/// if it fits one exercise.
Result<std::vector<const Exercise*>> SelectTyped(const Workbook& workbook, const std::string& what);

}  // namespace warplings
