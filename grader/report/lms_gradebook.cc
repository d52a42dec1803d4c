// SPDX-License-Identifier: Apache-2.0
#include "grader/report/lms_gradebook.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <set>

#include "grader/base/csv.h"
#include "grader/base/text.h"

namespace warplings {
namespace {

using Row = std::vector<std::string>;

constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);

/// Lower case, and of ASCII letters and digits only: "Lovelace, Ada" and "lovelaceada" are one.
std::string Folded(std::string_view text) {
  std::string folded;
  for (const char c : text) {
    if (c >= 'A' && c <= 'Z') folded += static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c & 0x80) != 0) folded += c;
  }
  return folded;
}

std::string LowerCase(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

std::string Field(const Row& row, std::size_t column) {
  return column < row.size() ? row[column] : "";
}

std::size_t ColumnOf(const Row& header, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    const auto found = std::ranges::find_if(
        header, [&](const std::string& each) { return LowerCase(each) == LowerCase(std::string(name)); });
    if (found != header.end()) return static_cast<std::size_t>(found - header.begin());
  }
  return kNoColumn;
}

/// Two decimals, as both systems show, without exponent and without zeros that say nothing.
std::string LmsNumber(double points) {
  char text[64];
  std::snprintf(text, sizeof text, "%.2f", points);
  std::string number = text;
  number.erase(number.find_last_not_of('0') + 1);
  if (number.ends_with('.')) number.pop_back();
  return number;
}

std::optional<double> NumberOf(const std::string& text) {
  double number = 0;
  const std::size_t start = text.find_first_not_of(' ');
  if (start == std::string::npos) return std::nullopt;
  const auto [end, fault] = std::from_chars(text.data() + start, text.data() + text.size(), number);
  return fault == std::errc() ? std::optional(number) : std::nullopt;
}

/// A spreadsheet would take it for a formula; with an apostrophe in front, the system would not know it.
bool LooksLikeAFormula(const std::string& text) {
  return CsvField(text).starts_with("\"'");
}

/// Finds the student of the class whom a line of the export means: by ids and addresses, else by the name.
/// Whoever fits two students fits none.
class StudentFinder {
 public:
  explicit StudentFinder(const ClassGrades& grades) : grades_(grades) {
    for (std::size_t i = 0; i < grades.students.size(); ++i) {
      const StudentGrades& student = grades.students[i];
      const RosterFields& of = student.roster;
      for (const std::string* each : {&of.id, &of.login, &of.email, &of.lms_id}) {
        if (!each->empty()) ids_[LowerCase(*each)].insert(i);
      }
      if (!Folded(student.name).empty()) names_[Folded(student.name)].insert(i);
    }
  }

  /// `names` are the ways in which the system may write one person's name.
  const StudentGrades* Find(const std::vector<std::string>& ids,
                            const std::vector<std::string>& names) const {
    std::set<std::size_t> found;
    for (const std::string& id : ids) {
      if (id.empty()) continue;
      if (const auto known = ids_.find(LowerCase(id)); known != ids_.end())
        found.merge(std::set(known->second));
    }
    if (found.empty()) {
      for (const std::string& name : names) {
        const auto known = names_.find(Folded(name));
        if (known != names_.end()) found.merge(std::set(known->second));
      }
    }
    return found.size() == 1 ? &grades_.students[*found.begin()] : nullptr;
  }

 private:
  const ClassGrades& grades_;
  std::map<std::string, std::set<std::size_t>> ids_, names_;
};

/// "Lovelace, Ada" may be handed in as "Ada Lovelace".
std::vector<std::string> WaysToWrite(const std::string& name) {
  const std::size_t comma = name.find(',');
  if (comma == std::string::npos) return {name};
  return {name, name.substr(comma + 1) + " " + name.substr(0, comma)};
}

