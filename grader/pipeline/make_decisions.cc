// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/make_decisions.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <sstream>

#include "grader/base/csv.h"
#include "grader/base/messages.h"
#include "grader/base/person_names.h"
#include "grader/base/spelling.h"
#include "grader/base/text.h"
#include "grader/core/round_points.h"
#include "grader/core/student_identity.h"
#include "grader/course/roster.h"
#include "grader/gradebook/apply_decisions.h"
#include "grader/messages/check_faults.h"
#include "grader/messages/class.h"
#include "grader/messages/workbook.h"
#include "grader/pipeline/test_names.h"

namespace warplings {
namespace {

using Action = DecisionRequest::Action;

/// "3.5" of "3,5", as half of the world and its keyboards write it. With three digits behind the comma it may
/// be thousands, and is no number.
std::string WithDecimalPoint(std::string text) {
  const std::size_t comma = text.find(','), digits = text.size() - comma - 1;
  if (comma != text.npos && text.find_first_of(".,", comma + 1) == text.npos && digits >= 1 && digits <= 2)
    text[comma] = '.';
  return text;
}

std::optional<double> ParsePoints(const std::string& written) {
  const std::string text = WithDecimalPoint(written);
  double points = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), points);
  const bool whole = fault == std::errc() && end == text.data() + text.size();
  if (!whole || !std::isfinite(points) || points < 0) return std::nullopt;
  return RoundPoints(points);
}

/// What an item of a rubric adds, or takes.
std::optional<double> ParseItemPoints(const std::string& text) {
  if (!text.starts_with('-')) return ParsePoints(text.starts_with('+') ? text.substr(1) : text);
  const auto points = ParsePoints(text.substr(1));
  return points ? std::optional(0 - *points) : std::nullopt;  // Of 0, not -0.
}

Decision::Kind KindOf(const DecisionRequest& request) {
  switch (request.action) {
    case Action::kPoints: return Decision::Kind::kPoints;
    case Action::kComment: return request.line.empty() ? Decision::Kind::kComment : Decision::Kind::kLine;
    case Action::kItem: return Decision::Kind::kItem;
    case Action::kMark: return Decision::Kind::kMark;
    case Action::kReview: return Decision::Kind::kReviewed;
    case Action::kExclude: return Decision::Kind::kExclusion;
    case Action::kAsk:
    case Action::kAnswer: return Decision::Kind::kRegrade;
  }
  return Decision::Kind::kPoints;
}

/// Which of several decisions of a kind: a test, the number of a line, the id of a rubric's item.
std::string TestOf(const DecisionRequest& request, const std::string& test, Decision::Kind kind) {
  if (kind == Decision::Kind::kReviewed) return "";
  return kind == Decision::Kind::kLine ? request.line : test;
}

/// The comment that the pages show at the line with this number; null without one.
const GradeComment* CommentShownAt(const GradeCell& cell, const std::string& number) {
  const auto shown = std::ranges::find_if(cell.comments, [&](const GradeComment& each) {
    return each.shown_at > 0 && std::to_string(each.shown_at) == number;
  });
  return shown == cell.comments.end() ? nullptr : &*shown;
}

/// What names a comment on a line: the number under which it was written. The comment may be shown at another
/// line since; a new one at the old number then gets a name of its own, "42.2".
std::string NameOfLine(const DecisionRequest& request, const GradeCell& cell) {
  if (const GradeComment* shown = CommentShownAt(cell, request.line)) return shown->line;
  const auto is_elsewhere = [&](const std::string& name) {
    return std::ranges::any_of(
        cell.comments, [&](const GradeComment& each) { return each.line == name && each.shown_at > 0; });
  };
  if (request.removes || !is_elsewhere(request.line)) return request.line;
  int more = 2;
  while (is_elsewhere(request.line + "." + std::to_string(more))) ++more;
  return request.line + "." + std::to_string(more);
}

