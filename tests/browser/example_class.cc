// SPDX-License-Identifier: Apache-2.0
// Prints the data of a class report of any size, made up but of the workbook's real exercises and texts, for
// the pages to be drawn from and looked at without grading anybody:
//
//     example-class STUDENTS [LANGUAGE [ROOT]]
//
// The same number of students makes the same class. The first ones have names that attack pages; there are
// late and overridden points, equal and slightly changed files, faults of the grader's and files that cannot
// be graded.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <utility>

#include "grader/advice/advise.h"
#include "grader/base/language.h"
#include "grader/report/class_report.h"
#include "grader/report/terminal_report.h"
#include "grader/workbook/exercise.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kFirstMonday = 1'790'553'600;  // 2026-09-28 00:00 UTC
constexpr std::int64_t kDay = 86'400;

const char* const kOddNames[] = {
    "<script>document.title = 'attacked'</script>",
    "\"><img src=x onerror=\"document.title = 'attacked'\">",
    "\u202Etxt.exe \u2066isolated",
    "محمد الفارسي",
    "陳大文",
    "{{ 7 * 7 }} {% raw %}",
    "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaftschaferswesenschafewarenwohlgepflege",
    "=cmd|'/c calc'!A1",
};
const char* const kFirst[] = {"Ada",  "Bjarne", "Chen", "Dana", "Élodie", "Farid", "Grace", "Hiro", "Inés",
                              "Jürg", "Katia",  "Liam", "Mina", "Noor",   "Olga",  "Priya", "Zoë"};
const char* const kLast[] = {"Álvarez", "Becker", "Cho",     "Diallo", "Eriksen", "Fontaine",
                             "Gupta",   "Haddad", "Ito",     "Łukasz", "Kim",     "Lovelace",
                             "Müller",  "Novák",  "O'Brien", "Okafor", "Straße"};

std::string Read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// What students hand in for one exercise: right, untouched, wrong in a way that has a name.
struct Answers {
  std::string solution, starter;
  std::vector<std::pair<const MisconceptionText*, std::string>> wrong;
};

class ExampleClass {
 public:
  explicit ExampleClass(fs::path root) : root_(std::move(root)) {}

  Result<ClassGrades> Make(std::size_t students) {
    auto workbook = LoadWorkbook(root_);
    if (!workbook) return workbook.error();
    grades_.course_title = "Parallel programming";
    grades_.assignment_title = "Weeks 1 to 6";
    grades_.device = "virtual:a100";
    grades_.seed = 20'260'928;
    for (const Chapter& chapter : workbook->chapters) {
      for (const Exercise& exercise : chapter.exercises) AddExercise(chapter, exercise);
    }
    for (std::size_t i = 0; i < students; ++i) AddStudent(i);
    CountEverything();
    for (int i = 1; i <= 30; ++i) {
      grades_.unplaced.push_back({"tiled_matmul (" + std::to_string(i) + ").cu<b>",
                                  "is in no student's folder",
                                  "Put it into the folder of the student whose it is."});
    }
    return std::move(grades_);
  }

 private:
  void AddExercise(const Chapter& chapter, const Exercise& exercise) {
    ClassExercise column;
    column.chapter = exercise.chapter;
    column.chapter_title = chapter.title;
    column.id = exercise.id;
    column.title = exercise.title;
    column.max_points = exercise.points;
    column.starter = Read(exercise.starter);
    column.starter_fails = exercise.starter_fails;
    grades_.max_points += exercise.points;
    Answers answers{Read(exercise.solution), column.starter, {}};
    for (const MisconceptionText& each : exercise.misconceptions) {
      const std::string text =
          Read(root_ / "tests/mutants" / exercise.chapter / (exercise.id + "." + each.id + ".cu"));
      if (!text.empty()) answers.wrong.emplace_back(&each, text);
    }
    chapters_.push_back(chapter.number);
    tests_.push_back(exercise.starter_fails);
    // The workbook does not outlive Make(): its texts are copied.
    for (auto& [misconception, text] : answers.wrong) {
      known_.push_back(std::make_unique<MisconceptionText>(*misconception));
      misconception = known_.back().get();
    }
    grades_.exercises.push_back(std::move(column));
    answers_.push_back(std::move(answers));
  }

