// SPDX-License-Identifier: Apache-2.0
#include "grader/workbook/chapter_file.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "grader/base/spelling.h"
#include "grader/base/text.h"
#include "grader/core/count_names.h"
#include "grader/messages/toml.h"
#include "grader/workbook/table_reader.h"

namespace warplings {
namespace {

/// Checks a time that only the handouts show. It may be left out, and is not kept in Exercise.
void CheckMinutes(TableReader& table, const char* key) {
  constexpr std::int64_t kWeek = 7 * 24 * 60;
  if (table.Take(key)) table.Whole(key, 1, kWeek, say::must_be_minutes());
}

std::string ReadIdentifier(TableReader& table, const char* key) {
  std::string id = table.Text(key);
  if (!IsIdentifier(id)) {
    table.Fail(key, say::must_be_identifier(id));
  }
  return id;
}

MisconceptionText ReadMisconception(TableReader& table) {
  MisconceptionText result;
  result.id = ReadIdentifier(table, "id");
  result.title = table.Text("title");
  if (table.Take("fact_first")) result.fact_first = table.Flag("fact_first");
  if (!result.fact_first || table.Take("message")) result.message = table.Text("message");
  if (table.Take("hidden_on_gpu")) result.hidden_on_gpu = table.Text("hidden_on_gpu");
  result.told_by = table.Texts("told_by");
  table.Finish();
  return result;
}

/// A fact tells of one misconception.
void CheckToldBy(const TableReader& table, const MisconceptionText& text,
                 std::span<const MisconceptionText> others) {
  for (const MisconceptionText& other : others) {
    for (const std::string& fact : text.told_by) {
      if (std::ranges::count(other.told_by, fact) > 0)
        table.Fail("told_by", "'" + fact + "' tells of '" + other.id + "' already");
    }
  }
}

PointsRule ReadPointsRule(TableReader& table) {
  if (!table.Take("points_rule")) return PointsRule::kAllTests;
  const std::string rule = table.Text("points_rule");
  if (rule == "all_tests") return PointsRule::kAllTests;
  if (rule == "per_test") return PointsRule::kPerTest;
  table.Fail("points_rule", WithClosest(say::must_be_points_rule(), rule, {"all_tests", "per_test"}));
}

bool IsTestName(std::string_view name) {
  const std::size_t dot = name.find('.');
  const auto is_word = [](std::string_view word) {
    return !word.empty() &&
           std::ranges::all_of(word, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  };
  return dot != std::string_view::npos && is_word(name.substr(0, dot)) && is_word(name.substr(dot + 1));
}

std::vector<std::string> ReadProfiles(TableReader& table) {
  if (!table.Take("profiles")) return {"a100"};
  return table.Texts("profiles");
}

std::vector<std::string> ReadShownCounts(TableReader& table) {
  if (!table.Take("shown_counts")) return {};
  std::vector<std::string> counts = table.Texts("shown_counts");
  const std::vector<std::string> known(std::begin(kCountNames), std::end(kCountNames));
  for (const std::string& count : counts) {
    if (std::ranges::count(known, count) == 0)
      table.Fail("shown_counts", WithClosest(say::must_be_one_of(count, Joined(known, ", ")), count, known));
  }
  return counts;
}

std::optional<SpeedRubric> ReadSpeed(TableReader& exercise, double points) {
  if (!exercise.Take("speed")) return std::nullopt;
  TableReader table = exercise.Table("speed");
  SpeedRubric speed;
  speed.baseline = table.Text("baseline");
  speed.points = table.Points("points");
  if (speed.points > points) table.Fail("points", say::more_points_than_exercise());
  table.Finish();
  return speed;
}

Exercise ReadExercise(TableReader& table) {
  Exercise exercise;
  exercise.id = ReadIdentifier(table, "id");
  exercise.id_line = table.Line("id");
  exercise.title = table.Text("title");
  exercise.entry = ReadIdentifier(table, "entry");
  exercise.entry_line = table.Line("entry");
  exercise.points = table.Points("points");
  exercise.points_rule = ReadPointsRule(table);
  CheckMinutes(table, "minutes");
  exercise.hints = table.Texts("hints");
  exercise.starter_fails = table.Texts("starter_fails");
  for (const std::string& name : exercise.starter_fails) {
    if (!IsTestName(name)) table.Fail("starter_fails", say::no_test_name(name));
  }
  exercise.profiles = ReadProfiles(table);
  exercise.profiles_line = table.Line("profiles");
  exercise.shown_counts = ReadShownCounts(table);
  if (table.Take("answers")) exercise.has_answers = table.Flag("answers");
  exercise.speed = ReadSpeed(table, exercise.points);
  for (TableReader& each : table.Tables("misconception", 0)) {
    MisconceptionText text = ReadMisconception(each);
    if (std::ranges::count(exercise.misconceptions, text.id, &MisconceptionText::id) > 0) {
      each.Fail("id", say::id_there_twice(text.id));
    }
    CheckToldBy(each, text, exercise.misconceptions);
    exercise.misconceptions.push_back(std::move(text));
  }
  table.Finish();
  return exercise;
}

Chapter ReadChapter(TableReader& table) {
  Chapter chapter;
  chapter.title = table.Text("title");
  CheckMinutes(table, "reading_minutes");
  for (TableReader& each : table.Tables("exercise", 1)) {
    Exercise exercise = ReadExercise(each);
    if (std::ranges::count(chapter.exercises, exercise.id, &Exercise::id) > 0) {
      each.Fail("id", say::id_there_twice(exercise.id));
    }
    chapter.exercises.push_back(std::move(exercise));
  }
  table.Finish();
  return chapter;
}

}  // namespace

bool IsIdentifier(std::string_view name) {
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_part = [&](char c) { return is_lower(c) || (c >= '0' && c <= '9') || c == '_'; };
  return !name.empty() && name.size() <= 64 && is_lower(name.front()) && std::ranges::all_of(name, is_part);
}

Result<Chapter> ParseChapterFile(std::string_view text, const std::string& name) {
  const TomlFile file{name, say::correct_line_of_chapter()};
  return ReadToml<Chapter>(text, file, [](TableReader& table) { return ReadChapter(table); });
}

}  // namespace warplings
