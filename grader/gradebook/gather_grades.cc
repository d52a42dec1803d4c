// SPDX-License-Identifier: Apache-2.0
#include "grader/gradebook/gather_grades.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "grader/base/read_file.h"
#include "grader/base/sha256.h"
#include "grader/base/text.h"
#include "grader/core/layout.h"
#include "grader/core/round_points.h"
#include "grader/gradebook/apply_decisions.h"
#include "grader/gradebook/cell_scorer.h"
#include "grader/report/result_words.h"
#include "grader/report/terminal_report.h"
#include "grader/workbook/laid_down.h"
#include "grader/workbook/lay_out.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

using CellState = GradeCell::State;

/// The text of an exercise's starter; "" in a package without starters.
class Gatherer {
 public:
  Gatherer(const Gradebook& gradebook, const Workbook& workbook, const ScoringScope& scope)
      : gradebook_(gradebook), scope_(scope) {
    for (const AssignedExercise& each : scope.exercises) {
      AddExercise(*std::ranges::find(workbook.chapters, each.exercise->chapter, &Chapter::id), each);
    }
    if (scope.course) {
      grades_.course_title = scope.course->title;
      if (!scope.course->term.empty()) grades_.course_title += ", " + scope.course->term;
      grades_.assignment_title = scope.assignment->title;
      grades_.time_zone = scope.course->time_zone;
      grades_.due = scope.assignment->due;
    }
  }

  Result<ClassGrades> Gather() {
    const auto settings = gradebook_.ReadSettings();
    if (!settings) return settings.error();
    if (*settings) {
      grades_.device = (*settings)->device;
      grades_.seed = (*settings)->seed;
    }
    if (const Status read = ReadRows(); !read) return read.error();
    auto unplaced = gradebook_.ReadUnplaced();
    if (!unplaced) return unplaced.error();
    grades_.unplaced = std::move(*unplaced);
    const auto submissions = gradebook_.ReadSubmissions();
    if (!submissions) return submissions.error();
    for (const SubmissionRow& submission : *submissions) {
      if (const Status added = AddCell(submission); !added) return added.error();
    }
    for (ClassExercise& exercise : grades_.exercises) {
      std::ranges::stable_sort(exercise.misconceptions, std::greater<>(),
                               [](const MisconceptionRate& rate) { return rate.students.size(); });
    }
    return std::move(grades_);
  }

  /// Only results of students who may have used late days are read.
  Result<std::vector<StudentLateDays>> GatherLateDays() {
    if (const Status read = ReadRows(); !read) return read.error();
    const auto submissions = gradebook_.ReadSubmissions();
    if (!submissions) return submissions.error();
    for (const SubmissionRow& submission : *submissions) {
      const auto place = PlaceOf(submission);
      if (!place || !MayUseDays(submission, place->line)) continue;
      GradeCell cell;
      const Status chosen = ChooseAttempt(submission, place->line, place->column, cell);
      if (!chosen) return chosen.error();
    }
    std::vector<StudentLateDays> days;
    for (StudentGrades& each : grades_.students) {
      if (each.late_days) days.push_back({std::move(each.name), std::move(each.roster), *each.late_days});
    }
    return days;
  }

 private:
  struct Place {
    std::size_t line, column;
  };

  /// All that is known of a class without its results.
  Status ReadRows() {
    const auto students = gradebook_.ReadStudents();
    if (!students) return students.error();
    AddStudents(*students);
    auto attempts = gradebook_.ReadAttempts();
    if (!attempts) return attempts.error();
    for (AttemptRow& each : *attempts) {
      attempts_[{each.student, each.chapter, each.exercise}].push_back(std::move(each));
    }
    const auto decisions = gradebook_.ReadDecisions();
    if (!decisions) return decisions.error();
    for (ClassExercise& exercise : grades_.exercises) {
      exercise.excluded = ExcludedTests(*decisions, exercise.chapter, exercise.id);
    }
    return Unit{};
  }

