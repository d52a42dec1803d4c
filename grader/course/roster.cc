// SPDX-License-Identifier: Apache-2.0
#include "grader/course/roster.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "grader/base/characters.h"
#include "grader/base/csv.h"
#include "grader/base/person_names.h"
#include "grader/base/spelling.h"
#include "grader/base/text.h"
#include "grader/core/student_identity.h"
#include "grader/messages/course.h"
#include "grader/messages/joining.h"
#include "grader/messages/toml.h"

namespace warplings {
namespace {

std::string Trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == text.npos ? "" : text.substr(first, last - first + 1);
}

// --- Columns -----------------------------------------------------------------------------------------

enum Column { kName, kFirst, kLast, kId, kSisId, kLmsId, kLogin, kEmail, kSection, kRole, kColumns };

/// By FoldName of the header. "ID" is Canvas's own number; beside "SIS User ID" that one is the student's id.
const std::map<std::string, Column>& ColumnNames() {
  static const std::map<std::string, Column> names = {{"name", kName},        {"student", kName},
                                                      {"fullname", kName},    {"studentname", kName},
                                                      {"firstname", kFirst},  {"givenname", kFirst},
                                                      {"lastname", kLast},    {"surname", kLast},
                                                      {"familyname", kLast},  {"id", kId},
                                                      {"studentid", kSisId},  {"idnumber", kSisId},
                                                      {"sid", kSisId},        {"sisuserid", kSisId},
                                                      {"canvasid", kLmsId},   {"canvasuserid", kLmsId},
                                                      {"lmsid", kLmsId},      {"login", kLogin},
                                                      {"username", kLogin},   {"loginid", kLogin},
                                                      {"sisloginid", kLogin}, {"githublogin", kLogin},
                                                      {"github", kLogin},     {"githubusername", kLogin},
                                                      {"email", kEmail},      {"emailaddress", kEmail},
                                                      {"section", kSection},  {"sections", kSection},
                                                      {"group", kSection},    {"groups", kSection},
                                                      {"role", kRole},        {"roles", kRole}};
  return names;
}

using Row = std::vector<std::string>;
using Columns = std::array<std::optional<std::size_t>, kColumns>;

Columns ReadHeader(const Row& header) {
  Columns columns{};
  for (std::size_t i = 0; i < header.size(); ++i) {
    const auto found = ColumnNames().find(FoldName(header[i]));
    if (found != ColumnNames().end() && !columns[found->second]) columns[found->second] = i;
  }
  // Beside the university's number, "ID" is Canvas's own. So it is in the gradebook of a teacher who may not
  // see the university's.
  const bool is_canvas =
      header.front() == "Student" && FoldName(header[columns[kLogin].value_or(0)]) == "sisloginid";
  if (columns[kId] && (columns[kSisId] || is_canvas)) {
    if (!columns[kLmsId]) columns[kLmsId] = columns[kId];
  } else if (columns[kId]) {
    columns[kSisId] = columns[kId];
  }
  return columns;
}

/// Of columns that are not read: which one each may be meant for, if that one is missing.
std::vector<MisnamedColumn> FindMisnamed(const std::vector<std::string>& ignored, const Columns& columns) {
  const std::pair<Column, std::vector<std::string>> wanted[] = {
      {kName, {"name", "student", "full name", "姓名", "vollständiger name", "nombre completo"}},
      {kFirst, {"first name", "given name", "vorname", "prénom", "nombre", "名字"}},
      {kLast, {"last name", "surname", "family name", "nachname", "nom", "apellidos", "姓氏"}},
      {kSisId, {"id", "student id", "id number", "matrikelnummer", "學號"}},
      {kLogin, {"login", "username", "login id", "anmeldename", "benutzername", "帳號"}},
      {kEmail, {"email", "e-mail", "email address", "e-mail-adresse", "mail", "電子郵件"}}};
  constexpr const char* kCalled[kColumns] = {"name", "first name", "last name", "id", "id",
                                             "",     "login",      "email",     "",   ""};
  std::vector<MisnamedColumn> misnamed;
  for (const std::string& each : ignored) {
    for (const auto& [column, names] : wanted) {
      const bool is_part = column == kFirst || column == kLast;
      if (columns[column] || (is_part && columns[kName]) ||
          ClosestCandidate(InLowerCase(each), names).empty())
        continue;
      misnamed.push_back({each, kCalled[column]});
      break;
    }
  }
  return misnamed;
}

RosterStudent ReadStudent(const Row& row, const Columns& columns) {
  const auto field = [&](Column column) -> std::string {
    const auto place = columns[column];
    return place && *place < row.size() ? Trimmed(row[*place]) : "";
  };
  RosterStudent student;
  student.name = field(kName);
  if (student.name.empty()) student.name = Trimmed(field(kFirst) + " " + field(kLast));
  student.fields = {.id = field(kSisId),
                    .login = field(kLogin),
                    .email = field(kEmail),
                    .section = field(kSection),
                    .lms_id = field(kLmsId)};
  for (const std::string& other : {student.fields.login, student.fields.email, student.fields.id}) {
    if (student.name.empty()) student.name = other;
  }
  return student;
}

/// Lines of Canvas's gradebook that are no students: the points that can be reached, and the made-up student
/// by which a teacher looks at the course.
bool IsCanvasOwn(const std::string& name) {
  return FoldName(name) == "pointspossible" || name == "Student, Test";
}

/// Whether a field of the column Role, as Gradescope, Canvas and Moodle have it, says that somebody teaches:
/// there is a role, and each is one of theirs. Other words may be a roster's own, and name a student's part
/// in a team.
bool IsTeachers(const std::string& roles) {
  static const std::set<std::string> kTeach = {
      "instructor", "ta",       "reader",  "teacher", "teachingassistant",
      "designer",   "observer", "manager", "grader",  "noneditingteacher"};
  std::istringstream each(roles);
  bool teaches = false;
  for (std::string role; std::getline(each, role, ',');) {
    if (!kTeach.contains(FoldName(role))) return false;
    teaches = true;
  }
  return teaches;
}

/// Without empty ones at the end, which spreadsheets write.
std::size_t FieldsOf(const Row& row) {
  const auto last =
      std::find_if(row.rbegin(), row.rend(), [](const auto& field) { return !Trimmed(field).empty(); });
  return static_cast<std::size_t>(row.rend() - last);
}

Status CheckDifferent(const Roster& roster, const std::string& name) {
  using Field = std::string RosterFields::*;
  const std::pair<Message, Field> fields[] = {{say::its_id(), &RosterFields::id},
                                              {say::its_lms_number(), &RosterFields::lms_id},
                                              {say::its_login(), &RosterFields::login},
                                              {say::its_email(), &RosterFields::email}};
  for (const auto& [words, field] : fields) {
    std::map<std::string, int> lines;
    for (const RosterStudent& student : roster.students) {
      const std::string& value = student.fields.*field;
      if (value.empty()) continue;
      const auto [known, is_new] = lines.emplace(FoldName(value), student.line);
      if (is_new) continue;
      return UsageError(say::field_there_twice(name, student.line, words, value, known->second),
                        say::each_needs_own());
    }
  }
  return Unit{};
}

// --- Names -------------------------------------------------------------------------------------------

bool SameWord(const std::string& a, const std::string& b) {
  return !a.empty() && InLowerCase(a) == InLowerCase(b);
}

/// How well the student fits by this field: 0 not at all. A longer login fits better, so that of "ada" and
/// "x-ada" the repository week1-x-ada is the second one's.
std::size_t Fits(const RosterStudent& student, const Identity& identity, MatchField field) {
  const RosterFields& of = student.fields;
  switch (field) {
    case MatchField::kId:
      return SameWord(of.id, identity.id) || SameWord(of.id, identity.entry) ||
             SameWord(of.lms_id, identity.lms_id) || SameWord(of.lms_id, identity.entry);
    case MatchField::kLogin: {
      if (SameWord(of.login, identity.login) || SameWord(of.login, identity.entry)) return 1000;
      const std::string ending = "-" + InLowerCase(of.login);
      return !of.login.empty() && InLowerCase(identity.entry).ends_with(ending) ? ending.size() : 0;
    }
    case MatchField::kEmail:
      return SameWord(of.email, identity.email) || SameWord(of.email, identity.entry) ||
             SameWord(of.email.substr(0, of.email.find('@')), identity.entry);
    case MatchField::kName:
      return static_cast<std::size_t>(
          std::max(CompareNames(identity.name, student.name), CompareNames(identity.entry, student.name)));
  }
  return 0;
}

std::string FitsSeveral(const Roster& roster, const std::vector<std::size_t>& students, MatchField field,
                        bool without_accents) {
  constexpr const char* kNames[] = {"id", "login", "e-mail address", "name"};
  std::string several = std::to_string(students.size()) + " students of the roster";
  for (const std::size_t each : students) {
    const RosterStudent& student = roster.students[each];
    const std::string account = AccountOf(student.fields);
    several += (each == students.front() ? ": " : "; ") + Printable(student.name) +
               (account.empty() ? "" : " <" + Printable(account) + ">");
  }
  if (without_accents) return "is ambiguous: without accents it is the name of " + several;
  return std::string("fits the ") + kNames[static_cast<int>(field)] + " of " + several;
}

/// What to do about columns that are not read.
Message RenameColumns(const std::vector<MisnamedColumn>& misnamed) {
  Message all;
  for (const MisnamedColumn& each : misnamed) {
    const Message rename = say::rename_column(Printable(each.found), each.meant);
    all = all.empty() ? rename : say::both(all, rename);
  }
  return all;
}

/// For somebody whom the roster may have in a column that is not read, or does not have at all.
Message HowToName(const std::string& student, const Roster& roster) {
  const Message advice = !roster.misnamed.empty() ? RenameColumns(roster.misnamed)
                         : student.find('@') != std::string::npos && roster.Lacks("email")
                             ? Message(say::roster_has_no_email())
                             : Message(say::name_as_roster_has_it());
  // Whatever is close to no known name may still be it: "Kennung" is a login.
  if (roster.ignored.size() <= roster.misnamed.size()) return advice;
  return say::both(advice, say::columns_not_read(Printable(Joined(roster.ignored, ", "))));
}

/// "1.23E+05", as spreadsheets show and then save a long number.
bool IsShortenedNumber(const std::string& id) {
  const std::size_t power = id.find("E+");
  if (power == std::string::npos || power == 0 || power + 2 == id.size()) return false;
  return id.find_first_not_of("0123456789.,") == power &&
         id.find_first_not_of("0123456789", power + 2) == std::string::npos;
}

}  // namespace