std::string NameOf(const ClassExercise& exercise) {
  return exercise.chapter + "/" + exercise.id;
}

/// The whole name of the test that is meant, which may be a part as for `check --test`; of an item its id.
Result<std::string> TestMeant(const DecisionRequest& request, const ClassExercise& exercise) {
  if (request.test.empty() || request.action == Action::kItem) return request.test;
  if (request.action == Action::kMark) {
    const bool is_there = std::ranges::count(exercise.rubric, request.test, &RubricItem::id) > 0;
    if (is_there || request.removes) return request.test;
    return UsageError(say::no_such_item(NameOf(exercise)), say::look_at_the_page_again());
  }
  std::string names;
  std::vector<NamedTest> tests;
  for (const TestRate& test : exercise.tests) {
    names += (names.empty() ? "" : ", ") + test.name;
    tests.push_back({test.name, English(test.title)});
  }
  const auto chosen = ChooseTest(tests, request.test, exercise.id);
  if (chosen) return tests[*chosen].name;
  if (request.removes) return request.test;  // Of a test that is gone.
  if (say::several_tests_have.Made(chosen.error().message)) return chosen.error();
  return UsageError(say::exercise_without_test(NameOf(exercise), request.test),
                    names.empty() ? say::no_file_has_run_yet() : say::tests_that_it_has(names));
}

/// The line of the graded text with this number, as it is written in a request.
Result<std::string> LineOf(const ClassGrades& grades, const GradeCell& cell, const std::string& number) {
  const std::string source = cell.text ? grades.texts[*cell.text].result.source : "";
  std::size_t wanted = 0, line = 0;
  const auto [end, fault] = std::from_chars(number.data(), number.data() + number.size(), wanted);
  const bool is_number = fault == std::errc() && end == number.data() + number.size();
  std::istringstream lines(source);
  for (std::string text; std::getline(lines, text);) {
    if (is_number && ++line == wanted) return text;
  }
  return UsageError(cell.text ? say::no_such_line(number, say::Count(line, "line")) : say::no_graded_file(),
                    say::name_line_of_file());
}

