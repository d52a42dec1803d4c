// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/language.h"
#include "grader/base/result.h"

namespace warplings {

/// A wrong answer that many give, and what is behind it.
struct TypicalMistake {
  double answer = 0;  ///< Like Drill::answer.
  std::string why;    ///< One or two sentences: the mistake, not the right answer.
};

/// A short question with one answer, which a student works out on paper. It earns no points.
struct Drill {
  std::string id;  ///< Unique within the workbook.
  std::string question;
  std::vector<std::string> choices;  ///< As shown; empty if the answer is a number.
  std::vector<std::string> keys;     ///< The English choices, which are accepted in every language.
  std::string unit;                  ///< Of a number: "blocks", "%"; "" for a plain number.
  double answer = 0;                 ///< The number, or the index of the right choice.
  std::string why;                   ///< Why the answer is right; shown once the drill has been answered.
  std::vector<TypicalMistake> wrong;
};

/// Parses the text of one chapter's drills.toml:
///
///     [[drill]]
///     id = "blocks_along_x"
///     question = "A matrix has 100 columns. How many blocks of 16 x 16 threads does it need along x?"
///     answer = 7                      # a number of at least 0, or one of `choices`
///     choices = ["…", "…", "…"]       # at least three; may be left out
///     unit = "blocks"                 # may be left out
///     check = "ceil(100 / 16)"        # Python that computes the answer anew; the test `drills` runs it
///     why = "Six blocks have 96 columns, so the last 4 need a seventh."
///     [[drill.wrong]]                 # at least two
///     answer = 6
///     check = "100 // 16"             # may be left out
///     why = "You rounded down: the last 4 columns get no block."
///
/// `name` is the file's name in error messages. Every other key is an error.
Result<std::vector<Drill>> ParseDrills(std::string_view text, const std::string& name);

/// Replaces the texts of `drills` by those of a drills.LANGUAGE.toml, which has `question`, `unit`,
/// `choices`, `why` and `wrong`, a list of the words about the mistakes in the order of the English file.
/// Otherwise like TranslateChapter.
Status TranslateDrills(std::vector<Drill>& drills, std::string_view text, const std::string& name);

/// The drills of chapters/CHAPTER/drills.toml; none if there is no such file. For a student's workbook they
/// are read from this program's tree.
Result<std::vector<Drill>> LoadDrills(const std::filesystem::path& root, const std::string& chapter,
                                      std::string_view language = kEnglish);

enum class DrillVerdict {
  kRight,
  kWrong,
  kNotUnderstood,  ///< No number, or none of the choices.
};

struct DrillJudgement {
  DrillVerdict verdict = DrillVerdict::kNotUnderstood;
  double answer = 0;                        ///< What was understood.
  const TypicalMistake* mistake = nullptr;  ///< The mistake behind a wrong answer, if it is a typical one.
};

/// Judges what somebody typed: "1,024", "7 blocks", "50 %"; of choices the letter or the text. The handouts'
/// page does the same (handouts/interactive/drills.js).
DrillJudgement JudgeDrill(const Drill& drill, std::string_view typed);

/// An answer as it is shown: "7 blocks", "50 %", or the text of a choice.
std::string DrillAnswerText(const Drill& drill, double answer);

/// The letter of a choice: "a" for the first.
std::string DrillLetter(std::size_t choice);

}  // namespace warplings
