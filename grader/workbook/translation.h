// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "grader/base/result.h"
#include "grader/workbook/exercise.h"

namespace warplings {

/// Replaces the English texts of `chapter` by those of a chapter.LANGUAGE.toml. That file has those keys of
/// chapter.toml that a student reads, and names exercises and misconceptions by id, in any order:
///
///     title = "邊界檢查"
///     english = {title = "5bd0c6ee"}             # hashes of the originals, see below
///     [[exercise]]
///     id = "tiled_matmul"
///     title = "…"
///     contract = '''…'''                        # the text of ID.h, with its comments translated
///     hints = ["…", "…"]
///     english = {title = "…", contract = "…", hints = ["…", "…"]}
///     [exercise.speed]
///     baseline = "…"
///     [[exercise.misconception]]
///     id = "m_load_unguarded"
///     title = "…"
///     message = """…"""
///
/// A text that is missing or "" stays English. A text that has no English original is ignored, so that an
/// outdated translation does no harm; the test `translations` reports it. That test also reads `english`, the
/// first eight digits of the SHA-256 of each English text, to find texts that changed after they were
/// translated. A file that is not TOML, or that has a number in place of a text, is a usage error with file
/// and line.
Status TranslateChapter(Chapter& chapter, std::string_view text, const std::string& name);

}  // namespace warplings