/// A field that is only a small number: what is left of "7,5" where the comma separates fields.
bool LooksLikeDecimals(const std::string& text) {
  return !text.empty() && text.size() <= 2 &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// All columns of overrides.csv.
constexpr const char* kColumns[] = {"Student", "Exercise", "Points", "Reason",
                                    "Comment", "Test",     "Line",   "Author"};

/// A column that is not read would be a decision that nobody makes. One without a name and without texts is
/// none: spreadsheets write such.
Status CheckKnown(const CsvTable& table) {
  const auto& header = table.rows.front();
  const auto is_empty = [&](std::size_t column) {
    return FoldName(header[column]).empty() && std::ranges::all_of(table.rows, [&](const auto& row) {
             return row.size() <= column || row[column].empty();
           });
  };
  for (std::size_t i = 0; i < header.size(); ++i) {
    const auto fits = [&](const char* name) { return FoldName(header[i]) == FoldName(name); };
    if (std::ranges::any_of(kColumns, fits) || is_empty(i)) continue;
    return UsageError(say::unknown_decisions_column(Printable(header[i])), say::remove_decisions_column());
  }
  return Unit{};
}

/// The columns that overrides.csv cannot do without are there.
Status CheckColumns(const std::vector<std::string>& header) {
  const auto has = [&](std::string_view name) {
    return std::ranges::any_of(header,
                               [&](const std::string& each) { return FoldName(each) == FoldName(name); });
  };
  std::vector<std::string> missing;
  for (const char* name : {"Student", "Exercise"}) {
    if (!has(name)) missing.push_back(name);
  }
  if (!has("Points") && !has("Comment")) missing.insert(missing.end(), {"Points", "Comment"});
  if (missing.empty()) return Unit{};
  const Message problem = say::decisions_without_column(missing.front(), Printable(Joined(header, ", ")));
  for (const std::string& wanted : missing) {
    for (const std::string& each : header) {
      if (!ClosestCandidate(InLowerCase(each), {InLowerCase(wanted)}).empty())
        return UsageError(problem, say::rename_decisions_column(Printable(each), wanted));
    }
  }
  return UsageError(problem, say::first_line_names_columns());
}

/// Fields of one line of overrides.csv, by the names in its header.
class CsvRow {
 public:
  CsvRow(const std::vector<std::string>& header, const std::vector<std::string>& row)
      : header_(header), row_(row) {}

  std::string operator[](std::string_view name) const {
    for (std::size_t i = 0; i < header_.size() && i < row_.size(); ++i) {
      if (FoldName(header_[i]) == FoldName(name)) return CsvValue(row_[i]);
    }
    return "";
  }

 private:
  const std::vector<std::string>& header_;
  const std::vector<std::string>& row_;
};

std::vector<DecisionRequest> RequestsOf(const CsvRow& row, const std::string& author, bool beyond) {
  DecisionRequest request;
  request.beyond = beyond;
  request.student = row["Student"];
  request.exercise = row["Exercise"];
  request.author = row["Author"].empty() ? author : row["Author"];
  std::vector<DecisionRequest> requests;
  if (!row["Points"].empty()) {
    request.points = row["Points"];
    request.text = row["Reason"];
    requests.push_back(request);
  }
  if (!row["Comment"].empty()) {
    request.action = Action::kComment;
    request.test = row["Test"];
    request.line = row["Line"];
    request.text = row["Comment"];
    requests.push_back(request);
  }
  return requests;
}

/// What is wrong with a line as a whole, or "". A decimal comma without quotes moves every field behind it,
/// and may still look like a decision.
std::string FaultOfLine(const CsvTable& table, std::size_t line,
                        const std::vector<DecisionRequest>& requests) {
  if (HasFieldsBesideHeader(table, line)) {
    return std::to_string(table.rows[line].size()) + " fields, and the header has " +
           std::to_string(table.rows[0].size()) +
           "; put a field with a comma into quotes, and write 7.5 for 7,5";
  }
  if (requests.empty()) return "neither Points nor Comment";
  const DecisionRequest& last = requests.back();
  if (!last.test.empty() && !last.line.empty()) return "both Test and Line; a comment is about one of them";
  const DecisionRequest& first = requests.front();
  if (first.action != Action::kPoints || table.delimiter != ',' || !LooksLikeDecimals(first.text)) return "";
  return "the reason is '" + first.text + "'; if " + first.points + "," + first.text +
         " points are meant, write " + first.points + "." + first.text;
}

/// Those whose name has all letters of `wanted` side by side, as a surname; accents may be missing.
std::vector<const StudentGrades*> NamedIn(const std::string& wanted, const ClassGrades& grades) {
  constexpr std::size_t kFewestLetters = 3;
  std::vector<const StudentGrades*> found;
  const std::string part = FoldName(wanted);
  if (part.size() < kFewestLetters) return found;
  for (const StudentGrades& student : grades.students) {
    std::set<std::string> forms = PlainNames(student.name);
    forms.insert(FoldName(student.name));
    if (std::ranges::any_of(forms, [&](const std::string& each) { return each.find(part) != each.npos; }))
      found.push_back(&student);
  }
  return found;
}

std::string NamesOf(const std::vector<const StudentGrades*>& students) {
  std::string names;
  for (const StudentGrades* each : students) names += (names.empty() ? "" : "; ") + NameAndLogin(*each);
  return names;
}

}  // namespace

std::string PointsInWords(double points) {
  return CsvNumber(points) + (points == 1 ? " point" : " points");
}

std::string SignedPointsInWords(double points) {
  return (points < 0 ? "" : "+") + PointsInWords(points);
}

