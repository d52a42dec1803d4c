// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
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

/// A wrong idea that a chapter knows: chapter.toml holds the one text that a student sees for it.
struct MisconceptionText {
  std::string id;       ///< Its mutant is tests/mutants/CHAPTER/EXERCISE.ID.cu.
  std::string title;    ///< "The load from N has no guard of its own".
  std::string message;  ///< A short paragraph; says what to think about, not what to type.
  /// Why no test fails on a real card for it, and only the virtual GPU tells; "" where the card shows it too.
  std::string hidden_on_gpu{};
};

/// How passed tests become points; `points_rule` in chapter.toml.
enum class PointsRule {
  kAllTests,  ///< "all_tests", the default: all points when every test passed, none otherwise.
  kPerTest,   ///< "per_test": in proportion to the tests passed.
};

/// How speed on a card is graded; [exercise.speed] in chapter.toml.
struct SpeedRubric {
  std::string baseline;  ///< What the exercise improves on, in words; the kernel is in reference/baselines/.
  double points = 0;     ///< How many of the exercise's points depend on the measured speedup.
};

struct Exercise {
  std::string chapter;  ///< "01_boundary_checks"
  std::string id;       ///< "tiled_matmul"; the stem of starter, contract, solution and suite.
  std::string title;
  std::string entry;        ///< Function that the contract declares.
  std::string declaration;  ///< That declaration as the contract header spells it, for messages.
  double points = 0;
  PointsRule points_rule = PointsRule::kAllTests;
  std::vector<std::string> hints;  ///< Staged: each tells more than the one before.
  std::vector<MisconceptionText> misconceptions;
  std::vector<std::string> starter_fails;  ///< GoogleTest names that the untouched starter fails.
  /// Profiles on which the solution must pass, "a100" among them; `warplings verify` tries each.
  std::vector<std::string> profiles;
  /// The exercise also asks questions: a submission F.cu has its answers beside it in F.toml.
  bool has_answers = false;
  std::optional<SpeedRubric> speed;

  std::filesystem::path starter;   ///< chapters/CHAPTER/ID.cu
  std::filesystem::path contract;  ///< chapters/CHAPTER/ID.h
  std::filesystem::path
      solution;  ///< solutions/CHAPTER/ID.cu; empty where there is none (a student's package).
  std::filesystem::path baseline;  ///< reference/baselines/CHAPTER/ID.cu, where speed is graded.
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

/// Reads every chapters/*/chapter.toml below `root`, with the texts of chapter.LANGUAGE.toml where there are
/// any. A broken file is a usage error that names file, line and key. In a student's workbook only the files
/// to edit are its own; everything that they are judged by is read from this program's tree, and a starter
/// may be missing.
Result<Workbook> LoadWorkbook(const std::filesystem::path& root, std::string_view language = kEnglish);

/// The points that these tests earn, by the exercise's rule; none without a test.
///
/// Where speed was graded, on a card, SpeedRubric::points of the exercise's points depend on it: the tests
/// earn by their rule of all the others, and of these the speedup's share, if the tests earned anything.
/// Everywhere else the tests decide about all points.
double ScorePoints(const Exercise& exercise, std::span<const TestResult> tests,
                   const std::optional<SpeedResult>& speed = std::nullopt);

/// The exercises that one WHAT of the command line names: "1", "01_boundary_checks", "tiled_matmul" or
/// "01_boundary_checks/tiled_matmul". An unknown or ambiguous name is a usage error that lists what
/// there is. Pointers live as long as the workbook.
Result<std::vector<const Exercise*>> SelectExercises(const Workbook& workbook, const std::string& what);

}  // namespace warplings
