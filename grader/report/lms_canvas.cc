// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "grader/base/messages.h"
#include "grader/base/person_names.h"
#include "grader/messages/class.h"
#include "grader/report/lms_gradebook_writer.h"

namespace warplings {
namespace lms {
namespace {

/// "Week 1 (12345)": the number at the end, or "".
std::string AssignmentId(const std::string& column) {
  const std::size_t open = column.rfind('(');
  if (open == std::string::npos || !column.ends_with(')')) return "";
  const std::string id = column.substr(open + 1, column.size() - open - 2);
  const bool is_number = !id.empty() && std::ranges::all_of(id, [](char c) { return c >= '0' && c <= '9'; });
  return is_number ? id : "";
}

bool IsWholeNumber(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// "Muted" or "Manual Posting" under the header, "(read only)" below what Canvas computes: no student's line.
bool IsPostingRow(const Row& row) {
  return std::ranges::all_of(row, [](const std::string& field) {
    const std::string text = InLowerCase(field);
    return text.find_first_not_of(' ') == std::string::npos || text.find("muted") != std::string::npos ||
           text.find("manual posting") != std::string::npos || text == "(read only)";
  });
}

/// Canvas's export, and which of its columns are what.
struct CanvasExport {
  CsvTable table;
  std::size_t id = kNoColumn, section = kNoColumn, sis = kNoColumn, login = kNoColumn, grade = kNoColumn;
  std::size_t possible = 0;           ///< The row with the points that an assignment gives; 0: none.
  std::vector<std::size_t> students;  ///< Rows of students.

  const Row& header() const { return table.rows[0]; }
};

/// Canvas writes the words in the teacher's language, and has no account in that row.
bool IsPointsRow(const CanvasExport& in, const Row& row) {
  if (!Field(row, in.id).empty()) return false;
  if (Field(row, 0).find("Points Possible") != std::string::npos) return true;
  const bool is_nobody =
      Field(row, in.section).empty() && Field(row, in.sis).empty() && Field(row, in.login).empty();
  return in.students.empty() && is_nobody && !Field(row, 0).empty() && !Field(row, in.grade).empty();
}

Status SortRows(CanvasExport& in) {
  for (std::size_t i = 1; i < in.table.rows.size(); ++i) {
    const Row& row = in.table.rows[i];
    if (!IsPointsRow(in, row)) {
      if (!IsPostingRow(row)) in.students.push_back(i);
    } else if (in.possible == 0) {
      in.possible = i;
    } else {
      return UsageError(
          say::points_possible_twice(PlaceOf(in.table, i, kNoColumn), in.table.lines[in.possible]),
          say::export_again());
    }
  }
  if (Field(in.table.rows[in.possible], in.grade).find("read only") != std::string::npos) {
    return UsageError(say::canvas_computes_itself(in.header()[in.grade]));
  }
  return Unit{};
}

/// The header's columns; which one is filled is not decided yet.
Result<CanvasExport> ReadCanvasHeader(std::string_view exported) {
  auto table = ReadExport(exported);
  if (!table) return table.error();
  CanvasExport in;
  in.table = *std::move(table);
  const Row& header = in.header();
  in.id = ColumnOf(header, {"ID"});
  in.section = ColumnOf(header, {"Section"});
  if (ColumnOf(header, {"Student"}) != 0 || in.id == kNoColumn || in.section == kNoColumn) {
    return UsageError(say::no_gradebook_of_canvas(Printable(warplings::Joined(header, ", "))),
                      say::how_canvas_exports());
  }
  in.sis = ColumnOf(header, {"SIS User ID"});
  in.login = ColumnOf(header, {"SIS Login ID"});
  return in;
}

/// "Week 1" of "Week 1 (12)".
std::string AssignmentName(const std::string& header) {
  return header.substr(0, header.rfind(" ("));
}

std::vector<std::size_t> AssignmentsOf(const CanvasExport& in) {
  std::vector<std::size_t> assignments;
  for (std::size_t i = in.section + 1; i < in.header().size(); ++i) {
    if (!AssignmentId(in.header()[i]).empty()) assignments.push_back(i);
  }
  return assignments;
}

Result<CanvasExport> ReadCanvas(const LmsRequest& request) {
  auto in = ReadCanvasHeader(request.exported);
  if (!in) return in.error();
  const auto chosen = ChooseColumn(
      in->header(), AssignmentsOf(*in), request.column,
      [&](const std::string& each) {
        const std::string number = AssignmentId(each);
        return number == request.column || each == request.column + " (" + number + ")";
      },
      AssignmentName);
  if (!chosen) return chosen.error();
  in->grade = *chosen;
  if (const Status sorted = SortRows(*in); !sorted) return sorted.error();
  return in;
}

LmsLine CanvasLine(const CanvasExport& in, const Row& row) {
  return {{{LmsKey::kLmsId, "ID", Field(row, in.id)},
           {LmsKey::kStudentId, "SIS User ID", Field(row, in.sis)},
           {LmsKey::kLogin, "SIS Login ID", Field(row, in.login)}},
          {Field(row, 0), GivenNameFirst(Field(row, 0))},
          Field(row, 0)};
}

/// What goes back: who it is, and the one column.
Row CanvasRow(const CanvasExport& in, const Row& row, const std::string& grade) {
  Row fields;
  for (std::size_t i = 0; i <= in.section; ++i) fields.push_back(Field(row, i));
  fields.push_back(grade);
  return Quoted(fields);
}

}  // namespace
}  // namespace lms

Result<FilledGradebook> FillCanvas(const ClassGrades& grades, const LmsRequest& request) {
  using namespace lms;
  const auto in = ReadCanvas(request);
  if (!in) return in.error();
  LmsGradebookWriter writer(grades, request);
  const Row& possible = in->table.rows[in->possible];
  std::vector<Row> filled = {CanvasRow(*in, in->header(), in->header()[in->grade])};
  if (in->possible != 0) filled.push_back(CanvasRow(*in, possible, Field(possible, in->grade)));
  const Status set = writer.SetPossible(in->possible == 0 ? "" : Field(possible, in->grade),
                                        PlaceOf(in->table, in->possible, in->grade));
  if (!set) return set.error();
  std::vector<std::size_t> rows;
  std::vector<LmsLine> lines;
  for (const std::size_t i : in->students) {
    const Row& row = in->table.rows[i];
    // Canvas looks for the ID first and only then at names; a name with an apostrophe does no harm beside it.
    if (IsWholeNumber(Field(row, in->id))) {
      rows.push_back(i);
      lines.push_back(CanvasLine(*in, row));
    } else {
      const std::string id = Field(row, in->id);
      writer.Leave(Field(row, 0),
                   id.empty() ? "has no ID in the export"
                              : "has the ID '" + Printable(id) + "' in the export, which is no whole number");
    }
  }
  writer.MatchLines(lines);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = in->table.rows[rows[i]];
    std::string grade = Field(row, in->grade);
    const bool is_excused = InLowerCase(grade) == "ex";
    const Status read =
        is_excused ? Status(Unit{}) : CheckGrade(grade, PlaceOf(in->table, rows[i], in->grade));
    if (!read) return read.error();
    const StudentGrades* student = writer.StudentOf(i, lines[i].shown);
    if (student != nullptr && is_excused) {
      const bool is_decided = std::ranges::any_of(student->cells, &GradeCell::IsOverridden);
      writer.Leave(lines[i].shown, is_decided
                                       ? "is excused there, so the points set by hand here are not entered"
                                       : "is excused there");
    } else if (student != nullptr) {
      grade = writer.Fill(*student, lines[i].shown, grade);
    }
    filled.push_back(CanvasRow(*in, row, grade));
  }
  return writer.Finish(std::move(filled), in->table.delimiter, in->header()[in->grade]);
}

Result<std::vector<LmsColumn>> CanvasColumns(std::string_view exported) {
  using namespace lms;
  const auto in = ReadCanvasHeader(exported);
  if (!in) return in.error();
  return ColumnsOf(in->header(), AssignmentsOf(*in), AssignmentName);
}

}  // namespace warplings
