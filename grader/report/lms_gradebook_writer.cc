// SPDX-License-Identifier: Apache-2.0
#include "grader/report/lms_gradebook_writer.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "grader/base/catalogue.h"
#include "grader/base/messages.h"
#include "grader/base/spelling.h"
#include "grader/core/student_identity.h"
#include "grader/messages/class.h"
#include "grader/messages/report.h"
#include "grader/report/result_words.h"

namespace warplings::lms {
namespace {

Status CheckLengths(const CsvTable& table) {
  const std::size_t columns = table.rows[0].size();
  for (std::size_t i = 1; i < table.rows.size(); ++i) {
    if (!HasFieldsBesideHeader(table, i)) continue;
    return UsageError(say::fields_beside_header(PlaceOf(table, i, kNoColumn),
                                                say::Count(table.rows[i].size(), "field"), columns),
                      say::export_again());
  }
  return Unit{};
}

/// "Assignment: Week 1" of "Assignment: Week 1 (Real)".
std::string WithoutBracket(const std::string& header) {
  const std::size_t bracket = header.rfind(" (");
  const bool ends_so = bracket != std::string::npos && bracket > 0 && header.ends_with(')');
  return header.substr(0, ends_so ? bracket : header.size());
}

/// The column that somebody who wrote `wanted` probably means, as --column takes it; else "". Many call "Week
/// 1: boundary checks" only "Week 1", or by what it is about.
std::string ClosestColumn(const std::string& wanted, const Row& header,
                          const std::vector<std::size_t>& candidates) {
  std::map<std::string, std::string> columns;
  for (const std::size_t each : candidates) {
    const std::string name = WithoutBracket(header[each]);
    const std::size_t colon = name.find(": ");
    columns[name] = name;
    if (colon == std::string::npos) continue;
    columns.emplace(name.substr(0, colon), name);
    columns.emplace(name.substr(colon + 2), name);
  }
  std::vector<std::string> called;
  for (const auto& [short_name, name] : columns) called.push_back(short_name);
  // Nothing is missing from a name that is written out.
  const std::string meant = columns.contains(wanted) ? wanted : ClosestCandidate(wanted, called);
  return meant.empty() ? "" : columns[meant];
}

}  // namespace

std::string Field(const Row& row, std::size_t column) {
  return column < row.size() ? row[column] : "";
}

std::size_t ColumnOf(const Row& header, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    const auto found = std::ranges::find_if(
        header, [&](const std::string& each) { return InLowerCase(each) == InLowerCase(std::string(name)); });
    if (found != header.end()) return static_cast<std::size_t>(found - header.begin());
  }
  return kNoColumn;
}

Result<std::size_t> ChooseColumn(const Row& header, const std::vector<std::size_t>& candidates,
                                 const std::string& wanted,
                                 const std::function<bool(const std::string&)>& is_wanted,
                                 const std::function<std::string(const std::string&)>& name) {
  std::vector<std::size_t> found;
  const auto find = [&](const std::function<bool(const std::string&)>& fits) {
    if (!found.empty()) return;
    std::ranges::copy_if(candidates, std::back_inserter(found),
                         [&](std::size_t each) { return fits(header[each]); });
  };
  // A whole header comes first, because it may also be what another column is called in short.
  find([&](const std::string& each) { return wanted.empty() || each == wanted; });
  find(is_wanted);
  const std::string lower = InLowerCase(wanted);
  find([&](const std::string& each) { return InLowerCase(name(each)) == lower; });
  find([&](const std::string& each) {
    const std::string title = InLowerCase(name(each));
    return title.substr(0, title.find(':')) == lower;
  });
  if (found.size() == 1) return found.front();
  std::string names;
  for (const std::size_t each : found.empty() ? candidates : found)
    names += "\n    " + Printable(header[each]);
  if (wanted.empty()) return UsageError(say::which_column_is_meant(), say::name_column(names));
  if (!found.empty()) return UsageError(say::may_be_several_columns(wanted), say::name_whole_column(names));
  const Message unknown = say::no_such_column(wanted);
  const std::string meant = ClosestColumn(wanted, header, candidates);
  return UsageError(meant.empty() ? unknown : say::did_you_mean(unknown, Printable(meant)),
                    say::name_column(names));
}

std::string PlaceOf(const CsvTable& table, std::size_t row, std::size_t column) {
  const std::string name =
      column == kNoColumn ? "" : ", column '" + Printable(Field(table.rows[0], column)) + "'";
  return "line " + std::to_string(table.lines[row]) + name;
}

Status CheckGrade(const std::string& grade, const std::string& where) {
  const auto number = ReadLmsNumber(grade, where);
  // With a comma that may mean two numbers it is one all the same.
  if (number || say::comma_or_thousands.Made(number.error().message)) return Unit{};
  return number.error();
}

Result<CsvTable> ReadExport(std::string_view text) {
  auto table = ParseCsv(text);
  if (!table) return table.error();
  if (table->rows.empty()) return UsageError(say::export_empty());
  if (const Status even = CheckLengths(*table); !even) return even.error();
  return table;
}

