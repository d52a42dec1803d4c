// SPDX-License-Identifier: Apache-2.0
#include "grader/report/junit.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>
#include <vector>

#include "grader/base/csv.h"
#include "grader/base/text.h"

namespace warplings {
namespace {

using State = GradeCell::State;

/// Writes one <testcase>; `outcome` is "", "failure", "error" or "skipped".
struct JUnitCase {
  std::string name, class_name, outcome, type, message, details;
  double seconds = 0;
};

std::string Attribute(const std::string& name, std::string_view value) {
  return " " + name + "=\"" + XmlText(value) + "\"";
}

/// xs:decimal knows no exponent.
std::string XmlSeconds(double seconds) {
  char text[64];
  std::snprintf(text, sizeof text, "%.3f", std::max(seconds, 0.0));
  return text;
}

std::string DetailsOf(const TestResult& test) {
  std::string text = English(test.next_step);
  for (const Finding& finding : test.findings) text += (text.empty() ? "" : "\n") + English(finding.message);
  return text;
}

JUnitCase CaseOf(const ClassExercise& exercise, const TestResult& test) {
  JUnitCase made{test.name, exercise.chapter + "." + exercise.id, "", "", "", "", test.seconds};
  const auto excluded = std::ranges::find(exercise.excluded, test.name, &ExcludedTest::name);
  if (excluded != exercise.excluded.end()) {
    made.outcome = "skipped";
    made.message = "counts for nobody: " + excluded->reason;
  } else if (test.verdict == Verdict::kNotRun) {
    made.outcome = "skipped";
    made.message = English(test.reason);
  } else if (test.verdict != Verdict::kPassed) {
    made.outcome = test.verdict == Verdict::kGraderFault ? "error" : "failure";
    made.type = VerdictName(test.verdict);
    made.message = English(test.reason);
    made.details = DetailsOf(test);
  }
  return made;
}

/// Where no test ran: one case that says why.
JUnitCase CaseWithoutTests(const ClassGrades& grades, const ClassExercise& exercise, const GradeCell& cell) {
  JUnitCase made{"graded", exercise.chapter + "." + exercise.id, "failure", "unusable", cell.problem, "", 0};
  if (cell.state == State::kMissing) {
    made.outcome = "skipped";
    made.type = "";
    made.message = "nothing was handed in";
  } else if (cell.state == State::kNotGraded) {
    made.outcome = "error";
    made.type = "grader_fault";
  } else if (cell.state == State::kGraded) {
    const ExerciseResult& result = grades.texts[*cell.text].result;
    made.name = "compiled";
    made.type = VerdictName(result.verdict);
    made.message = English(result.reason);
    made.details = result.compiler_output;
  }
  return made;
}

std::vector<JUnitCase> CasesOf(const ClassGrades& grades, const ClassExercise& exercise,
                               const GradeCell& cell) {
  std::vector<JUnitCase> cases;
  if (cell.text) {
    for (const TestResult& test : grades.texts[*cell.text].result.tests) {
      cases.push_back(CaseOf(exercise, test));
    }
  }
  if (cases.empty()) cases.push_back(CaseWithoutTests(grades, exercise, cell));
  return cases;
}

std::string XmlOf(const JUnitCase& made) {
  std::string text = "      <testcase" + Attribute("name", made.name) +
                     Attribute("classname", made.class_name) + Attribute("time", XmlSeconds(made.seconds));
  if (made.outcome.empty()) return text + "/>\n";
  text += ">\n        <" + made.outcome + Attribute("message", made.message);
  if (!made.type.empty()) text += Attribute("type", made.type);
  text += made.details.empty() ? "/>\n" : ">" + XmlText(made.details) + "</" + made.outcome + ">\n";
  return text + "      </testcase>\n";
}

std::string PropertiesOf(const ClassGrades& grades, const ClassExercise& exercise, const GradeCell& cell) {
  std::vector<std::pair<std::string, std::string>> properties = {
      {"points", cell.HasPoints() ? CsvNumber(cell.points) : ""},
      {"automatic_points", cell.state == State::kGraded ? CsvNumber(cell.automatic) : ""},
      {"max_points", CsvNumber(exercise.max_points)},
      {"device", grades.device},
      {"seed", std::to_string(grades.seed)}};
  for (const PointChange& change : EffectiveChanges(exercise, cell)) {
    properties.emplace_back("change", CsvNumber(change.delta) + " points: " + change.reason);
  }
  for (const GradeComment& comment : cell.comments) {
    properties.emplace_back("comment", PlaceOfComment(comment) + comment.text);
  }
  std::string text = "      <properties>\n";
  for (const auto& [name, value] : properties) {
    text += "        <property" + Attribute("name", name) + Attribute("value", value) + "/>\n";
  }
  return text + "      </properties>\n";
}

std::string CountOf(const std::vector<JUnitCase>& cases, std::string_view outcome) {
  return std::to_string(std::ranges::count(cases, outcome, &JUnitCase::outcome));
}

std::string SuiteXml(const ClassGrades& grades, std::size_t number, const GradeCell& cell) {
  const ClassExercise& exercise = grades.exercises[number];
  const std::vector<JUnitCase> cases = CasesOf(grades, exercise, cell);
  const ExerciseResult* result = cell.text ? &grades.texts[*cell.text].result : nullptr;
  std::string text =
      "    <testsuite" + Attribute("name", exercise.id) + Attribute("package", exercise.chapter) +
      Attribute("id", std::to_string(number)) + Attribute("tests", std::to_string(cases.size())) +
      Attribute("failures", CountOf(cases, "failure")) + Attribute("errors", CountOf(cases, "error")) +
      Attribute("skipped", CountOf(cases, "skipped"));
  text += Attribute("time", XmlSeconds(result == nullptr ? 0 : result->build_seconds + result->run_seconds));
  // The schema asks for both. A file that did not run was graded at no time.
  const bool has_time = cell.text && !grades.texts[*cell.text].graded_at.empty();
  text += Attribute("timestamp",
                    has_time ? grades.texts[*cell.text].graded_at.substr(0, 19) : "1970-01-01T00:00:00");
  text += Attribute("hostname", "localhost") + ">\n" + PropertiesOf(grades, exercise, cell);
  for (const JUnitCase& each : cases) text += XmlOf(each);
  text +=
      "      <system-out>" + (cell.text ? XmlText(grades.texts[*cell.text].report) : "") + "</system-out>\n";
  return text + "      <system-err></system-err>\n    </testsuite>\n";
}

}  // namespace

std::string XmlText(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kNoCharacters = {
      {{"\xef\xbf\xbe", "\\u{fffe}"}, {"\xef\xbf\xbf", "\\u{ffff}"}}};
  const std::string printable = Printable(text);
  std::string escaped;
  for (std::size_t i = 0; i < printable.size(); ++i) {
    const std::string_view rest = std::string_view(printable).substr(i);
    const auto none =
        std::ranges::find_if(kNoCharacters, [&](const auto& each) { return rest.starts_with(each.first); });
    if (none != kNoCharacters.end()) {
      escaped += none->second;
      i += none->first.size() - 1;
      continue;
    }
    switch (printable[i]) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      case '\n': escaped += "&#10;"; break;
      default: escaped += printable[i];
    }
  }
  return escaped;
}

std::string JUnitReport(const ClassGrades& grades, const StudentGrades& student) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (std::size_t i = 0; i < student.cells.size(); ++i) text += SuiteXml(grades, i, student.cells[i]);
  return text + "</testsuites>\n";
}

}  // namespace warplings
