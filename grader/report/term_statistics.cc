// SPDX-License-Identifier: Apache-2.0
#include "grader/report/term_statistics.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "grader/base/catalogue.h"
#include "grader/base/csv.h"
#include "grader/base/text.h"
#include "grader/messages/report.h"
#include "grader/report/result_words.h"

namespace warplings {
namespace {

using Kind = TermRates::Kind;

std::string KindWord(Kind kind) {
  switch (kind) {
    case Kind::kExercise: return "passed";
    case Kind::kNotBuilt: return "did not compile or link";
    case Kind::kForbidden: return "used a forbidden call";
    case Kind::kTest: return "test passed";
    case Kind::kMisconception: break;
  }
  return "misconception";
}

double PercentOf(const TermRates& rates) {
  return rates.graded == 0 ? 0 : 100.0 * static_cast<double>(rates.count) / static_cast<double>(rates.graded);
}

bool AreOfOneLine(const TermRates& a, const TermRates& b) {
  return a.exercise == b.exercise && a.kind == b.kind && a.name == b.name;
}

Message RateOf(const TermRates& rates) {
  return say::rate_of_graded(std::lround(PercentOf(rates)), rates.count, rates.graded);
}

std::vector<std::string> ExercisesOf(const std::vector<TermRates>& lines) {
  std::vector<std::string> exercises;
  for (const TermRates& each : lines) {
    if (std::ranges::count(exercises, each.exercise) == 0) exercises.push_back(each.exercise);
  }
  return exercises;
}

/// The second column, which has the titles, is broken so that a line has at most `columns` characters, if
/// that leaves the titles enough.
std::vector<std::vector<std::string>> WithinWidth(const std::vector<std::vector<std::string>>& table,
                                                  std::size_t columns) {
  constexpr std::size_t kLeast = 24, kGap = 2;
  std::vector<std::size_t> widths;
  for (const auto& row : table) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], DisplayWidth(row[i]));
  }
  std::size_t others = 0;
  for (std::size_t i = 0; i < widths.size(); ++i) others += i == 1 ? 0 : widths[i] + kGap;
  const std::size_t width = std::max(kLeast, columns > others ? columns - others : 0);
  std::vector<std::vector<std::string>> broken;
  for (const auto& row : table) {
    std::istringstream lines(Wrap(row[1], width, 0));
    std::string line;
    std::getline(lines, line);
    broken.push_back(row);
    broken.back()[1] = line;
    while (std::getline(lines, line)) broken.push_back({"", line});
  }
  return broken;
}

}  // namespace

void AddTermRates(const std::string& term, const ClassGrades& grades, std::vector<TermRates>& rates) {
  for (const ClassExercise& exercise : grades.exercises) {
    if (exercise.graded == 0) continue;
    const std::string name = exercise.chapter + "/" + exercise.id;
    rates.push_back({term, name, Kind::kExercise, "", exercise.title, exercise.passed, exercise.graded});
    if (exercise.not_built > 0)
      rates.push_back({term, name, Kind::kNotBuilt, "", "", exercise.not_built, exercise.graded});
    if (exercise.forbidden > 0)
      rates.push_back({term, name, Kind::kForbidden, "", "", exercise.forbidden, exercise.graded});
    for (const TestRate& test : exercise.tests) {
      rates.push_back({term, name, Kind::kTest, test.name, test.title, test.passed, test.total});
    }
    for (const MisconceptionRate& each : exercise.misconceptions) {
      rates.push_back(
          {term, name, Kind::kMisconception, each.id, each.title, each.students.size(), exercise.graded});
    }
  }
}

void SortByExercise(const std::vector<std::string>& exercises, std::vector<TermRates>& rates) {
  std::ranges::stable_sort(rates, {}, [&](const TermRates& each) {
    return std::ranges::find(exercises, each.exercise) - exercises.begin();
  });
}

std::string StatisticsText(const std::vector<std::string>& terms, const std::vector<TermRates>& rates,
                           std::size_t columns) {
  std::vector<TermRates> lines;  // The first of each line, in the order in which they were met.
  for (const TermRates& each : rates) {
    const auto same = [&](const TermRates& line) { return AreOfOneLine(line, each); };
    if (std::ranges::none_of(lines, same)) lines.push_back(each);
  }
  std::ranges::stable_sort(lines, {}, [exercises = ExercisesOf(lines)](const TermRates& line) {
    return std::pair(std::ranges::find(exercises, line.exercise) - exercises.begin(), line.kind);
  });
  std::vector<std::vector<std::string>> table = {{"", ""}};
  table[0].insert(table[0].end(), terms.begin(), terms.end());
  for (const TermRates& line : lines) {
    const std::string word = Translated(KindWord(line.kind));
    std::string title = line.name;
    for (const TermRates& each : rates) {
      if (AreOfOneLine(each, line) && !each.title.empty()) title = Words(each.title);
    }
    std::vector<std::string> row = {line.kind == Kind::kExercise ? word : "  " + word,
                                    line.kind == Kind::kExercise ? line.exercise : title};
    for (const std::string& term : terms) {
      const auto here = std::ranges::find_if(
          rates, [&](const TermRates& each) { return each.term == term && AreOfOneLine(each, line); });
      row.push_back(here == rates.end() ? "-" : Words(RateOf(*here)));
    }
    table.push_back(std::move(row));
  }
  return AlignColumns(WithinWidth(table, columns), 0);
}

std::string StatisticsCsv(const std::vector<TermRates>& rates) {
  std::string text = CsvLine({"Term", "Exercise", "Kind", "Name", "Count", "Graded", "Percent", "Title"});
  for (const TermRates& each : rates) {
    text += CsvLine({CsvField(each.term), CsvField(each.exercise), CsvField(KindWord(each.kind)),
                     CsvField(each.name), std::to_string(each.count), std::to_string(each.graded),
                     CsvNumber(std::round(PercentOf(each) * 10) / 10), CsvField(GroupedEnglish(each.title))});
  }
  return text;
}

}  // namespace warplings
