// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <sstream>

#include "grader/core/remedy.h"
#include "grader/messages/class.h"
#include "grader/report/first_failure.h"
#include "grader/report/grades_csv.h"
#include "grader/report/lms_gradebook_writer.h"
#include "grader/report/result_words.h"
#include "grader/report/source_quotes.h"

namespace warplings {
namespace lms {
namespace {

/// A spreadsheet would take it for a formula; with an apostrophe in front, the system would not know it.
bool LooksLikeAFormula(const std::string& text) {
  return CsvField(text).starts_with("\"'");
}

/// ": line 30: identifier "n_col" is undefined", of a file that was not compiled or not run; else "".
std::string FirstErrorOf(const ExerciseResult& result) {
  if (!result.tests.empty()) return "";
  if (result.verdict != Verdict::kCompileError)
    return result.reason.empty() ? "" : ": " + GroupedEnglish(result.reason);
  const auto error = std::ranges::find(result.diagnostics, Severity::kError, &Diagnostic::severity);
  if (error == result.diagnostics.end())
    return result.reason.empty() ? "" : ": " + GroupedEnglish(result.reason);
  const bool is_shown = !SourceQuotes::OfSubmission(result.file, result.source).Line(error->where).empty();
  return (is_shown ? ": line " + std::to_string(error->where.line) : "") + ": " +
         GroupedEnglish(error->message);
}

/// Why a file earned less than everything, in a line; and what to do first. "" if it passed.
std::string ResultLines(const ClassGrades& grades, const GradeCell& cell) {
  switch (cell.state) {
    case GradeCell::State::kMissing: return "  No file was handed in.\n";
    case GradeCell::State::kUnusable:
      return "  This could not be graded: " + ForStudent(cell.problem) + ".\n";
    case GradeCell::State::kNotGraded: return "";
    case GradeCell::State::kGraded: break;
  }
  if (cell.passed) return "";
  // Advice on it would be advice on what the student has not tried yet.
  if (cell.is_starter) return "  Handed in as it was given out: nothing was changed.\n";
  const ExerciseResult& result = grades.texts[*cell.text].result;
  std::string text = "  " + VerdictWords(result) + FirstErrorOf(result) + "\n";
  std::string first = GroupedEnglish(result.next_step);
  if (result.next_step.empty() && !result.misconceptions.empty()) {
    // A title says what is wrong, and the step what to do.
    first = result.misconceptions[0].title;
    const std::string step = GroupedEnglish(StepOf(result.misconceptions[0]));
    if (!step.empty()) first += (first.ends_with('.') ? " " : ". ") + step;
  }
  return first.empty() ? text : text + "  Do this first: " + first + "\n";
}

std::string RequestLines(const GradeCell& cell) {
  if (!cell.regrade || cell.regrade->is_open) return "";
  return "  Your request: " + cell.regrade->text + "\n  Answer: " + cell.regrade->answer + "\n";
}

/// What a rule or a person changed, with the points: without them, the groups seem to add up to something
/// else.
std::string ChangeLine(const GradeCell& cell, const PointChange& change) {
  if (change.kind == PointChange::Kind::kOverride) {
    const std::string instead = cell.state == GradeCell::State::kGraded
                                    ? ", instead of " + LmsNumber(cell.points - change.delta)
                                    : "";
    return "set by hand" + instead + ": " + change.reason;
  }
  if (LmsNumber(change.delta) == "0") return change.reason;
  return (change.delta > 0 ? "+" : "") + LmsNumber(change.delta) + " points: " + change.reason;
}

/// What a student reads beside the grade in Moodle: points, the result and what people said of each exercise.
/// `sum` is where the grade comes from.
std::string FeedbackOf(const ClassGrades& grades, const StudentGrades& student, const std::string& sum) {
  std::string text = sum + "\n";
  for (const GradeComment& comment : student.comments) text += comment.text + "\n";
  for (std::size_t i = 0; i < student.cells.size(); ++i) {
    const GradeCell& cell = student.cells[i];
    const ClassExercise& exercise = grades.exercises[i];
    // By the name that the students' file has; some titles are questions.
    text += exercise.id + " (" + exercise.title + "): " + LmsNumber(cell.points) + " of " +
            LmsNumber(exercise.max_points) + "\n";
    text += ResultLines(grades, cell);
    for (const GroupScore& group : cell.groups) text += "  " + GroupText(group) + "\n";
    for (const PointChange& change : EffectiveChanges(exercise, cell)) {
      if (change.kind != PointChange::Kind::kRubric) text += "  " + ChangeLine(cell, change) + "\n";
    }
    for (const std::string& item : ItemTexts(exercise, cell)) text += "  " + item + "\n";
    for (const std::string& test : ExcludedWithoutEffect(grades, exercise, cell)) text += "  " + test + "\n";
    for (const GradeComment& comment : cell.comments) {
      text += "  " + PlaceOfComment(comment) + comment.text + "\n";
    }
    text += RequestLines(cell);
  }
  return text;
}

/// Moodle takes both for HTML, and would lose what follows a "<". In the gradebook it keeps line ends, in a
/// worksheet not.
std::string AsHtml(const std::string& text, bool is_worksheet) {
  std::string html;
  for (const char c : text) {
    if (c == '&') {
      html += "&amp;";
    } else if (c == '<' || c == '>') {
      html += c == '<' ? "&lt;" : "&gt;";
    } else {
      if (c == '\n' && is_worksheet) html += "<br>";
      html += c;
    }
  }
  return html;
}

/// Moodle's export, and which of its columns are what.
struct MoodleExport {
  CsvTable table;
  std::size_t identifier = kNoColumn, email = kNoColumn, number = kNoColumn, user = kNoColumn;
  std::size_t first = kNoColumn, last = kNoColumn, full = kNoColumn, most = kNoColumn;
  std::size_t may_change = kNoColumn;
  std::size_t grade = kNoColumn, feedback = kNoColumn;
  std::string feedback_name;