  void AddStudent(std::size_t number) {
    constexpr std::size_t kOdd = std::size(kOddNames);
    StudentGrades student;
    student.name = number < kOdd ? kOddNames[number]
                                 : std::string(kFirst[number % std::size(kFirst)]) + " " +
                                       kLast[number / 3 % std::size(kLast)] + " " + std::to_string(number);
    student.page = "student-" + std::to_string(number);
    student.handed_in_as = student.name + ".zip";
    student.roster = {std::to_string(1'000'000 + 37 * number), "login" + std::to_string(number),
                      "login" + std::to_string(number) + "@example.edu",
                      number % 3 == 0 ? "Tuesday" : "Friday"};
    if (Chance(0.08)) student.remarks.emplace_back("notes.txt is no file of an exercise and was ignored");
    const double diligence = 0.4 + 0.6 * Fraction();
    for (std::size_t exercise = 0; exercise < answers_.size(); ++exercise) {
      GradeCell cell = MakeCell(exercise, diligence);
      student.points += cell.points;
      student.automatic += cell.automatic;
      student.complete = student.complete && cell.state != GradeCell::State::kNotGraded;
      if (cell.handed_in_at)
        student.handed_in_at = std::max(student.handed_in_at.value_or(0), *cell.handed_in_at);
      student.cells.push_back(std::move(cell));
    }
    grades_.students.push_back(std::move(student));
  }

  GradeCell MakeCell(std::size_t exercise, double diligence) {
    GradeCell cell;
    if (!Chance(0.5 + 0.5 * diligence)) return cell;
    const ClassExercise& column = grades_.exercises[exercise];
    cell.file = column.id + ".cu";
    if (Chance(0.01)) {
      cell.state = GradeCell::State::kUnusable;
      cell.problem = cell.file + " is a link";
      return cell;
    }
    cell.text = TextOf(exercise, diligence);
    const std::int64_t due = kFirstMonday + 7 * kDay * std::max(chapters_[exercise], 1);
    cell.handed_in_at = due - static_cast<std::int64_t>(4 * kDay * Fraction());
    if (Chance(0.002)) {
      cell.state = GradeCell::State::kNotGraded;
      cell.problem = "the suite crashed";
      return cell;
    }
    cell.state = GradeCell::State::kGraded;
    cell.passed = grades_.texts[*cell.text].result.verdict == Verdict::kPassed;
    cell.points = cell.automatic = grades_.texts[*cell.text].result.points;
    if (Chance(0.05)) {
      cell.late_seconds = static_cast<std::int64_t>(3 * kDay * Fraction()) + 60;
      cell.handed_in_at = due + cell.late_seconds;
      Change(cell, {PointChange::Kind::kLate, -0.1 * cell.points, "late: 10 %", "", ""});
    }
    if (Chance(0.01)) {
      Change(cell, {PointChange::Kind::kOverride, 2, "the idea is right; <b>an index</b> is not", "R. Ortega",
                    "2026-11-02T09:30:00Z"});
    }
    return cell;
  }

  static void Change(GradeCell& cell, PointChange change) {
    if (change.delta == 0) return;
    cell.points += change.delta;
    cell.changes.push_back(std::move(change));
  }

  /// Some hand in what somebody else did; most have a file of their own, by other names and comments.
  std::size_t TextOf(std::size_t exercise, double diligence) {
    std::vector<std::size_t>& known = texts_of_[exercise];
    if (!known.empty() && Chance(0.06)) return known[Below(known.size())];
    known.push_back(grades_.texts.size());
    GradedText text;
    text.result = ResultOf(exercise, diligence);
    AdviseStored(text.result);
    text.report = TerminalReport(text.result, TerminalStyle{});
    grades_.texts.push_back(std::move(text));
    return known.back();
  }

  ExerciseResult ResultOf(std::size_t exercise, double diligence) {
    const ClassExercise& column = grades_.exercises[exercise];
    const Answers& answers = answers_[exercise];
    ExerciseResult result;
    result.chapter = column.chapter;
    result.exercise = column.id;
    result.title = column.title;
    result.file = column.id + ".cu";
    result.device = grades_.device;
    result.seed = grades_.seed;
    result.max_points = column.max_points;
    const bool passes = Chance(0.3 + 0.6 * diligence);
    const MisconceptionText* wrong = nullptr;
    result.source = passes ? answers.solution : answers.starter;
    if (!passes && !answers.wrong.empty() && !Chance(0.1)) {
      // The first ones are the most frequent.
      const auto& chosen = answers.wrong[static_cast<std::size_t>(static_cast<double>(answers.wrong.size()) *
                                                                  Fraction() * Fraction())];
      wrong = chosen.first;
      result.source = chosen.second;
    }
    const bool is_starter = !passes && wrong == nullptr;
    if (!is_starter) result.source += "\n// " + std::to_string(random_()) + "\n";
    result.verdict = passes ? Verdict::kPassed : Verdict::kFinding;
    result.points = passes ? column.max_points : 0;
    AddTests(exercise, passes, result);
    if (wrong != nullptr) {
      result.misconceptions = {{wrong->id, wrong->title, wrong->message, result.tests.back().name}};
    }
    return result;
  }

