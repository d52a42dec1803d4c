// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "grader/base/result.h"

namespace warplings {

/// Creates a student edition in `folder`, which must not exist or must be empty: a workbook with the programs
/// that check it, without anything that gives a solution away.
///
///     warplings             a link to program/bin/warplings
///     chapters/, README.md  what `warplings init` writes: starters, contracts, answer forms
///     handouts/students/    pages, copied from `handouts`; none where that is empty
///     program/              an installed tree, without solutions, wrong answers, sources of the handouts and
///                           the verbs of those who teach; chapter.toml and the baselines are covered
///                           (grader/workbook/covered_texts.h)
///
/// `prefix` is an installed tree (PREFIX/bin, PREFIX/lib/warplings, PREFIX/share/warplings). Only files on an
/// explicit list are copied from it, so that a new file does not reach students by accident. Everything is
/// made in a folder beside `folder` first, which is then renamed.
Status MakeStudentEdition(const std::filesystem::path& prefix, const std::filesystem::path& handouts,
                          const std::filesystem::path& folder, const std::string& version);

}  // namespace warplings
