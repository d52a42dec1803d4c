// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "grader/base/result.h"
#include "grader/exercise/exercise.h"

namespace warplings {

/// Puts what stands in a chapter.LANGUAGE.toml into the place of the English texts of `chapter`. It has the
/// keys of chapter.toml, as far as they are what a student reads, and exercises and misconceptions by their
/// id, in any order:
///
///     title = "邊界檢查"
///     english = {title = "5bd0c6ee"}             # of what each text was translated from, see below
///     [[exercise]]
///     id = "tiled_matmul"
///     title = "…"
///     hints = ["…", "…"]
///     english = {title = "…", hints = ["…", "…"]}
///     [exercise.speed]
///     baseline = "…"
///     [[exercise.misconception]]
///     id = "m_load_unguarded"
///     title = "…"
///     message = """…"""
///
/// What is missing or "" stays English. What does not exist in English is passed over, so that an old
/// translation stops nobody; the test `translations` fails for it. That test also reads `english`: the first
/// eight digits of the SHA-256 of each English text, by which it sees that one has changed since it was
/// translated. A file that is not TOML, or that has a number where a text must be, is a usage error with file
/// and line.
Status TranslateChapter(Chapter& chapter, std::string_view text, const std::string& name);

}  // namespace warplings