  void AddTests(std::size_t exercise, bool passes, ExerciseResult& result) {
    std::vector<std::string> names = tests_[exercise];
    names.insert(names.begin(), "Example.TheSmallestShape");
    for (std::size_t i = 0; i < names.size(); ++i) {
      TestResult test;
      test.name = names[i];
      const bool failed = !passes && i > 0 && (i + 1 == names.size() || Chance(0.5));
      test.verdict = failed ? Verdict::kFinding : Verdict::kPassed;
      if (failed) Fail(test, result.source);
      result.tests.push_back(std::move(test));
    }
  }

  void Fail(TestResult& test, const std::string& source) {
    test.reason = "the kernel read memory that is not its own";
    test.element_count = 225;
    test.wrong_count = 29;
    test.wrong = {{"P[0][14]", "2.5", "0", "never written"}, {"P[1][14]", "-11.25", "nan", "NaN"}};
    Finding finding;
    finding.kernel = "example_kernel";
    finding.thread = {3, 1, 0};
    finding.where = {"/submission/example.cu", LineWithIndex(source)};
    finding.space = MemorySpace::kGlobal;
    finding.access = Access::kRead;
    finding.object = "M";
    finding.object_bytes = 900;
    finding.offset_bytes = 900;
    finding.access_bytes = 4;
    finding.message = "reads past the end of M";
    finding.count = 15;
    test.findings = {finding};
    if (Chance(0.3)) {
      finding.kind = FindingKind::kRace;
      finding.severity = Severity::kWarning;
      finding.message = "two threads meet at the same place and nothing orders them";
      finding.other = finding.where;
      test.findings.push_back(finding);
    }
  }

  int LineWithIndex(const std::string& source) {
    std::vector<int> lines;
    int line = 1;
    for (std::size_t i = 0; i < source.size(); ++i) {
      if (source[i] == '[') lines.push_back(line);
      line += source[i] == '\n';
    }
    return lines.empty() ? 1 : lines[Below(lines.size())];
  }

  void CountEverything() {
    for (std::size_t student = 0; student < grades_.students.size(); ++student) {
      for (std::size_t exercise = 0; exercise < answers_.size(); ++exercise) {
        Count(grades_.students[student].cells[exercise], student, grades_.exercises[exercise]);
      }
    }
  }

  void Count(const GradeCell& cell, std::size_t student, ClassExercise& exercise) {
    exercise.missing += cell.state == GradeCell::State::kMissing;
    exercise.unusable += cell.state == GradeCell::State::kUnusable;
    exercise.not_graded += cell.state == GradeCell::State::kNotGraded;
    if (cell.state != GradeCell::State::kGraded) return;
    const ExerciseResult& result = grades_.texts[*cell.text].result;
    ++exercise.graded;
    exercise.passed += result.verdict == Verdict::kPassed;
    for (std::size_t i = 0; i < result.tests.size(); ++i) {
      const TestResult& test = result.tests[i];
      if (exercise.tests.size() <= i) exercise.tests.push_back({test.name, test.title, 0, 0});
      ++exercise.tests[i].total;
      exercise.tests[i].passed += test.verdict == Verdict::kPassed;
    }
    for (const Misconception& each : result.misconceptions) {
      auto rate = std::ranges::find(exercise.misconceptions, each.id, &MisconceptionRate::id);
      if (rate == exercise.misconceptions.end()) {
        rate = exercise.misconceptions.insert(rate, {each.id, each.title, English(each.message), {}});
      }
      rate->students.push_back(student);
    }
  }

  double Fraction() { return static_cast<double>(random_()) / 4294967296.0; }
  bool Chance(double probability) { return Fraction() < probability; }
  std::size_t Below(std::size_t end) { return random_() % end; }

  fs::path root_;
  std::mt19937 random_{1};
  ClassGrades grades_;
  std::vector<Answers> answers_;
  std::vector<int> chapters_;
  std::vector<std::vector<std::string>> tests_;
  std::vector<std::unique_ptr<MisconceptionText>> known_;
  std::map<std::size_t, std::vector<std::size_t>> texts_of_;
};

}  // namespace
}  // namespace warplings

int main(int argc, char** argv) {
  if (argc < 2 || argc > 4) {
    std::fprintf(stderr, "usage: example-class STUDENTS [LANGUAGE [ROOT]]\n");
    return 2;
  }
  if (argc > 2) warplings::ChooseLanguage(argv[2]);
  const auto grades =
      warplings::ExampleClass(argc > 3 ? argv[3] : ".").Make(std::strtoul(argv[1], nullptr, 10));
  if (!grades) {
    std::fprintf(stderr, "example-class: %s\n", English(grades.error().message).c_str());
    return 3;
  }
  std::cout << warplings::ClassReportData(*grades) << std::endl;
  return std::cout ? 0 : 3;
}