std::string InWords(const Decision& decision) {
  switch (decision.kind) {
    case Decision::Kind::kPoints: return PointsInWords(decision.points);
    case Decision::Kind::kComment:
    case Decision::Kind::kLine: return decision.text;
    case Decision::Kind::kItem: return decision.text + " (" + SignedPointsInWords(decision.points) + ")";
    case Decision::Kind::kMark: return "holds";
    case Decision::Kind::kReviewed: return "reviewed";
    case Decision::Kind::kExclusion: return "excluded";
    case Decision::Kind::kRegrade: return decision.is_open ? "open" : "closed: " + decision.answer;
  }
  return "";
}

Result<const StudentGrades*> DecisionMaker::FindStudent(const DecisionRequest& request) const {
  const std::string& wanted = request.student;
  std::vector<const StudentGrades*> found, found_without_accents;
  std::vector<std::string> names_there;
  for (const StudentGrades& student : grades_.students) {
    if (!request.who.empty()) {
      if (StudentKey(student) == request.who) return &student;
      continue;
    }
    std::ranges::move(NamesLike(wanted, student.name, student.roster), std::back_inserter(names_there));
    if (student.name == wanted || IsCalled(wanted, student.name, student.roster)) found.push_back(&student);
    if (CompareNames(wanted, NameWithoutNumber(student.name)) == NameFit::kWithoutAccents)
      found_without_accents.push_back(&student);
  }
  if (found.empty()) found = std::move(found_without_accents);
  if (found.size() == 1) return found.front();
  if (found.empty()) {
    // A surname alone is far from a whole name, and often near to another student's.
    const std::vector<const StudentGrades*> partly = NamedIn(wanted, grades_);
    if (partly.size() == 1)
      return UsageError(
          say::did_you_mean(say::no_such_student(Printable(wanted)), Printable(partly.front()->name)),
          say::write_name_as_in_grades());
    constexpr std::size_t kMostListed = 8;
    if (partly.size() > 1 && partly.size() <= kMostListed)
      return UsageError(say::may_be_each_of(Printable(wanted), Printable(NamesOf(partly))),
                        say::write_whole_name());
    return UsageError(WithClosest(say::no_such_student(Printable(wanted)), wanted, names_there),
                      say::write_name_as_in_grades());
  }
  const bool is_whole = std::ranges::all_of(found, [&](const StudentGrades* each) {
    return HasName(NameWithoutNumber(found.front()->name), each->name);
  });
  return UsageError(say::may_be_each_of(Printable(wanted), Printable(NamesOf(found))),
                    is_whole ? Message(say::write_account()) : Message(say::write_whole_name()));
}

Result<const ClassExercise*> DecisionMaker::FindExercise(const std::string& wanted) const {
  const auto selected = SelectExercises(workbook_, wanted);
  if (!selected) return FindByPart(wanted, selected.error());
  if (selected->size() != 1) {
    return UsageError(say::several_exercises(wanted), say::name_one_of_them());
  }
  for (const ClassExercise& exercise : grades_.exercises) {
    if (exercise.chapter == selected->front()->chapter && exercise.id == selected->front()->id)
      return &exercise;
  }
  return UsageError(say::exercise_not_graded(wanted));
}

Result<const ClassExercise*> DecisionMaker::FindByPart(const std::string& wanted,
                                                       const Error& otherwise) const {
  constexpr std::size_t kFewest = 3;
  std::vector<const ClassExercise*> found;
  for (const ClassExercise& exercise : grades_.exercises) {
    if (wanted.size() >= kFewest && exercise.id.find(wanted) != std::string::npos) found.push_back(&exercise);
  }
  if (found.empty()) return otherwise;
  if (found.size() == 1) return found.front();
  std::string names;
  for (const ClassExercise* each : found) names += (names.empty() ? "" : ", ") + each->id;
  return UsageError(say::part_of_several_names(wanted, names), say::write_more_of_the_name());
}