  /// Nothing for an exercise that is not graded any more, or for nobody's work.
  std::optional<Place> PlaceOf(const SubmissionRow& submission) const {
    const auto column = columns_.find({submission.chapter, submission.exercise});
    const auto line = lines_.find(submission.student);
    if (column == columns_.end() || line == lines_.end()) return std::nullopt;
    return Place{line->second, column->second};
  }

  bool MayUseDays(const SubmissionRow& submission, std::size_t line) const {
    const auto attempts = attempts_.find({submission.student, submission.chapter, submission.exercise});
    if (submission.state != SubmissionRow::State::kFound || attempts == attempts_.end()) return false;
    return std::ranges::any_of(attempts->second, [&](const AttemptRow& attempt) {
      return MayUseLateDays(scope_, students_[line], attempt);
    });
  }

  void AddExercise(const Chapter& chapter, const AssignedExercise& assigned) {
    const Exercise& exercise = *assigned.exercise;
    columns_[{exercise.chapter, exercise.id}] = grades_.exercises.size();
    ClassExercise column;
    column.chapter = exercise.chapter;
    column.chapter_title = chapter.title;
    column.id = exercise.id;
    column.title = exercise.title;
    column.starter = ReadFile(exercise.starter).value_or("");
    column.solution = ReadFile(exercise.solution).value_or("");
    column.starter_fails = exercise.starter_fails;
    column.max_points = assigned.max_points;
    grades_.max_points = RoundPoints(grades_.max_points + assigned.max_points);
    grades_.exercises.push_back(std::move(column));
  }

  void AddStudents(const std::vector<StudentRow>& rows) {
    students_ = rows;
    const std::vector<std::string> pages = PageNames(rows);
    for (const StudentRow& row : rows) {
      StudentGrades student;
      student.name = row.name;
      student.page = pages[grades_.students.size()];
      student.handed_in_as = row.handed_in_as;
      student.remarks = row.remarks;
      student.roster = row.roster;
      student.unmatched = row.unmatched;
      student.participant = row.participant;
      student.due = DueDateOf(scope_, row);
      if (scope_.course && scope_.course->late_days > 0) {
        const std::int64_t left = std::max<std::int64_t>(0, scope_.course->late_days - row.late_days_before);
        student.late_days = LateDays{.before = row.late_days_before, .used = 0, .left = left};
      }
      student.cells.resize(grades_.exercises.size());
      lines_[row.name] = grades_.students.size();
      grades_.students.push_back(std::move(student));
    }
  }

  Status AddCell(const SubmissionRow& submission) {
    const auto place = PlaceOf(submission);
    if (!place) return Unit{};
    StudentGrades& student = grades_.students[place->line];
    ClassExercise& exercise = grades_.exercises[place->column];
    GradeCell& cell = student.cells[place->column];
    cell.file = submission.file;
    cell.problem = submission.problem;
    if (submission.state == SubmissionRow::State::kFound) {
      const Status chosen = ChooseAttempt(submission, place->line, place->column, cell);
      if (!chosen) return chosen;
    } else if (submission.state == SubmissionRow::State::kUnusable) {
      cell.state = CellState::kUnusable;
    }
    cell.hash = HashOf(cell);
    cell.is_starter = cell.text && IsStarter(*cell.text, *scope_.exercises[place->column].exercise);
    Count(cell, place->line, exercise);
    if (cell.handed_in_at) {
      student.handed_in_at = std::max(student.handed_in_at.value_or(*cell.handed_in_at), *cell.handed_in_at);
    }
    return Unit{};
  }

  std::string HashOf(const GradeCell& cell) const {
    if (cell.text) return hashes_[*cell.text];
    if (cell.state != CellState::kUnusable) return "";
    Sha256 hash;
    hash.AddField(cell.file);
    hash.AddField(cell.problem);
    return hash.Finish();
  }

