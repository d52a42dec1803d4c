// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/core/class_grades.h"
#include "grader/core/layout.h"
#include "grader/exercise/exercise.h"

namespace warplings {

/// A check whose report or counts a handout shows. handouts/samples.toml lists them:
///
///     [[sample]]
///     id = "load_unchecked"                     # how the texts call it
///     exercise = "01_boundary_checks/tiled_matmul"
///     file = "tests/mutants/01_boundary_checks/tiled_matmul.m_load_unguarded.cu"
///     profile = "a100"                          # may be left out
struct HandoutSample {
  std::string id;
  const Exercise* exercise = nullptr;
  std::filesystem::path file;
  std::string profile;
};

/// The samples of these chapters, in the file's order. A broken file, an unknown exercise and a file that is
/// not there are usage errors.
Result<std::vector<HandoutSample>> ReadHandoutSamples(const Layout& layout, const Workbook& workbook,
                                                      const std::vector<const Chapter*>& chapters);

/// The table of contents, the same on every page: the chapters in order, their exercises, points and times.
/// Times are the handouts' own matter: they are read from chapter.toml here, and 0 where it says none.
Result<nlohmann::json> HandoutContents(const Workbook& workbook, const Layout& layout);

/// What a handout shows of a chapter's exercises: titles, points, times, contracts. With `answers`, for the
/// instructor's version, hints, misconceptions and solutions, too; a students' version never gets to see
/// them.
Result<nlohmann::json> HandoutChapter(const Chapter& chapter, bool answers);

/// Adds what a graded class did to HandoutChapter's JSON with answers: of each exercise that was graded
/// "graded" and "passed", and of its misconceptions "met", how many students; the most frequent come first.
/// Nobody is named.
void AddFrequencies(const ClassGrades& grades, nlohmann::json& chapter);

/// The languages of the handouts: folders below handouts/text that have words.json, English first.
std::vector<std::string> HandoutLanguages(const Layout& layout);

/// The handout's text in English; other languages stand beside it.
std::filesystem::path HandoutText(const Chapter& chapter, const Layout& layout);

/// A sentence for each chapter that has no handout.
std::vector<std::string> MissingHandouts(const Workbook& workbook, const Layout& layout);

}  // namespace warplings