Result<DecisionMaker::Place> DecisionMaker::FindPlace(const DecisionRequest& request) const {
  Place place;
  if (request.action != Action::kExclude && request.action != Action::kItem) {
    const auto student = FindStudent(request);
    if (!student) return student.error();
    place.student = *student;
  }
  if (request.exercise.empty() && request.action == Action::kComment) return place;
  const auto exercise = FindExercise(request.exercise);
  if (!exercise) return exercise.error();
  place.exercise = *exercise;
  if (place.student != nullptr) {
    place.cell = &place.student->cells[static_cast<std::size_t>(place.exercise - grades_.exercises.data())];
  }
  const auto test = TestMeant(request, *place.exercise);
  if (!test) return test.error();
  place.test = *test;
  return place;
}

const Decision* DecisionMaker::Former(const Decision& decision) const {
  const auto former =
      std::ranges::find_if(former_, [&](const Decision& each) { return AreAboutTheSame(each, decision); });
  return former == former_.end() ? nullptr : &*former;
}

const Decision* DecisionMaker::OfNobodyHere(const DecisionRequest& request) const {
  if (!request.removes || request.student.empty() || !request.who.empty()) return nullptr;
  const auto is_here = [&](const std::string& key) {
    return std::ranges::any_of(grades_.students,
                               [&](const StudentGrades& each) { return StudentKey(each) == key; });
  };
  const Decision* found = nullptr;
  for (const Decision& each : former_) {
    const bool is_meant =
        each.student == request.student && each.kind == KindOf(request) &&
        (request.exercise.empty() ? each.exercise.empty() : each.exercise == request.exercise) &&
        (request.test.empty() || each.test == request.test);
    if (!is_meant || is_here(KeyOfStudent(each))) continue;
    if (found != nullptr) return nullptr;
    found = &each;
  }
  return found;
}

Result<DecisionChange> DecisionMaker::Make(const DecisionRequest& request) const {
  if (request.text.empty()) return UsageError(say::decision_needs_reason(), say::give_reason());
  if (const Decision* left = OfNobodyHere(request); left != nullptr) {
    DecisionChange change;
    change.reason = request.text;
    change.before = InWords(*left);
    change.action = "removed";
    change.removes = true;
    change.decision = *left;
    return change;
  }
  const auto place = FindPlace(request);
  if (!place) return place.error();
  Decision decision;
  decision.kind = KindOf(request);
  if (place->student != nullptr) {
    decision.student = place->student->name;
    decision.who = StudentKey(*place->student);
  }
  if (place->exercise != nullptr) {
    decision.chapter = place->exercise->chapter;
    decision.exercise = place->exercise->id;
  }
  decision.test = decision.kind == Decision::Kind::kLine && place->cell != nullptr
                      ? NameOfLine(request, *place->cell)
                      : TestOf(request, place->test, decision.kind);
  decision.text = request.text;
  decision.author = request.author;
  return Describe(request, *place, std::move(decision));
}