/// The columns that may be meant, and which one is.
Result<std::size_t> ChooseColumn(const Row& header, const std::vector<std::size_t>& candidates,
                                 const std::string& wanted,
                                 const std::function<bool(const std::string&)>& is_wanted) {
  std::vector<std::size_t> found;
  for (const std::size_t each : candidates) {
    if (wanted.empty() || header[each] == wanted || is_wanted(header[each])) found.push_back(each);
  }
  if (found.size() == 1) return found.front();
  std::string names;
  for (const std::size_t each : candidates) names += "\n    " + Printable(header[each]);
  return UsageError(wanted.empty()  ? "the export has more than one column that may be meant, or none"
                    : found.empty() ? "the export has no column '" + wanted + "'"
                                    : "'" + wanted + "' may be several columns",
                    "Name one with --column; make the assignment there first. There are:" + names);
}

/// Fills lines; what is common to both systems.
class Filler {
 public:
  Filler(const ClassGrades& grades, const LmsRequest& request)
      : grades_(grades), request_(request), finder_(grades) {}

  const StudentGrades* Find(const std::vector<std::string>& ids, const std::vector<std::string>& names,
                            const std::string& shown) {
    const StudentGrades* student = finder_.Find(ids, names);
    if (student == nullptr) {
      filled_.left.push_back(Printable(shown) + ": not in this class");
    } else if (!met_.insert(student).second) {
      filled_.left.push_back(Printable(shown) + ": fits " + student->name + ", who is filled in already");
      student = nullptr;
    } else if (!student->complete) {
      filled_.left.push_back(Printable(shown) + ": not graded by a fault of the grader's");
      student = nullptr;
    } else {
      filled_.filled.push_back(student->name);
    }
    return student;
  }

  /// Of the one who was found last: somebody decided there.
  void LeaveExcused(const std::string& shown) {
    filled_.filled.pop_back();
    Leave(shown, "is excused there");
  }

  void Leave(const std::string& shown, const std::string& why) {
    filled_.left.push_back(Printable(shown) + ": " + why);
  }

  std::string PointsOf(const StudentGrades& student) const { return LmsNumber(scale_ * student.points); }

  /// `possible` is what the system gives for all.
  Status SetPossible(std::optional<double> possible) {
    if (!possible || *possible == grades_.max_points || grades_.max_points <= 0) return Unit{};
    if (!request_.scale) {
      return UsageError("there the assignment gives " + LmsNumber(*possible) + " points, here " +
                            LmsNumber(grades_.max_points),
                        "Change it there, or give --scale to have points in proportion.");
    }
    scale_ = *possible / grades_.max_points;
    return Unit{};
  }

  FilledGradebook Finish(std::string text, std::string column) {
    for (const StudentGrades& student : grades_.students) {
      if (!met_.contains(&student)) filled_.not_in_export.push_back(student.name);
    }
    filled_.text = std::move(text);
    filled_.column = std::move(column);
    return std::move(filled_);
  }

  const ClassGrades& grades() const { return grades_; }
  const LmsRequest& request() const { return request_; }

 private:
  const ClassGrades& grades_;
  const LmsRequest& request_;
  StudentFinder finder_;
  std::set<const StudentGrades*> met_;
  FilledGradebook filled_;
  double scale_ = 1;
};

std::string LineOf(const Row& fields, char delimiter) {
  Row written;
  for (const std::string& field : fields) written.push_back(CsvField(field));
  return CsvLine(written, delimiter);
}

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

/// "Muted" or "Manual Posting" under the header: no student's line.
bool IsPostingRow(const Row& row) {
  return std::ranges::all_of(row, [](const std::string& field) {
    const std::string text = LowerCase(field);
    return text.find_first_not_of(' ') == std::string::npos || text.find("muted") != std::string::npos ||
           text.find("manual posting") != std::string::npos;
  });
}

