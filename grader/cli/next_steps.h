// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "grader/core/layout.h"
#include "grader/pipeline/progress.h"
#include "grader/pipeline/workbook_view.h"

namespace warplings {

/// How much of a chapter, or of the whole workbook, has been passed.
struct Passed {
  std::size_t exercises = 0, of = 0;
  double points = 0, max_points = 0;
};
Passed PassedOf(const Chapter& chapter, const Progress& progress);

/// "[######....] 2 of 3 exercises, 15 of 25 points".
std::string ProgressBar(const Passed& passed);

/// "Chapter 1, Boundary checks: [######....] ...", including a newline.
std::string ChapterLine(const Chapter& chapter, const Progress& progress);

/// The next exercise: its file, how to check it, and the handout's section; after the last exercise, what to
/// read next. `layout.root` is the workbook's, whose history says where its owner is.
std::string WhatComesNext(const Workbook& workbook, const Progress& progress, const Layout& layout,
                          std::size_t columns);

/// "  handout  PAGE#EXERCISE" with a newline, or how to build that page. `layout.root` is the workbook's.
std::string HandoutOf(const Exercise& exercise, const Layout& layout, std::size_t columns);

}  // namespace warplings
