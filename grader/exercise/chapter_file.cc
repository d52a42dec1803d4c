// SPDX-License-Identifier: Apache-2.0
#include "grader/exercise/chapter_file.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>

namespace warplings {
namespace {

/// Leaves the parser from any depth; does not leave this file.
struct BrokenFile {
  Error error;
};

/// One table of the file. Each accessor takes one key; Finish() complains about those nobody took.
class TableReader {
 public:
  TableReader(const std::string& file, std::string prefix, const toml::table& table)
      : file_(file), prefix_(std::move(prefix)), table_(table) {}

  std::string Text(const char* key) {
    const toml::node& node = Required(key);
    const auto* value = node.as_string();
    if (value == nullptr || IsBlank(value->get())) Fail(node, key, "must be a text that is not empty");
    return value->get();
  }

  bool Flag(const char* key) {
    const toml::node& node = Required(key);
    if (!node.is_boolean()) Fail(node, key, "must be true or false");
    return node.as_boolean()->get();
  }

  std::string Identifier(const char* key) {
    std::string id = Text(key);
    if (!IsIdentifier(id)) {
      Fail(Required(key), key,
           "'" + id + "' must be lower-case letters, digits and underscores, a letter first, 64 at most");
    }
    return id;
  }

  double Points(const char* key) {
    const toml::node& node = Required(key);
    const auto value = node.is_number() ? node.value<double>() : std::nullopt;
    if (!value || !std::isfinite(*value) || *value < 0) Fail(node, key, "must be a number of at least 0");
    return *value;
  }

  /// A time that only the handouts show: it may be left out, and is none of an exercise's data.
  void CheckMinutes(const char* key) {
    Allow(key);
    if (!Has(key)) return;
    constexpr std::int64_t kWeek = 7 * 24 * 60;
    const auto* minutes = Required(key).as_integer();
    if (minutes == nullptr || minutes->get() < 1 || minutes->get() > kWeek) {
      Fail(key, "must be a whole number of minutes, at least 1");
    }
  }

  std::vector<std::string> Texts(const char* key) {
    const toml::node& node = Required(key);
    const auto* list = node.as_array();
    if (list == nullptr || list->empty()) Fail(node, key, "must be a list of at least one text");
    std::vector<std::string> texts;
    for (const toml::node& element : *list) {
      const auto* text = element.as_string();
      if (text == nullptr || IsBlank(text->get())) Fail(element, key, "must hold texts that are not empty");
      if (std::ranges::count(texts, text->get()) > 0) Fail(element, key, "says '" + text->get() + "' twice");
      texts.push_back(text->get());
    }
    return texts;
  }

  bool Has(const char* key) const { return table_.contains(key); }

  /// The tables of [[prefix.key]]; at least `minimum` of them.
  std::vector<TableReader> Tables(const char* key, std::size_t minimum) {
    std::vector<TableReader> readers;
    if (!Has(key) && minimum == 0) return readers;
    const toml::node& node = Required(key);
    const auto* list = node.as_array();
    if (list == nullptr || list->size() < minimum)
      Fail(node, key, "must be a list of tables: [[" + Path(key) + "]]");
    for (const toml::node& element : *list) {
      if (element.as_table() == nullptr)
        Fail(element, key, "must be a list of tables: [[" + Path(key) + "]]");
      readers.emplace_back(file_, Path(key), *element.as_table());
    }
    return readers;
  }

  /// The table [prefix.key].
  TableReader Table(const char* key) {
    const toml::node& node = Required(key);
    if (node.as_table() == nullptr) Fail(node, key, "must be a table: [" + Path(key) + "]");
    return TableReader(file_, Path(key), *node.as_table());
  }

  void Finish() const {
    for (const auto& [key, node] : table_) {
      const std::string name(key.str());
      if (taken_.contains(name)) continue;
      std::string known;
      for (const std::string& each : taken_) known += (known.empty() ? "" : ", ") + each;
      Fail(node, name.c_str(), "is not a key that exists here; those are " + known);
    }
  }

  [[noreturn]] void Fail(const char* key, const std::string& what) const {
    const toml::node* node = table_.get(key);
    Fail(node != nullptr ? *node : table_, key, what);
  }

  void Allow(const char* key) { taken_.insert(key); }

 private:
  static bool IsBlank(const std::string& text) {
    return std::ranges::all_of(text, [](unsigned char c) { return c == ' ' || (c >= '\t' && c <= '\r'); });
  }