/// What a student reads beside the grade in Moodle: points and what people said of each exercise.
std::string FeedbackOf(const ClassGrades& grades, const StudentGrades& student) {
  std::string text;
  for (const GradeComment& comment : student.comments) text += comment.text + "\n";
  for (std::size_t i = 0; i < student.cells.size(); ++i) {
    const GradeCell& cell = student.cells[i];
    const ClassExercise& exercise = grades.exercises[i];
    text += exercise.title + ": " + LmsNumber(cell.points) + " of " + LmsNumber(exercise.max_points) + "\n";
    for (const PointChange& change : cell.changes) text += "  " + change.reason + "\n";
    for (const GradeComment& comment : cell.comments) {
      text += "  " + (comment.test.empty() ? "" : comment.test + ": ") + comment.text + "\n";
    }
  }
  return text;
}

}  // namespace

Result<FilledGradebook> FillCanvas(const ClassGrades& grades, const LmsRequest& request) {
  const auto table = ParseCsv(request.exported);
  if (!table) return table.error();
  if (table->rows.empty()) return UsageError("the export is empty");
  const Row& header = table->rows[0];
  const std::size_t id = ColumnOf(header, {"ID"}), section = ColumnOf(header, {"Section"});
  const std::size_t name = ColumnOf(header, {"Student"});
  if (name != 0 || id == kNoColumn || section == kNoColumn) {
    return UsageError("this is no gradebook of Canvas: it begins with Student, ID and Section",
                      "In Canvas: Grades, Export, Export Entire Gradebook.");
  }
  std::vector<std::size_t> candidates;
  for (std::size_t i = section + 1; i < header.size(); ++i) {
    if (!AssignmentId(header[i]).empty()) candidates.push_back(i);
  }
  const auto chosen = ChooseColumn(header, candidates, request.column, [&](const std::string& each) {
    const std::string number = AssignmentId(each);
    return number == request.column || each == request.column + " (" + number + ")";
  });
  if (!chosen) return chosen.error();
  const std::size_t column = *chosen;
  const std::size_t sis = ColumnOf(header, {"SIS User ID"}), login = ColumnOf(header, {"SIS Login ID"});
  Filler filler(grades, request);

  const auto kept = [&](const Row& row, const std::string& grade) {
    Row fields;
    for (std::size_t i = 0; i <= section; ++i) fields.push_back(Field(row, i));
    fields.push_back(grade);
    return fields;
  };
  std::string text = LineOf(kept(header, header[column]), table->delimiter);
  for (std::size_t i = 1; i < table->rows.size(); ++i) {
    const Row& row = table->rows[i];
    if (Field(row, 0).find("Points Possible") != std::string::npos) {
      if (Field(row, column).find("read only") != std::string::npos) {
        return UsageError("'" + header[column] + "' is a column that Canvas computes itself");
      }
      if (const Status set = filler.SetPossible(NumberOf(Field(row, column))); !set) return set.error();
      text += LineOf(kept(row, Field(row, column)), table->delimiter);
    } else if (!IsPostingRow(row)) {
      // Canvas looks for the ID first and only then at names; a name with an apostrophe does no harm beside
      // it.
      if (!IsWholeNumber(Field(row, id))) {
        filler.Leave(Field(row, 0), "has no ID in the export");
        continue;
      }
      std::string grade = Field(row, column);
      const StudentGrades* student = filler.Find({Field(row, id), Field(row, sis), Field(row, login)},
                                                 WaysToWrite(Field(row, 0)), Field(row, 0));
      if (student != nullptr && LowerCase(grade) == "ex") {
        filler.LeaveExcused(Field(row, 0));
      } else if (student != nullptr) {
        grade = filler.PointsOf(*student);
      }
      text += LineOf(kept(row, grade), table->delimiter);
    }
  }
  return filler.Finish(std::move(text), header[column]);
}