bool Roster::Lacks(std::string_view field) const {
  return !fields.empty() && std::ranges::find(fields, field) == fields.end();
}

std::optional<RosterDoubt> DoubtAboutNames(const Roster& roster, const std::string& name) {
  if (roster.has_first_names_only)
    return RosterDoubt{say::roster_has_first_names(name), say::add_column("last name")};
  if (roster.has_last_names_only)
    return RosterDoubt{say::roster_has_last_names(name), say::add_column("first name")};
  return std::nullopt;
}

std::vector<RosterDoubt> DoubtsAbout(const Roster& roster, const std::string& name) {
  std::vector<RosterDoubt> doubts;
  if (roster.Lacks("name")) doubts.push_back({say::roster_lacks_names(name), say::add_names()});
  if (const auto half = DoubtAboutNames(roster, name)) doubts.push_back(*half);
  for (const CutRow& row : roster.cut) {
    doubts.push_back({say::row_cut_short(name, row.line, Printable(row.name), say::Count(row.fields, "field"),
                                         row.columns),
                      say::complete_row()});
  }
  for (const CutRow& row : roster.nameless)
    doubts.push_back({say::row_without_name(name, row.line, Printable(row.name)), say::add_its_name()});
  for (const RosterStudent& student : roster.students) {
    for (const std::string* each : {&student.fields.id, &student.fields.login, &student.fields.lms_id}) {
      if (IsShortenedNumber(*each))
        doubts.push_back({say::id_is_shortened(name, student.line, Printable(*each)), say::write_id_out()});
    }
  }
  std::map<std::string, const RosterStudent*> namesakes;
  for (const RosterStudent& student : roster.students) {
    const auto [former, is_new] = namesakes.emplace(FoldName(student.name), &student);
    if (is_new) continue;
    if (!AccountOf(student.fields).empty() && !AccountOf(former->second->fields).empty()) continue;
    doubts.push_back(
        {say::nothing_tells_apart(name, student.line, Printable(student.name), former->second->line),
         say::give_both_ids()});
  }
  return doubts;
}