  std::string Path(const char* key) const { return prefix_.empty() ? key : prefix_ + "." + key; }

  const toml::node& Required(const char* key) {
    taken_.insert(key);
    const toml::node* node = table_.get(key);
    if (node == nullptr) Fail(table_, key, "is missing");
    return *node;
  }

  [[noreturn]] void Fail(const toml::node& node, const char* key, const std::string& what) const {
    throw BrokenFile{UsageError(
        file_ + ":" + std::to_string(std::max(1u, node.source().begin.line)) + ": " + Path(key) + ": " + what,
        "Correct that line of the chapter's file.")};
  }

  const std::string& file_;
  std::string prefix_;
  const toml::table& table_;
  std::set<std::string> taken_;
};

MisconceptionText ReadMisconception(TableReader& table) {
  MisconceptionText result;
  result.id = table.Identifier("id");
  result.title = table.Text("title");
  result.message = table.Text("message");
  table.Allow("hidden_on_gpu");
  if (table.Has("hidden_on_gpu")) result.hidden_on_gpu = table.Text("hidden_on_gpu");
  table.Finish();
  return result;
}

PointsRule ReadPointsRule(TableReader& table) {
  table.Allow("points_rule");
  if (!table.Has("points_rule")) return PointsRule::kAllTests;
  const std::string rule = table.Text("points_rule");
  if (rule == "all_tests") return PointsRule::kAllTests;
  if (rule == "per_test") return PointsRule::kPerTest;
  table.Fail("points_rule", "must be \"all_tests\" or \"per_test\"");
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
  table.Allow("profiles");
  if (!table.Has("profiles")) return {"a100"};
  return table.Texts("profiles");
}

std::optional<SpeedRubric> ReadSpeed(TableReader& exercise, double points) {
  exercise.Allow("speed");
  if (!exercise.Has("speed")) return std::nullopt;
  TableReader table = exercise.Table("speed");
  SpeedRubric speed;
  speed.baseline = table.Text("baseline");
  speed.points = table.Points("points");
  if (speed.points > points) table.Fail("points", "must not be more than the exercise's points");
  table.Finish();
  return speed;
}

Exercise ReadExercise(TableReader& table) {
  Exercise exercise;
  exercise.id = table.Identifier("id");
  exercise.title = table.Text("title");
  exercise.entry = table.Identifier("entry");
  exercise.points = table.Points("points");
  exercise.points_rule = ReadPointsRule(table);
  table.CheckMinutes("minutes");
  exercise.hints = table.Texts("hints");
  exercise.starter_fails = table.Texts("starter_fails");
  for (const std::string& name : exercise.starter_fails) {
    if (!IsTestName(name)) table.Fail("starter_fails", "'" + name + "' is not a test's name (Suite.Test)");
  }
  exercise.profiles = ReadProfiles(table);
  table.Allow("answers");
  if (table.Has("answers")) exercise.has_answers = table.Flag("answers");
  exercise.speed = ReadSpeed(table, exercise.points);
  table.Allow("misconception");
  for (TableReader& each : table.Tables("misconception", 0)) {
    MisconceptionText text = ReadMisconception(each);
    if (std::ranges::count(exercise.misconceptions, text.id, &MisconceptionText::id) > 0) {
      each.Fail("id", "'" + text.id + "' is there twice");
    }
    exercise.misconceptions.push_back(std::move(text));
  }
  table.Finish();
  return exercise;
}

Chapter ReadChapter(TableReader table) {
  Chapter chapter;
  chapter.title = table.Text("title");
  table.CheckMinutes("reading_minutes");
  for (TableReader& each : table.Tables("exercise", 1)) {
    Exercise exercise = ReadExercise(each);
    if (std::ranges::count(chapter.exercises, exercise.id, &Exercise::id) > 0) {
      each.Fail("id", "'" + exercise.id + "' is there twice");
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
  try {
    const toml::table table = toml::parse(text, name);
    return ReadChapter(TableReader(name, "", table));
  } catch (const toml::parse_error& fault) {
    return UsageError(name + ":" + std::to_string(std::max(1u, fault.source().begin.line)) +
                          ": not TOML: " + std::string(fault.description()),
                      "Correct that line of the chapter's file.");
  } catch (const BrokenFile& broken) {
    return broken.error;
  }
}

}  // namespace warplings