Result<DecisionChange> DecisionMaker::Describe(const DecisionRequest& request, const Place& place,
                                               Decision decision) const {
  DecisionChange change;
  change.reason = request.text;
  const Decision* former = Former(decision);
  if (former != nullptr) change.before = InWords(*former);
  if (request.removes) {
    if (former == nullptr) return UsageError(say::no_such_decision(), say::see_list());
    change.action = "removed";
    change.removes = true;
    change.decision = std::move(decision);
    return change;
  }
  if (request.action == Action::kPoints) {
    const auto points = ParsePoints(request.points);
    if (!points) {
      return UsageError(ParseItemPoints(request.points) ? say::points_below_0(request.points)
                                                        : say::no_number_of_points(request.points),
                        say::example_of_points());
    }
    if (*points > place.exercise->max_points && !request.beyond) {
      return UsageError(
          say::more_points_than_it_has(PointsInWords(*points), CsvNumber(place.exercise->max_points),
                                       NameOf(*place.exercise)),
          request.is_of_page ? say::give_at_most_or_tick(CsvNumber(place.exercise->max_points))
                             : say::give_at_most_or_beyond(CsvNumber(place.exercise->max_points)));
    }
    decision.points = *points;
    change.before = place.cell->HasPoints() ? PointsInWords(place.cell->points) : "no points";
  }
  if (request.action == Action::kItem) {
    const auto points = ParseItemPoints(request.points);
    if (!points) return UsageError(say::no_number_of_points(request.points), say::example_of_item());
    // ApplyRubric() would stop there, so that the item could never be worth what it says: "12" for "1.2".
    if (const double most = place.exercise->max_points; *points > most) {
      return UsageError(
          say::more_points_than_it_has(PointsInWords(*points), CsvNumber(most), NameOf(*place.exercise)),
          say::give_item_at_most(CsvNumber(most)));
    } else if (-*points > most) {  // "-50" for "-5.0"
      return UsageError(
          say::takes_more_than_it_has(PointsInWords(-*points), CsvNumber(most), NameOf(*place.exercise)),
          say::take_item_at_most(CsvNumber(most)));
    }
    decision.points = *points;
  }
  if (request.action == Action::kMark && !place.cell->HasPoints()) {
    return UsageError(say::mark_needs_points(), say::set_points_first());
  }
  if (decision.kind == Decision::Kind::kLine) {
    auto quote = LineOf(grades_, *place.cell, request.line);
    if (!quote) return quote.error();
    decision.quote = *std::move(quote);
    decision.line = static_cast<std::size_t>(std::strtoul(request.line.c_str(), nullptr, 10));
    decision.file_hash = place.cell->hash;
  }
  if (decision.kind == Decision::Kind::kMark) decision.quote = DecidedAbout(*place.cell);
  if (decision.kind == Decision::Kind::kPoints)
    decision.quote = PointsDecidedAbout(*place.cell, place.exercise->max_points);
  if (decision.kind == Decision::Kind::kReviewed) decision.quote = place.cell->hash;
  if (request.action == Action::kAsk) change.action = "opened";
  if (request.action == Action::kAnswer) {
    if (former == nullptr || !former->is_open) {
      return UsageError(say::no_open_request(), say::see_list());
    }
    change.action = "closed";
    decision.text = former->text;
    decision.answer = request.text;
    decision.is_open = false;
  }
  change.after = InWords(decision);
  change.decision = std::move(decision);
  return change;
}

Result<std::vector<DecisionChange>> DecisionMaker::MakeAll(std::string_view csv, const std::string& name,
                                                           const std::string& author, bool beyond) const {
  const auto table = ParseCsv(csv);
  if (!table) return UsageError(say::decisions_unread(name, table.error().message), table.error().next_step);
  if (table->rows.empty()) return UsageError(say::no_entries(), say::first_line_names_columns());
  for (const Status& known : {CheckColumns(table->rows.front()), CheckKnown(*table)}) {
    if (!known) return known.error();
  }
  std::vector<DecisionChange> changes;
  std::string faults;
  for (std::size_t i = 1; i < table->rows.size(); ++i) {
    const auto requests = RequestsOf(CsvRow(table->rows[0], table->rows[i]), author, beyond);
    const auto complain = [&](const std::string& what) {
      faults += "\n  line " + std::to_string(table->lines[i]) + ": " + what;
    };
    if (const std::string fault = FaultOfLine(*table, i, requests); !fault.empty()) {
      complain(fault);
      continue;
    }
    for (const DecisionRequest& request : requests) {
      auto change = Make(request);
      if (!change) {
        complain(English(change.error().message));
        continue;
      }
      changes.push_back(std::move(*change));
    }
  }
  if (!faults.empty()) {
    return UsageError(say::wrong_entries(name, faults), say::columns_of_decisions());
  }
  if (changes.empty()) return UsageError(say::no_entries(), say::first_line_names_columns());
  return changes;
}

}  // namespace warplings
