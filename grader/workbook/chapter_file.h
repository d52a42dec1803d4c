// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "grader/base/result.h"
#include "grader/workbook/exercise.h"

namespace warplings {

/// Parses the text of one chapter.toml. Fills in everything that the file contains; paths and declarations
/// are left to the caller, who knows the tree. `name` is the file's name in error messages
/// ("chapters/01_x/chapter.toml").
///
///     title = "Boundary checks"
///     reading_minutes = 45                 # for the handouts; `verify` notes where it is missing
///     [[exercise]]
///     id = "tiled_matmul"                  # stem of starter, contract, solution and suite
///     title = "…"
///     entry = "tiled_matmul"               # function that the contract declares
///     points = 10
///     points_rule = "all_tests"            # or "per_test"; may be left out
///     minutes = 30                         # about what a student takes; likewise
///     hints = ["…", "…"]                   # each tells more than the one before
///     starter_fails = ["Suite.Test", "…"]  # what the untouched starter fails; with "per_test", only these
///     earn
///                                          # points
///     profiles = ["a100", "t4"]            # on which the solution must pass; may be left out: a100
///     shown_counts = ["global_loads", "…"] # counts that it teaches (grader/core/count_names.h): shown once
///                                          # the values are right; may be left out: none
///     answers = true                       # asks questions, too; may be left out
///     [exercise.speed]                     # graded on speed on a card; may be left out
///     baseline = "…"                       # what it improves on, in words
///     points = 2                           # of the exercise's points, for speed
///     [[exercise.misconception]]
///     id = "m_load_unguarded"
///     told_by = ["reads_outside_m"]        # facts of the suite that tell of it
///     title = "…"
///     message = """…"""                    # what to do; may be left out with fact_first
///     fact_first = true                    # begin with the fact in place of the title; may be left out
///     hidden_on_gpu = "…"                  # why a card does not show it; may be left out
///
/// Every other key is an error, so that a misspelt one is noticed.
Result<Chapter> ParseChapterFile(std::string_view text, const std::string& name);

/// True for names that are safe in a path: lower-case letters, digits and underscores, beginning with a
/// letter.
bool IsIdentifier(std::string_view name);

}  // namespace warplings
