// SPDX-License-Identifier: Apache-2.0
#include "grader/authoring/handout_input.h"

#include <toml++/toml.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "grader/base/language.h"
#include "grader/base/messages.h"
#include "grader/base/read_file.h"
#include "grader/base/text.h"
#include "grader/device/device_profile.h"
#include "grader/messages/authoring.h"
#include "grader/messages/workbook.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

Result<std::string> ReadText(const fs::path& file) {
  auto text = ReadFile(file);
  if (!text) return UsageError(say::cannot_read(file.string()), say::check_permissions());
  return *std::move(text);
}

Result<toml::table> ReadToml(const fs::path& file) {
  const auto source = ReadText(file);
  if (!source) return source.error();
  try {
    return toml::parse(*source);
  } catch (const toml::parse_error& fault) {
    return UsageError(
        say::at_line_of_file(file.string(), fault.source().begin.line, std::string(fault.description())));
  }
}

const Exercise* FindExercise(const Workbook& workbook, const std::string& name) {
  for (const Chapter& chapter : workbook.chapters) {
    for (const Exercise& exercise : chapter.exercises) {
      if (exercise.chapter + "/" + exercise.id == name) return &exercise;
    }
  }
  return nullptr;
}

Result<HandoutSample> ReadSample(const toml::table& row, const Layout& layout, const Workbook& workbook) {
  const auto text = [&row](const char* key) { return row[key].value_or(std::string()); };
  HandoutSample sample{text("id"), FindExercise(workbook, text("exercise")), layout.root / text("file"),
                       row["profile"].value_or(std::string(kDefaultProfile))};
  if (sample.id.empty()) return UsageError(say::sample_without_id());
  if (sample.exercise == nullptr) {
    return UsageError(say::sample_of_no_exercise(sample.id, text("exercise")));
  }
  // A starter that was deleted is found again.
  if (sample.file != sample.exercise->starter && !fs::is_regular_file(sample.file)) {
    return UsageError(say::sample_without_file(sample.id, text("file")), say::handouts_need_whole_workbook());
  }
  return sample;
}

void AddFrequency(const ClassExercise& graded, nlohmann::json& exercise) {
  exercise["graded"] = graded.graded;
  exercise["passed"] = graded.passed;
  nlohmann::json& misconceptions = exercise["misconceptions"];
  for (nlohmann::json& each : misconceptions) {
    const auto rate =
        std::ranges::find(graded.misconceptions, each["id"].get<std::string>(), &MisconceptionRate::id);
    each["met"] = rate == graded.misconceptions.end() ? 0 : rate->students.size();
  }
  // json's iterators are none that std::ranges takes.
  std::stable_sort(misconceptions.begin(), misconceptions.end(),
                   [](const nlohmann::json& a, const nlohmann::json& b) {
                     return a["met"].get<std::size_t>() > b["met"].get<std::size_t>();
                   });
}

nlohmann::json DrillRow(const Drill& drill) {
  nlohmann::json wrong = nlohmann::json::array();
  for (const TypicalMistake& each : drill.wrong) {
    wrong.push_back({{"answer", each.answer},
                     {"text", DrillAnswerText(drill, each.answer)},
                     {"why", JoinLines(each.why)}});
  }
  return {{"id", drill.id},
          {"question", JoinLines(drill.question)},
          {"choices", drill.choices},
          {"unit", drill.unit},
          {"answer", drill.answer},
          {"text", DrillAnswerText(drill, drill.answer)},
          {"why", JoinLines(drill.why)},
          {"wrong", std::move(wrong)}};
}

}  // namespace

Result<std::vector<HandoutSample>> ReadHandoutSamples(const Layout& layout, const Workbook& workbook,
                                                      const std::vector<const Chapter*>& chapters) {
  const auto file = ReadToml(layout.HandoutFolder() / "samples.toml");
  if (!file) return file.error();
  std::vector<HandoutSample> samples;
  if (const toml::array* rows = (*file)["sample"].as_array()) {
    for (const toml::node& row : *rows) {
      if (row.as_table() == nullptr) return UsageError(say::sample_no_table());
      auto sample = ReadSample(*row.as_table(), layout, workbook);
      if (!sample) return sample.error();
      const bool wanted = std::ranges::any_of(
          chapters, [&](const Chapter* chapter) { return chapter->id == sample->exercise->chapter; });
      if (wanted) samples.push_back(std::move(*sample));
    }
  }
  return samples;
}