  /// Whether a text is the starter as it was given out, and what was handed in with it are the starter's
  /// answers, or none. Blanks and ends of lines are what editors and course systems change; a workbook that
  /// `init` made names the program by the command that was typed there.
  bool IsStarter(std::size_t text, const Exercise& exercise) {
    const std::string& source = grades_.texts[text].result.source;
    const Starter& starter = StarterOf(exercise);
    if (starter.words.empty()) return false;
    const std::string command = CommandInText(starter.text, source), in_tree = TextInTree(source, command);
    const std::string path = (fs::path("chapters") / exercise.chapter / exercise.starter.filename()).string();
    const bool is_known =
        WordsOf(in_tree) == starter.words || StarterListHas(ThisLayout().root, path, HashOfText(in_tree));
    if (!is_known) return false;
    return !exercise.has_answers || std::ranges::any_of(starter.answers, [&](const std::string& answers) {
      Sha256 hash;
      hash.AddField(source);
      hash.AddField(TextInWorkbook(answers, command));
      return hash.Finish() == hashes_[text];
    });
  }

  struct Starter {
    std::string text;
    std::vector<std::string> words;    ///< Of its text; none in a package without starters.
    std::vector<std::string> answers;  ///< Texts of answers that nobody has given yet.
  };

  const Starter& StarterOf(const Exercise& exercise) {
    const auto [known, is_new] = starters_.try_emplace(&exercise);
    if (is_new) {
      known->second.text = ReadFile(exercise.starter).value_or("");
      known->second.words = WordsOf(known->second.text);
      known->second.answers = {"",
                               ReadFile(fs::path(exercise.starter).replace_extension(".toml")).value_or("")};
    }
    return known->second;
  }

  static std::vector<std::string> WordsOf(const std::string& text) {
    std::istringstream words(text);
    return {std::istream_iterator<std::string>(words), {}};
  }

  /// Each kept result is read once.
  Result<std::optional<std::size_t>> TextOf(const std::string& key) {
    if (const auto known = texts_.find(key); known != texts_.end()) return known->second;
    auto kept = gradebook_.ReadResult(key);
    if (!kept) return kept.error();
    std::optional<std::size_t> number;
    if (*kept) {
      number = grades_.texts.size();
      ExerciseResult& result = (*kept)->result;
      GradedText text;
      // Students read it, and others may hand in later: with the seed they could compute the inputs.
      text.report =
          TerminalReport(result, TerminalStyle{.shows_seed = false, .shows_points = !scope_.course});
      for (TestResult& test : result.tests) std::vector<LaunchRecord>().swap(test.launches);
      text.result = std::move(result);
      text.graded_at = (*kept)->graded_at;
      hashes_.push_back((*kept)->key.submission_hash);
      grades_.texts.push_back(std::move(text));
    }
    texts_[key] = number;
    return number;
  }

  /// Of the attempts that can count, the one with the most points, and of equal ones the first. All of them
  /// must have been graded: else another one might be better.
  Status ChooseAttempt(const SubmissionRow& submission, std::size_t line, std::size_t column,
                       GradeCell& cell) {
    std::vector<AttemptRow> attempts =
        attempts_[{submission.student, submission.chapter, submission.exercise}];
    if (attempts.empty()) {  // A gradebook from before attempts were kept.
      attempts.push_back({.student = submission.student,
                          .chapter = submission.chapter,
                          .exercise = submission.exercise,
                          .number = 1,
                          .file = submission.file,
                          .handed_in_at = std::nullopt,
                          .marked_late = false,
                          .result = submission.result});
    }
    const std::vector<ExcludedTest>& left_out = grades_.exercises[column].excluded;
    std::set<std::string> excluded;
    for (const ExcludedTest& each : left_out) excluded.insert(each.name);
    std::optional<ScoredAttempt> best;
    for (const std::size_t number : AttemptsToGrade(scope_, attempts.size())) {
      const AttemptRow& attempt = attempts[number];
      const auto text = TextOf(attempt.result);
      if (!text) return text.error();
      if (!IsGraded(*text, attempt, cell)) return Unit{};
      auto scored = ScoreAttempt(scope_, scope_.exercises[column], students_[line], attempt,
                                 grades_.texts[**text].result, excluded);
      if (!scored) return scored.error();
      if (best && scored->points <= best->points) continue;
      cell.text = *text;
      cell.file = attempt.file;
      cell.handed_in_at = attempt.handed_in_at;
      best = std::move(*scored);
      if (attempts.size() > 1 && scope_.assignment) NoteAttempt(number, attempts.size(), *best);
    }
    cell.state = CellState::kGraded;
    cell.automatic = best->automatic;
    cell.points = best->points;
    cell.late_seconds = best->late_seconds;
    cell.is_within_grace = best->is_within_grace;
    cell.is_closed = best->is_closed;
    UseLateDays(best->free_days, grades_.students[line]);
    cell.changes = std::move(best->changes);
    cell.groups = std::move(best->groups);
    NoteExcluded(left_out, cell);
    return Unit{};
  }