  const Row& header() const { return table.rows[0]; }
  bool is_worksheet() const { return identifier != kNoColumn; }
  bool SaysWho(std::size_t column) const {
    return column == identifier || column == email || column == number || column == user;
  }
  std::string NameIn(const Row& row) const {
    return full == kNoColumn ? Field(row, first) + " " + Field(row, last) : Field(row, full);
  }
};

constexpr std::string_view kReal = " (Real)";

/// Columns that may take grades.
std::vector<std::size_t> GradesOf(const MoodleExport& in) {
  const Row& header = in.header();
  std::vector<std::size_t> candidates;
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (in.is_worksheet() ? header[i] == "Grade" : header[i].ends_with(kReal)) candidates.push_back(i);
  }
  if (candidates.empty() && !in.is_worksheet()) {
    for (std::size_t i = 0; i < header.size(); ++i) {
      if (!in.SaysWho(i)) candidates.push_back(i);
    }
  }
  return candidates;
}

/// "Week 1" of "Assignment: Week 1 (Real)".
std::string ActivityName(const std::string& header) {
  std::string name = header.ends_with(kReal) ? header.substr(0, header.size() - kReal.size()) : header;
  // The activity's kind, one word in the teacher's language, is in front.
  const std::size_t colon = name.find(": ");
  return colon == std::string::npos || name.find(' ') < colon ? name : name.substr(colon + 2);
}

Result<std::size_t> ChooseMoodleColumn(const MoodleExport& in, const LmsRequest& request) {
  const std::vector<std::size_t> candidates = GradesOf(in);
  if (candidates.empty()) {
    const std::string columns = Printable(warplings::Joined(in.header(), ", "));
    return in.is_worksheet() ? UsageError(say::worksheet_without_grade(columns), say::set_moodle_to_english())
                             : UsageError(say::gradebook_without_grades(columns), say::how_moodle_exports());
  }
  const auto is_wanted = [&](const std::string& each) {
    return each == request.column + " (Real)" || each.ends_with(": " + request.column + " (Real)");
  };
  return ChooseColumn(in.header(), candidates, request.column, is_wanted, ActivityName);
}

/// Whether the rows have e-mail addresses or participants' numbers, under names that are not Moodle's
/// English.
bool IsInAnotherLanguage(const CsvTable& table) {
  const auto holds = [&](std::size_t column, const auto& fits) {
    return table.rows.size() > 1 &&
           std::all_of(table.rows.begin() + 1, table.rows.end(),
                       [&](const Row& row) { return column < row.size() && fits(row[column]); });
  };
  const auto is_participant = [](const std::string& field) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    return !field.empty() && is_digit(field.back()) && !is_digit(field.front());
  };
  if (holds(0, is_participant)) return true;
  for (std::size_t i = 0; i < table.rows[0].size(); ++i) {
    if (holds(i, [](const std::string& field) { return field.find('@') != std::string::npos; })) return true;
  }
  return false;
}

/// The columns that say who somebody is; which one is filled is not decided yet.
Result<MoodleExport> ReadMoodleHeader(std::string_view exported) {
  auto table = ReadExport(exported);
  if (!table) return table.error();
  MoodleExport in;
  in.table = *std::move(table);
  const Row& header = in.header();
  in.identifier = ColumnOf(header, {"Identifier"});
  in.email = ColumnOf(header, {"Email address"});
  in.number = ColumnOf(header, {"ID number"});
  in.user = ColumnOf(header, {"Username"});
  if (!in.is_worksheet() && in.email == kNoColumn && in.number == kNoColumn && in.user == kNoColumn) {
    const std::string columns = Printable(warplings::Joined(header, ", "));
    if (IsInAnotherLanguage(in.table))
      return UsageError(say::gradebook_not_in_english(columns), say::set_moodle_to_english());
    return UsageError(say::no_gradebook_of_moodle(columns), say::how_moodle_exports());
  }
  in.first = ColumnOf(header, {"First name"});
  in.last = ColumnOf(header, {"Last name", "Surname"});
  in.full = ColumnOf(header, {"Full name"});
  in.most = ColumnOf(header, {"Maximum Grade"});
  in.may_change = ColumnOf(header, {"Grade can be changed"});
  return in;
}

Result<MoodleExport> ReadMoodle(const LmsRequest& request) {
  auto in = ReadMoodleHeader(request.exported);
  if (!in) return in.error();
  const auto chosen = ChooseMoodleColumn(*in, request);
  if (!chosen) return chosen.error();
  in->grade = *chosen;
  std::string& name = in->feedback_name;
  name = in->is_worksheet() ? "Feedback comments" : in->header()[in->grade];
  if (name.ends_with(kReal)) name.resize(name.size() - kReal.size());
  if (!in->is_worksheet()) name += " (Feedback)";
  in->feedback = ColumnOf(in->header(), {name});
  return in;
}

/// But for blanks and line ends, which an LMS does not keep.
bool IsSameText(const std::string& one, const std::string& other) {
  const auto words = [](const std::string& text) {
    std::istringstream stream(text);
    return std::vector<std::string>(std::istream_iterator<std::string>(stream), {});
  };
  return words(one) == words(other);
}

/// `place` is for a line that does not say whose it is.
LmsLine MoodleLine(const MoodleExport& in, const Row& row, const std::string& place) {
  std::string participant = Field(row, in.identifier);
  if (participant.starts_with("Participant ")) participant = participant.substr(12);
  const std::string name = in.NameIn(row);
  // Where names are hidden, there is the number; a file that `export` wrote has no names at all.
  std::string shown = name.find_first_not_of(' ') == std::string::npos ? "" : name;
  for (const std::size_t column : {in.identifier, in.email, in.number, in.user}) {
    if (shown.empty()) shown = Field(row, column);
  }
  if (shown.empty()) shown = place;
  return {{{LmsKey::kParticipant, "Identifier", participant},
           {LmsKey::kEmail, "Email address", Field(row, in.email)},
           {LmsKey::kStudentId, "ID number", Field(row, in.number)},
           {LmsKey::kLogin, "Username", Field(row, in.user)}},
          {name, Field(row, in.last) + Field(row, in.first)},
          shown};
}

/// Moodle would not know the student again by what CsvField() makes of it.
bool HasFormulaForId(const MoodleExport& in, const Row& row) {
  return std::ranges::any_of(std::initializer_list<std::size_t>{in.identifier, in.email, in.number, in.user},
                             [&](std::size_t each) { return LooksLikeAFormula(Field(row, each)); });
}

/// A usage error if no student has the participant's number there that the submission has: an assignment
/// gives numbers of its own, and this week's worksheet looks like last week's.
Status CheckIsOfAssignment(const LmsGradebookWriter& writer, const std::vector<LmsLine>& lines) {
  std::optional<Error> other;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const StudentGrades* student = writer.MatchOf(i);
    const std::string there = lines[i].identifiers.front().value,
                      here = student == nullptr ? "" : ParticipantOf(*student);
    if (there.empty() || here.empty()) continue;
    if (there == here) return Unit{};
    if (!other) {
      other = UsageError(say::worksheet_of_another(Printable(lines[i].shown), Printable(there), here),
                         say::take_this_worksheet());
    }
  }
  return other ? Status(*other) : Status(Unit{});
}