Result<nlohmann::json> HandoutContents(const Workbook& workbook, const Layout& layout) {
  nlohmann::json contents = nlohmann::json::array();
  for (const Chapter& chapter : workbook.chapters) {
    const auto file = ReadToml(layout.root / "chapters" / chapter.id / "chapter.toml");
    if (!file) return file.error();
    nlohmann::json exercises = nlohmann::json::array();
    for (std::size_t i = 0; i < chapter.exercises.size(); ++i) {
      const Exercise& exercise = chapter.exercises[i];
      exercises.push_back({{"id", exercise.id},
                           {"title", exercise.title},
                           {"points", exercise.points},
                           {"minutes", (*file)["exercise"][i]["minutes"].value_or(0)}});
    }
    contents.push_back({{"id", chapter.id},
                        {"number", chapter.number},
                        {"title", chapter.title},
                        {"reading_minutes", (*file)["reading_minutes"].value_or(0)},
                        {"exercises", std::move(exercises)}});
  }
  return contents;
}

Result<nlohmann::json> HandoutChapter(const Chapter& chapter, const std::vector<Drill>& drills,
                                      bool answers) {
  nlohmann::json json = {{"id", chapter.id}, {"number", chapter.number}, {"title", chapter.title}};
  json["drills"] = nlohmann::json::array();
  for (const Drill& drill : drills) json["drills"].push_back(DrillRow(drill));
  for (const Exercise& exercise : chapter.exercises) {
    const auto contract = ReadText(exercise.contract);
    if (!contract) return contract.error();
    nlohmann::json row = {
        {"id", exercise.id},
        {"title", exercise.title},
        {"entry", exercise.entry},
        {"declaration", exercise.declaration},
        {"contract", exercise.translated_contract.empty() ? *contract : exercise.translated_contract},
        {"contract_is_translated", !exercise.translated_contract.empty()},
        {"points", exercise.points},
        {"per_test", exercise.points_rule == PointsRule::kPerTest},
        {"has_answers", exercise.has_answers},
        {"speed_points", exercise.speed ? exercise.speed->points : 0.0}};
    if (answers) {
      row["hints"] = exercise.hints;
      row["misconceptions"] = nlohmann::json::array();
      for (const MisconceptionText& each : exercise.misconceptions) {
        row["misconceptions"].push_back({{"id", each.id}, {"title", each.title}, {"message", each.message}});
      }
      const auto solution = ReadText(exercise.solution);
      if (!solution) return solution.error();
      row["solution"] = *solution;
      row["starter_fails"] = exercise.starter_fails;
    }
    json["exercises"].push_back(std::move(row));
  }
  return json;
}

void AddFrequencies(const ClassGrades& grades, nlohmann::json& chapter) {
  for (const ClassExercise& graded : grades.exercises) {
    if (graded.graded == 0 || graded.chapter != chapter["id"].get<std::string>()) continue;
    for (nlohmann::json& exercise : chapter["exercises"]) {
      if (exercise["id"].get<std::string>() == graded.id) AddFrequency(graded, exercise);
    }
  }
}

std::filesystem::path HandoutText(const Chapter& chapter, const Layout& layout) {
  return layout.HandoutFolder() / "text" / kEnglish / (chapter.id + ".html.j2");
}

std::vector<std::string> HandoutLanguages(const Layout& layout) {
  std::vector<std::string> languages;
  std::error_code fault;
  for (const auto& entry : fs::directory_iterator(layout.HandoutFolder() / "text", fault)) {
    if (fs::is_regular_file(entry.path() / "words.json"))
      languages.push_back(entry.path().filename().string());
  }
  std::ranges::sort(languages);
  std::ranges::stable_partition(languages, [](const std::string& each) { return each == kEnglish; });
  return languages;
}

std::vector<std::string> MissingHandouts(const Workbook& workbook, const Layout& layout) {
  std::vector<std::string> missing;
  for (const Chapter& chapter : workbook.chapters) {
    const fs::path text = HandoutText(chapter, layout);
    if (fs::is_regular_file(text)) continue;
    missing.push_back(chapter.id + " has no handout: " + text.lexically_relative(layout.root).string() +
                      " is missing");
  }
  return missing;
}

std::vector<std::string> HandoutsWithout(const Exercise& exercise, const Layout& layout) {
  std::vector<std::string> without;
  const std::string block = "about_" + exercise.id;
  for (const std::string& language : HandoutLanguages(layout)) {
    const fs::path file = layout.HandoutFolder() / "text" / language / (exercise.chapter + ".html.j2");
    const auto text = ReadFile(file);
    if (!text || text->find("block " + block + " ") != std::string::npos) continue;
    without.push_back(file.lexically_relative(layout.root).string() + " has no block " + block +
                      "; CONTRIBUTING.md lists the parts that an exercise has there");
  }
  return without;
}

}  // namespace warplings
