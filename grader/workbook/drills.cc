// SPDX-License-Identifier: Apache-2.0
#include "grader/workbook/drills.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "grader/base/text.h"
#include "grader/core/layout.h"
#include "grader/messages/toml.h"
#include "grader/workbook/chapter_file.h"
#include "grader/workbook/covered_texts.h"
#include "grader/workbook/student_workbook.h"
#include "grader/workbook/table_reader.h"

namespace warplings {
namespace {

constexpr double kLargest = 1e15;  // A double holds every whole number up to there.

bool IsSame(double one, double other) {
  return std::abs(one - other) <= 1e-9 * std::max(1.0, std::abs(other));
}

double ReadAnswer(TableReader& table, const std::vector<std::string>& choices) {
  if (choices.empty()) return table.Number("answer", 0, kLargest);
  return static_cast<double>(table.Choice("answer", choices));
}

/// The test `drills` computes it.
void SkipCheck(TableReader& table) {
  if (table.Take("check")) table.Text("check");
}

void ReadMistakes(TableReader& table, Drill& drill) {
  for (TableReader& each : table.Tables("wrong", 2)) {
    TypicalMistake mistake{ReadAnswer(each, drill.choices), each.Text("why")};
    const auto same = [&](const TypicalMistake& other) { return IsSame(other.answer, mistake.answer); };
    if (IsSame(mistake.answer, drill.answer)) each.Fail("answer", say::mistake_is_the_answer());
    if (std::ranges::any_of(drill.wrong, same)) each.Fail("answer", say::mistake_there_twice());
    SkipCheck(each);
    each.Finish();
    drill.wrong.push_back(std::move(mistake));
  }
}

Drill ReadDrill(TableReader& table) {
  Drill drill;
  drill.id = table.Text("id");
  if (!IsIdentifier(drill.id)) table.Fail("id", say::must_be_identifier(drill.id));
  drill.question = table.Text("question");
  if (table.Take("choices")) drill.choices = table.Texts("choices");
  drill.keys = drill.choices;
  // Also "", which `chapters.py --add` writes.
  if (table.Take("unit") && !table.Node("unit").value_or(std::string("?")).empty())
    drill.unit = table.Text("unit");
  drill.answer = ReadAnswer(table, drill.choices);
  SkipCheck(table);
  drill.why = table.Text("why");
  ReadMistakes(table, drill);
  table.Finish();
  return drill;
}

std::string_view Trimmed(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

std::size_t CountDigits(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, IsDigit) - text.begin());
}

/// Takes a number such as "1,024" or "0.5" from the front of `text`.
std::optional<double> TakeNumber(std::string_view& text) {
  const auto take = [&](std::size_t count) {
    const std::string_view taken = text.substr(0, count);
    text.remove_prefix(count);
    return std::string(taken);
  };
  const std::size_t digits = CountDigits(text);
  if (digits == 0) return std::nullopt;
  std::string number = take(digits);
  while (!text.empty() && (text[0] == ',' || text[0] == '_') && CountDigits(text.substr(1)) == 3) {
    take(1);
    number += take(3);
  }
  if (text.size() >= 2 && text[0] == '.' && IsDigit(text[1])) number += take(1 + CountDigits(text.substr(1)));
  return std::strtod(number.c_str(), nullptr);
}

/// True for what may follow a number, a unit; false for the rest of a calculation or a second number.
bool IsUnit(std::string_view text) {
  if (text.empty() || text == "%") return true;
  if (text.front() == '-') text.remove_prefix(1);
  const auto is_letter = [](unsigned char c) {
    return c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  return !text.empty() && is_letter(static_cast<unsigned char>(text.front())) &&
         std::ranges::none_of(text, IsDigit);
}

std::optional<double> ReadNumber(std::string_view typed) {
  const std::optional<double> number = TakeNumber(typed);
  return number && IsUnit(Trimmed(typed)) ? number : std::nullopt;
}

std::optional<double> ReadChoice(const Drill& drill, std::string_view typed) {
  const std::string word = InLowerCase(typed);
  for (std::size_t i = 0; i < drill.choices.size(); ++i) {
    const std::string letter = DrillLetter(i);
    if (word == letter || word == letter + ")" || word == InLowerCase(drill.choices[i]) ||
        word == InLowerCase(drill.keys[i])) {
      return static_cast<double>(i);
    }
  }
  return std::nullopt;
}

}  // namespace

Result<std::vector<Drill>> ParseDrills(std::string_view text, const std::string& name) {
  const TomlFile file{name, say::correct_line_of_chapter()};
  return ReadToml<std::vector<Drill>>(text, file, [](TableReader& table) {
    std::vector<Drill> drills;
    for (TableReader& each : table.Tables("drill", 1)) {
      Drill drill = ReadDrill(each);
      if (std::ranges::count(drills, drill.id, &Drill::id) > 0)
        each.Fail("id", say::id_there_twice(drill.id));
      drills.push_back(std::move(drill));
    }
    table.Finish();
    return drills;
  });
}

Result<std::vector<Drill>> LoadDrills(const std::filesystem::path& root, const std::string& chapter,
                                      std::string_view language) {
  TreeTexts texts(IsStudentWorkbook(root) ? ThisLayout().root : root);
  const std::string stem = "chapters/" + chapter + "/drills.";
  const std::string english = stem + "toml", translated = stem + std::string(language) + ".toml";
  if (!texts.Has(english)) return std::vector<Drill>();
  const auto text = texts.Read(english);
  if (!text) return text.error();
  auto drills = ParseDrills(*text, english);
  if (!drills || language == kEnglish || !texts.Has(translated)) return drills;
  const auto words = texts.Read(translated);
  if (!words) return words.error();
  if (const Status status = TranslateDrills(*drills, *words, translated); !status) return status.error();
  return drills;
}

DrillJudgement JudgeDrill(const Drill& drill, std::string_view typed) {
  typed = Trimmed(typed);
  const std::optional<double> answer = drill.choices.empty() ? ReadNumber(typed) : ReadChoice(drill, typed);
  if (!answer) return {};
  if (IsSame(*answer, drill.answer)) return {DrillVerdict::kRight, *answer};
  DrillJudgement judgement{DrillVerdict::kWrong, *answer};
  for (const TypicalMistake& each : drill.wrong) {
    if (IsSame(each.answer, *answer)) judgement.mistake = &each;
  }
  return judgement;
}

std::string DrillAnswerText(const Drill& drill, double answer) {
  if (!drill.choices.empty()) return drill.choices[static_cast<std::size_t>(answer)];
  char number[32];
  std::snprintf(number, sizeof number, "%.15g", answer);
  // "1 blocks" is no English.
  const bool has_unit = !drill.unit.empty() && (answer != 1 || drill.unit == "%");
  return has_unit ? number + (" " + drill.unit) : number;
}

std::string DrillLetter(std::size_t choice) {
  return std::string(1, static_cast<char>('a' + choice));
}

}  // namespace warplings
