// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/core/class_grades.h"
#include "grader/core/layout.h"
#include "grader/workbook/drills.h"
#include "grader/workbook/exercise.h"

namespace warplings {

/// A check whose report or counts are shown in a handout. handouts/samples.toml lists them:
///
///     [[sample]]
///     id = "load_unchecked"                     # its name in the texts
///     exercise = "01_boundary_checks/tiled_matmul"
///     file = "tests/mutants/01_boundary_checks/tiled_matmul.m_load_unguarded.cu"
///     profile = "a100"                          # may be left out
struct HandoutSample {
  std::string id;
  const Exercise* exercise = nullptr;
  std::filesystem::path file;
  std::string profile;
};

/// The samples of these chapters, in the file's order. An invalid samples.toml, an unknown exercise and a
/// missing file are usage errors.
Result<std::vector<HandoutSample>> ReadHandoutSamples(const Layout& layout, const Workbook& workbook,
                                                      const std::vector<const Chapter*>& chapters);

/// The table of contents, the same on every page: the chapters in order, their exercises, points and times in
/// minutes. Only handouts use the times, so they are read from chapter.toml here; 0 if there is none.
Result<nlohmann::json> HandoutContents(const Workbook& workbook, const Layout& layout);

/// The data of a chapter's exercises for a handout: titles, points, times, contracts. With `answers`, for the
/// instructors' version, also hints, misconceptions and solutions; these are never passed to the students'
/// version. The drills come with their answers in both versions: a student's page checks them.
Result<nlohmann::json> HandoutChapter(const Chapter& chapter, const std::vector<Drill>& drills, bool answers);

/// Adds a graded class's frequencies to HandoutChapter's JSON with answers: numbers of students, as "graded"
/// and "passed" for each graded exercise, and as "met" for each of its misconceptions, which are sorted by
/// frequency. No student is named.
void AddFrequencies(const ClassGrades& grades, nlohmann::json& chapter);

/// The languages of the handouts: folders below handouts/text that have words.json, English first.
std::vector<std::string> HandoutLanguages(const Layout& layout);

/// Path of the handout's English text; those in other languages are in the folders beside it.
std::filesystem::path HandoutText(const Chapter& chapter, const Layout& layout);

/// A sentence for each chapter that has no handout.
std::vector<std::string> MissingHandouts(const Workbook& workbook, const Layout& layout);

/// A sentence for each language in which the chapter has a handout and the exercise has no part of it.
std::vector<std::string> HandoutsWithout(const Exercise& exercise, const Layout& layout);

}  // namespace warplings