bool HasName(const std::string& word, const std::string& name) {
  const std::string bare = NameWithoutNumber(name), bare_word = NameWithoutNumber(word);
  const auto fits = [](const std::string& one, const std::string& other) {
    return CompareNames(one, other) == NameFit::kExact;
  };
  if (fits(word, name) || fits(word, bare)) return true;
  // "Max Müller (2)" for "Müller, Max (2)".
  const std::string number = name.substr(bare.size());
  return !number.empty() && word.substr(bare_word.size()) == number && fits(bare_word, bare);
}

bool IsCalled(const std::string& word, const std::string& name, const RosterFields& fields) {
  const std::string wanted = FoldName(word);
  if (wanted.empty()) return false;  // Such as "=": what is left of it fits all of that kind.
  const std::string values[] = {fields.id, fields.login, fields.email, fields.lms_id};
  return HasName(word, name) ||
         std::ranges::any_of(values, [&](const std::string& each) { return FoldName(each) == wanted; });
}

std::vector<std::string> NamesLike(const std::string& word, const std::string& name,
                                   const RosterFields& fields) {
  std::vector<std::string> names = {name, fields.id, fields.login};
  if (word.find('@') != std::string::npos) names.push_back(fields.email);
  std::erase(names, "");
  return names;
}

Status CheckExtensions(const Course& course, const Roster& roster, const std::string& file) {
  for (const Assignment& assignment : course.assignments) {
    for (const Extension& extension : assignment.extensions) {
      std::string meant;
      std::size_t known = 0;
      for (const RosterStudent& student : roster.students) {
        if (!IsCalled(extension.student, student.name, student.fields)) continue;
        const std::string account = AccountOf(student.fields);
        meant += (known++ == 0 ? "" : "; ") + student.name + (account.empty() ? "" : " <" + account + ">");
      }
      if (known == 1) continue;
      if (known > 1) {
        return UsageError(say::key_of_file(file, extension.line, "assignment.extension.student",
                                           say::fits_several_of_roster(extension.student, Printable(meant))),
                          say::name_by_id_or_login());
      }
      std::vector<std::string> names;
      for (const RosterStudent& student : roster.students)
        std::ranges::move(NamesLike(extension.student, student.name, student.fields),
                          std::back_inserter(names));
      return UsageError(
          say::key_of_file(file, extension.line, "assignment.extension.student",
                           WithClosest(say::nobody_of_roster(extension.student), extension.student, names)),
          HowToName(extension.student, roster));
    }
  }
  return Unit{};
}