  /// Exercises that are late together use the same days.
  static void UseLateDays(std::int64_t days, StudentGrades& student) {
    if (!student.late_days || days <= student.late_days->used) return;
    student.late_days->left -= days - student.late_days->used;
    student.late_days->used = days;
  }

  void NoteAttempt(std::size_t number, std::size_t attempts, ScoredAttempt& scored) const {
    constexpr const char* kWhy[] = {"the last", "the best", "the first"};
    const Assignment& assignment = *scope_.assignment;
    std::string reason = "attempt " + std::to_string(number + 1) + " of " + std::to_string(attempts) +
                         " counts: " + kWhy[static_cast<int>(assignment.attempts)];
    if (assignment.max_attempts && static_cast<std::int64_t>(attempts) > *assignment.max_attempts) {
      reason += " of the first " + std::to_string(*assignment.max_attempts);
    }
    PointChange change{
        .kind = PointChange::Kind::kAttemptRule, .delta = 0, .reason = reason, .author = "", .when = ""};
    scored.changes.insert(scored.changes.begin(), std::move(change));
  }

  /// Otherwise the cell says why not.
  bool IsGraded(std::optional<std::size_t> text, const AttemptRow& attempt, GradeCell& cell) const {
    if (text && grades_.texts[*text].result.verdict != Verdict::kGraderFault) return true;
    cell.state = CellState::kNotGraded;
    cell.file = attempt.file;
    cell.text = text;
    if (text) cell.problem = GraderFault(grades_.texts[*text].result);
    cell.is_waiting = cell.problem.empty();
    if (cell.is_waiting) cell.problem = "not reached yet";
    return false;
  }

  /// Says which tests were left out, and whether those that count passed: with none left, nothing failed.
  void NoteExcluded(const std::vector<ExcludedTest>& excluded, GradeCell& cell) const {
    const ExerciseResult& result = grades_.texts[*cell.text].result;
    cell.passed = result.verdict == Verdict::kPassed;
    std::vector<ExcludedTest> left_out;
    bool others_passed = true;
    for (const TestResult& test : result.tests) {
      const auto exclusion = std::ranges::find(excluded, test.name, &ExcludedTest::name);
      if (exclusion != excluded.end()) {
        left_out.push_back(*exclusion);
        left_out.back().title = GroupedEnglish(test.title);
      } else if (test.verdict != Verdict::kPassed) {
        others_passed = false;
      }
    }
    if (left_out.empty()) return;
    cell.passed = others_passed;
    for (PointChange& change : cell.changes) {
      if (change.kind != PointChange::Kind::kExcludedTest) continue;
      const double delta = change.delta;
      change = ExclusionChange(left_out);
      change.delta = delta;
    }
  }

  static std::string GraderFault(const ExerciseResult& result) {
    if (!result.reason.empty()) return English(result.reason);
    for (const TestResult& test : result.tests) {
      if (test.verdict == Verdict::kGraderFault) return test.name + ": " + English(test.reason);
    }
    return "a fault of the grader's";
  }

  void Count(const GradeCell& cell, std::size_t student, ClassExercise& exercise) const {
    if (!students_[student].unmatched.empty()) return;
    switch (cell.state) {
      case CellState::kMissing: ++exercise.missing; return;
      case CellState::kUnusable: ++exercise.unusable; return;
      case CellState::kNotGraded: ++exercise.not_graded; return;
      case CellState::kGraded: break;
    }
    const ExerciseResult& result = grades_.texts[*cell.text].result;
    ++exercise.graded;
    const bool is_forbidden = result.verdict == Verdict::kForbiddenSymbol;
    exercise.forbidden += is_forbidden;
    exercise.not_built += result.tests.empty() && !is_forbidden;
    exercise.passed += cell.passed;
    for (const TestResult& test : result.tests) CountTest(test, exercise);
    // Nobody has thought what an unchanged starter does.
    if (cell.is_starter) return;
    for (const Misconception& each : result.misconceptions) CountMisconception(each, student, exercise);
  }