Result<FilledGradebook> FillMoodle(const ClassGrades& grades, const LmsRequest& request) {
  const auto table = ParseCsv(request.exported);
  if (!table) return table.error();
  if (table->rows.empty()) return UsageError("the export is empty");
  const Row& header = table->rows[0];
  const std::size_t identifier = ColumnOf(header, {"Identifier"});
  const std::size_t email = ColumnOf(header, {"Email address"}), number = ColumnOf(header, {"ID number"});
  const std::size_t user = ColumnOf(header, {"Username"});
  if (identifier == kNoColumn && email == kNoColumn && number == kNoColumn && user == kNoColumn) {
    return UsageError(
        "this is no gradebook of Moodle: it has neither Email address nor ID number nor Identifier",
        "In Moodle: Grades, Export, Plain text file; or the assignment's grading worksheet.");
  }
  const bool is_worksheet = identifier != kNoColumn;
  std::vector<std::size_t> candidates;
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (is_worksheet ? header[i] == "Grade" : header[i].ends_with(" (Real)")) candidates.push_back(i);
  }
  if (candidates.empty() && !is_worksheet) {
    for (std::size_t i = 0; i < header.size(); ++i) candidates.push_back(i);
  }
  const auto chosen = ChooseColumn(header, candidates, request.column, [&](const std::string& each) {
    return each == request.column + " (Real)" || each.ends_with(": " + request.column + " (Real)");
  });
  if (!chosen) return chosen.error();
  const std::size_t column = *chosen;
  std::string feedback_name = is_worksheet ? "Feedback comments" : header[column];
  if (feedback_name.ends_with(" (Real)")) feedback_name.resize(feedback_name.size() - 7);
  if (!is_worksheet) feedback_name += " (Feedback)";
  const std::size_t feedback = ColumnOf(header, {feedback_name});

  std::vector<std::size_t> kept;  // Of a worksheet all, because Moodle knows it by its columns.
  for (std::size_t i = 0; i < header.size(); ++i) {
    const bool is_ours = i == email || i == number || i == user || i == column || i == feedback ||
                         header[i].starts_with("Last downloaded");
    if (is_worksheet || is_ours) kept.push_back(i);
  }
  const std::size_t first = ColumnOf(header, {"First name"}),
                    last = ColumnOf(header, {"Last name", "Surname"});
  const std::size_t full = ColumnOf(header, {"Full name"}),
                    most = ColumnOf(header, {"Maximum Grade", "Maximum grade"});
  Filler filler(grades, request);
  std::string text;
  const auto write = [&](const Row& row) {
    Row fields;
    for (const std::size_t each : kept) fields.push_back(Field(row, each));
    if (feedback == kNoColumn && !is_worksheet) fields.push_back(Field(row, header.size()));
    text += LineOf(fields, table->delimiter);
  };
  Row title = header;
  title.push_back(feedback_name);
  write(title);
  for (std::size_t i = 1; i < table->rows.size(); ++i) {
    Row row = table->rows[i];
    row.resize(header.size() + 1);
    const std::string shown =
        full == kNoColumn ? Field(row, first) + " " + Field(row, last) : Field(row, full);
    std::string participant = Field(row, identifier);
    if (participant.starts_with("Participant ")) participant = participant.substr(12);
    bool is_safe = true;
    for (const std::size_t each : {identifier, email, number, user}) {
      is_safe = is_safe && !LooksLikeAFormula(Field(row, each));
    }
    if (!is_safe) {
      filler.Leave(shown, "an id begins like a formula of a spreadsheet; enter the grade by hand");
      continue;
    }
    if (const Status set = filler.SetPossible(NumberOf(Field(row, most))); !set) return set.error();
    const StudentGrades* student =
        filler.Find({participant, Field(row, email), Field(row, number), Field(row, user)},
                    {shown, Field(row, last) + Field(row, first)}, shown);
    if (student != nullptr) {
      row[column] = filler.PointsOf(*student);
      row[feedback == kNoColumn ? header.size() : feedback] = FeedbackOf(grades, *student);
    }
    write(row);
  }
  return filler.Finish(std::move(text), header[column]);
}

}  // namespace warplings