Row Quoted(const Row& fields) {
  Row quoted;
  for (const std::string& field : fields) quoted.push_back(CsvField(field));
  return quoted;
}

std::vector<LmsColumn> ColumnsOf(const Row& header, const std::vector<std::size_t>& columns,
                                 const std::function<std::string(const std::string&)>& name) {
  std::vector<LmsColumn> named;
  for (const std::size_t each : columns) named.push_back({header[each], name(header[each])});
  return named;
}

std::string LmsGradebookWriter::Distinct(const StudentGrades& student, const std::string& shown) const {
  const std::string account = SharesName(grades_, student) ? AccountOf(student.roster) : "";
  return Printable(account.empty() ? shown : shown + " <" + account + ">");
}

bool LmsGradebookWriter::IsLeftForEntries(const StudentGrades& student, const std::string& shown) {
  std::vector<std::string> entries;
  for (const StudentGrades* entry : EntriesThatMayBeOf(grades_, student)) {
    entries.push_back(Printable(entry->name));
    met_.insert(entry);
  }
  if (entries.empty()) return false;
  filled_.maybe_handed_in.push_back(Distinct(student, shown) + ": " + warplings::Joined(entries, "; "));
  return true;
}

std::string LmsGradebookWriter::Fill(const StudentGrades& student, const std::string& shown,
                                     const std::string& grade, bool has_new_feedback) {
  (student.unmatched.empty() ? filled_.filled : filled_.filled_others).push_back(student.name);
  std::string after = LmsNumber(scale_ * student.points);
  if (student.points > grades_.max_points)
    filled_.above.push_back(Distinct(student, shown) + " (" + after + ")");
  const auto before = ReadLmsNumber(grade, "");
  const bool is_none = before && !*before;
  const bool stays = before && *before && LmsNumber(**before) == after;
  if (!stays || has_new_feedback) {
    const bool is_of_nothing = std::ranges::all_of(student.cells, [](const GradeCell& cell) {
      return cell.state == GradeCell::State::kMissing && !cell.HasPoints();
    });
    std::string problem;
    for (const GradeCell& cell : student.cells) {
      if (problem.empty() && !cell.IsOverridden()) problem = Printable(WhyUnread(grades_, cell));
    }
    filled_.changes.push_back({Distinct(student, shown), is_none ? "" : Printable(grade), after, stays,
                               is_of_nothing, problem, Printable(student.unmatched)});
  }
  return after;
}

std::string LmsGradebookWriter::SumOf(const StudentGrades& student) const {
  const std::string sum = LmsNumber(student.points) + " of " + LmsNumber(grades_.max_points) + " points";
  if (scale_ == 1) return sum;
  return sum + "; converted to the " + LmsNumber(possible_) +
         " of the grade: " + LmsNumber(scale_ * student.points);
}

}  // namespace warplings::lms

namespace warplings {

std::string JoinedText(const std::vector<FilledGradebook>& filled) {
  using namespace lms;
  if (filled.empty()) return "";
  std::vector<Row> rows = filled.front().rows;
  for (std::size_t other = 1; other < filled.size(); ++other) {
    const std::vector<Row>& more = filled[other].rows;
    const Row known = rows.front();
    for (std::size_t column = 0; column < more.front().size(); ++column) {
      if (std::ranges::count(known, more.front()[column]) > 0) continue;
      // The export's lines are the same for all, so those that are left out are, too.
      for (std::size_t i = 0; i < rows.size(); ++i) rows[i].push_back(Field(more[i], column));
    }
  }
  std::string text;
  for (const Row& row : rows) text += CsvLine(row, filled.front().delimiter);
  return text;
}

std::string LmsChangesText(const std::vector<FilledGradebook>& filled) {
  std::string text;
  std::size_t changes = 0, columns = 0;
  for (const FilledGradebook& each : filled) {
    if (each.changes.empty()) continue;
    ++columns;
    changes += each.changes.size();
    std::vector<std::vector<std::string>> lines;
    for (const LmsChange& change : each.changes) {
      const std::string before = change.before.empty() ? Words(say::no_grade_yet()) : change.before;
      std::string remark = change.is_of_nothing ? Words(say::nothing_handed_in()) : change.problem;
      if (!change.unmatched.empty()) remark = change.unmatched + (remark.empty() ? "" : "; ") + remark;
      lines.push_back({change.student,
                       Words(change.only_feedback ? say::with_new_feedback(change.after)
                                                  : say::grade_from_to(before, change.after)),
                       remark});
    }
    text += Printable(each.column) + "\n" + AlignColumns(lines, 2) + "\n";
  }
  if (changes == 0) return Words(say::nothing_would_change()) + "\n";
  return text + Words(say::grades_in_columns(say::Count(changes, "grade"), say::Count(columns, "column"))) +
         "\n";
}

}  // namespace warplings
