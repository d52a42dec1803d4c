// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "grader/base/result.h"

namespace warplings {

/// Makes a student edition in `folder`, which does not exist or is empty: a workbook with the programs that
/// check it, and nothing to learn a solution from.
///
///     warplings             a link to program/bin/warplings
///     chapters/, README.md  what `warplings init` lays down: starters, contracts, answers to fill in
///     handouts/students/    pages, copied from `handouts`; none where that is empty
///     program/              an installed tree, without solutions, wrong answers, sources of the handouts and
///                           the verbs of those who teach; chapter.toml and the baselines are covered
///                           (grader/exercise/covered_texts.h)
///
/// `prefix` is an installed tree (PREFIX/bin, PREFIX/lib/warplings, PREFIX/share/warplings). What goes from
/// there is listed, so that nothing new gets into students' hands unasked. Everything is made beside `folder`
/// first and renamed into its place.
Status MakeStudentEdition(const std::filesystem::path& prefix, const std::filesystem::path& handouts,
                          const std::filesystem::path& folder, const std::string& version);

}  // namespace warplings