  static void CountTest(const TestResult& test, ClassExercise& exercise) {
    auto rate = std::ranges::find(exercise.tests, test.name, &TestRate::name);
    if (rate == exercise.tests.end()) rate = exercise.tests.insert(rate, {test.name, test.title, 0, 0});
    rate->excluded = std::ranges::count(exercise.excluded, test.name, &ExcludedTest::name) > 0;
    if (rate->title.empty()) rate->title = test.title;
    ++rate->total;
    rate->passed += test.verdict == Verdict::kPassed;
  }

  static void CountMisconception(const Misconception& met, std::size_t student, ClassExercise& exercise) {
    auto rate = std::ranges::find(exercise.misconceptions, met.id, &MisconceptionRate::id);
    if (rate == exercise.misconceptions.end()) {
      rate = exercise.misconceptions.insert(rate, {met.id, met.title, English(met.message), {}});
    }
    rate->students.push_back(student);
  }

  const Gradebook& gradebook_;
  const ScoringScope& scope_;
  std::vector<StudentRow> students_;
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<AttemptRow>> attempts_;
  ClassGrades grades_;
  std::map<std::pair<std::string, std::string>, std::size_t> columns_;
  std::map<std::string, std::size_t> lines_;
  std::map<const Exercise*, Starter> starters_;
  std::map<std::string, std::optional<std::size_t>> texts_;
  std::vector<std::string> hashes_;  ///< Of what was handed in, for each of grades_.texts.
};

Result<ScoringScope> ScopeOf(const Gradebook& gradebook, const Workbook& workbook) {
  const auto graded = gradebook.ReadScope();
  if (!graded) return graded.error();
  return ResolveScope(*graded, workbook);
}

std::string PageName(const std::string& student) {
  constexpr std::size_t kMost = 100;
  std::string page;
  for (const char c : student) {
    const bool kept = static_cast<unsigned char>(c) >= 0x80 || (c >= '0' && c <= '9') ||
                      (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '-' || c == '_';
    page += kept ? c : '_';
  }
  page.resize(FirstBytes(page, kMost).size());
  if (page.starts_with('.') || page.empty()) page.insert(0, "_");
  return page;
}

}  // namespace

std::vector<std::string> PageNames(const std::vector<StudentRow>& students) {
  std::vector<std::string> pages;
  std::set<std::string> taken;
  const auto folded = [](std::string name) {
    std::ranges::transform(name, name.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return name;
  };
  for (const StudentRow& student : students) {
    const std::string base = PageName(student.name);
    std::string page = base;
    for (int number = 2; !taken.insert(folded(page)).second; ++number)
      page = base + "-" + std::to_string(number);
    pages.push_back(std::move(page));
  }
  return pages;
}

Result<ClassGrades> GatherGrades(const Gradebook& gradebook, const Workbook& workbook) {
  auto grades = GatherUndecided(gradebook, workbook);
  if (!grades) return grades;
  const auto decisions = gradebook.ReadDecisions();
  if (!decisions) return decisions.error();
  ApplyDecisions(*decisions, *grades);
  return grades;
}

Result<ClassGrades> GatherUndecided(const Gradebook& gradebook, const Workbook& workbook) {
  const auto scope = ScopeOf(gradebook, workbook);
  if (!scope) return scope.error();
  return Gatherer(gradebook, workbook, *scope).Gather();
}

Result<std::vector<StudentLateDays>> GatherLateDays(const Gradebook& gradebook, const Workbook& workbook) {
  const auto scope = ScopeOf(gradebook, workbook);
  if (!scope) return scope.error();
  return Gatherer(gradebook, workbook, *scope).GatherLateDays();
}

}  // namespace warplings