Result<Roster> ParseRoster(std::string_view text, const std::string& name) {
  const Message next_step = say::save_roster_as_csv();
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    return UsageError(say::is_utf16(name), next_step);
  }
  if (text.find('\0') != text.npos) return UsageError(say::is_no_text(name), next_step);
  if (const auto line = FirstLineNotUtf8(text)) return UsageError(say::is_not_utf8(name, *line), next_step);
  const auto table = ParseCsv(text);
  if (!table) return UsageError(say::in_file(name, table.error().message), next_step);
  if (table->rows.empty()) return UsageError(say::roster_empty(name), next_step);
  const Columns columns = ReadHeader(table->rows.front());
  Roster roster;
  for (const std::string& name_of_column : table->rows.front()) {
    const bool is_known = ColumnNames().contains(FoldName(name_of_column));
    if (!is_known && !Trimmed(name_of_column).empty()) roster.ignored.push_back(Trimmed(name_of_column));
  }
  roster.misnamed = FindMisnamed(roster.ignored, columns);
  roster.has_first_names_only = !columns[kName] && columns[kFirst] && !columns[kLast];
  roster.has_last_names_only = !columns[kName] && !columns[kFirst] && columns[kLast];
  const std::pair<bool, const char*> known[] = {{columns[kName] || columns[kFirst] || columns[kLast], "name"},
                                                {columns[kSisId].has_value(), "id"},
                                                {columns[kLmsId].has_value(), "Canvas ID"},
                                                {columns[kLogin].has_value(), "login"},
                                                {columns[kEmail].has_value(), "email"},
                                                {columns[kSection].has_value(), "section"}};
  for (const auto& [is_there, field] : known) {
    if (is_there) roster.fields.emplace_back(field);
  }
  if (!columns[kName] && !columns[kLast] && !columns[kLogin] && !columns[kEmail]) {
    const Message problem = say::roster_without_columns(name, Printable(Joined(table->rows.front(), ", ")));
    if (roster.misnamed.empty()) return UsageError(problem, next_step);
    return UsageError(problem, RenameColumns(roster.misnamed));
  }
  for (std::size_t i = 1; i < table->rows.size(); ++i) {
    const std::size_t fields = FieldsOf(table->rows[i]), columns_there = table->rows.front().size();
    if (fields > columns_there)
      return UsageError(say::row_too_long(name, table->lines[i], fields, columns_there), say::quote_commas());
    RosterStudent student = ReadStudent(table->rows[i], columns);
    student.line = static_cast<int>(table->lines[i]);
    if (student.name.empty() || IsCanvasOwn(student.name)) continue;
    const std::string role = columns[kRole] && *columns[kRole] < table->rows[i].size()
                                 ? Trimmed(table->rows[i][*columns[kRole]])
                                 : "";
    if (IsTeachers(role)) {
      roster.teachers.push_back(student.name + " (" + role + ")");
      continue;
    }
    const std::size_t wanted = FieldsOf(table->rows.front());
    const CutRow row{student.line, student.name, table->rows[i].size(), wanted};
    const auto is_empty = [&](Column column) {
      return !columns[column] || *columns[column] >= row.fields ||
             Trimmed(table->rows[i][*columns[column]]).empty();
    };
    if (row.fields < wanted)
      roster.cut.push_back(row);
    else if (roster.fields.front() == "name" && is_empty(kName) && is_empty(kFirst) && is_empty(kLast))
      roster.nameless.push_back(row);
    roster.students.push_back(std::move(student));
  }
  if (roster.students.empty()) return UsageError(say::roster_without_student(name), next_step);
  if (const Status different = CheckDifferent(roster, name); !different) return different.error();
  return roster;
}

RosterMatch MatchStudent(const Roster& roster, const Identity& identity,
                         const std::vector<MatchField>& fields) {
  for (const MatchField field : fields) {
    std::vector<std::size_t> best;
    std::size_t best_fit = 1;
    for (std::size_t i = 0; i < roster.students.size(); ++i) {
      const std::size_t fit = Fits(roster.students[i], identity, field);
      if (fit < best_fit) continue;
      if (fit > best_fit) best.clear();
      best_fit = fit;
      best.push_back(i);
    }
    const bool by_name = field == MatchField::kName;
    const bool without_accents = by_name && best_fit == static_cast<std::size_t>(NameFit::kWithoutAccents);
    if (best.size() == 1) return {best.front(), by_name, without_accents, ""};
    if (best.size() > 1)
      return {std::nullopt, by_name, without_accents, FitsSeveral(roster, best, field, without_accents),
              true};
  }
  return {std::nullopt, false, false, kNotInRoster};
}

}  // namespace warplings