/// Of a worksheet all columns, because Moodle knows it by them; else who it is, the grade and the feedback.
Row MoodleRow(const MoodleExport& in, const Row& row) {
  Row fields;
  for (std::size_t i = 0; i < in.header().size(); ++i) {
    const bool is_ours =
        in.SaysWho(i) || i == in.grade || i == in.feedback || in.header()[i].starts_with("Last downloaded");
    if (!in.is_worksheet() && !is_ours) continue;
    const std::string field = Field(row, i);
    // Moodle writes "-" for no grade and no time, and reads it. Behind an apostrophe it would not, and end
    // the import; a spreadsheet shows a dash alone as it is.
    fields.push_back(field == "-" ? "\"-\"" : CsvField(field));
  }
  if (in.feedback == kNoColumn && !in.is_worksheet())
    fields.push_back(CsvField(Field(row, in.header().size())));
  return fields;
}

}  // namespace
}  // namespace lms

Result<FilledGradebook> FillMoodle(const ClassGrades& grades, const LmsRequest& request) {
  using namespace lms;
  const auto in = ReadMoodle(request);
  if (!in) return in.error();
  if (in->most == kNoColumn && request.scale) {
    const std::string points = LmsNumber(grades.max_points);
    return in->is_worksheet()
               ? UsageError(say::worksheet_without_points(), say::export_worksheet_or_set(points))
               : UsageError(say::gradebook_without_points(), say::export_worksheet_or_set(points));
  }
  LmsGradebookWriter writer(grades, request);
  Row title = in->header();
  title.push_back(in->feedback_name);
  std::vector<Row> filled = {MoodleRow(*in, title)};
  std::vector<std::size_t> rows;
  std::vector<LmsLine> lines;
  for (std::size_t i = 1; i < in->table.rows.size(); ++i) {
    rows.push_back(i);
    lines.push_back(MoodleLine(*in, in->table.rows[i], PlaceOf(in->table, i, kNoColumn)));
  }
  writer.MatchLines(lines);
  if (const Status fits = CheckIsOfAssignment(writer, lines); !fits) return fits.error();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Row row = in->table.rows[rows[i]];
    row.resize(in->header().size() + 1);
    if (const Status read = CheckGrade(row[in->grade], PlaceOf(in->table, rows[i], in->grade)); !read)
      return read.error();
    if (HasFormulaForId(*in, row)) {
      writer.Leave(lines[i].shown, "an id begins like a formula of a spreadsheet; enter the grade by hand");
      continue;
    }
    const StudentGrades* student = writer.StudentOf(i, lines[i].shown);
    if (student != nullptr && InLowerCase(Field(row, in->may_change)) == "no") {
      writer.Leave(
          lines[i].shown,
          "the worksheet has No under \"Grade can be changed\", so Moodle takes no grade from it; unlock the "
          "grade in Moodle's gradebook, and download the worksheet again");
    } else if (student != nullptr) {
      if (in->most != kNoColumn) {
        const Status set = writer.SetPossible(Field(row, in->most), PlaceOf(in->table, rows[i], in->most));
        if (!set) return set.error();
      }
      std::string& feedback = row[in->feedback == kNoColumn ? in->header().size() : in->feedback];
      const std::string now =
          AsHtml(FeedbackOf(grades, *student, writer.SumOf(*student)), in->is_worksheet());
      row[in->grade] = writer.Fill(*student, lines[i].shown, row[in->grade], !IsSameText(feedback, now));
      feedback = now;
    }
    filled.push_back(MoodleRow(*in, row));
  }
  FilledGradebook done = writer.Finish(std::move(filled), in->table.delimiter, in->header()[in->grade]);
  done.is_of_unknown_points = in->most == kNoColumn;
  return done;
}

Result<std::vector<LmsColumn>> MoodleColumns(std::string_view exported) {
  using namespace lms;
  const auto in = ReadMoodleHeader(exported);
  if (!in) return in.error();
  if (in->is_worksheet()) return std::vector<LmsColumn>();
  return ColumnsOf(in->header(), GradesOf(*in), ActivityName);
}

}  // namespace warplings
