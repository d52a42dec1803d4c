// SPDX-License-Identifier: Apache-2.0
#include "grader/report/lms_students.h"

#include <algorithm>
#include <utility>

#include "grader/base/person_names.h"
#include "grader/base/text.h"

namespace warplings {
namespace {

/// "Kim Lee (2)" without the number by which the gradebook tells two students of one name apart.
std::string WithoutNumber(const std::string& name) {
  const std::size_t open = name.rfind(" (");
  return open != std::string::npos && open > 0 && name.ends_with(')') ? name.substr(0, open) : name;
}

std::string Key(const std::string& value) {
  const std::size_t first = value.find_first_not_of(" \t"), last = value.find_last_not_of(" \t");
  return first == std::string::npos ? "" : InLowerCase(value.substr(first, last - first + 1));
}

std::string NamesOf(const std::set<const StudentGrades*>& students) {
  std::vector<std::string> names;
  for (const StudentGrades* student : students) names.push_back(Printable(student->name));
  std::ranges::sort(names);
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

std::string Quoted(const LmsIdentifier& identifier) {
  return identifier.column + " '" + Printable(identifier.value) + "'";
}

/// The student's own identifier of that kind, where two different ones cannot be the same person's. Logins
/// and addresses are several for one person.
std::string OnlyOneOf(const StudentGrades& student, LmsKey key) {
  if (key == LmsKey::kStudentId) return student.roster.id;
  return key == LmsKey::kLmsId ? student.roster.lms_id : "";
}

}  // namespace

std::string ParticipantOf(const std::string& handed_in_as) {
  constexpr std::string_view kMark = "_assignsubmission_";
  const std::size_t end = handed_in_as.find(kMark);
  if (end == std::string::npos || handed_in_as.find(kMark, end + 1) != std::string::npos) return "";
  const std::size_t gap = handed_in_as.substr(0, end).rfind('_');
  if (gap == std::string::npos) return "";
  const std::string number = handed_in_as.substr(gap + 1, end - gap - 1);
  const bool is_number = std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
  return is_number ? number : "";
}

std::string ParticipantOf(const StudentGrades& student) {
  const std::string number = ParticipantOf(student.handed_in_as);
  return number.empty() ? student.participant : number;
}

std::vector<const StudentGrades*> EntriesThatMayBeOf(const ClassGrades& grades,
                                                     const StudentGrades& student) {
  std::vector<const StudentGrades*> entries;
  if (!student.unmatched.empty() || !student.handed_in_as.empty()) return entries;
  if (std::ranges::any_of(student.cells, &GradeCell::HasPoints)) return entries;
  const std::string name = WithoutNumber(student.name);
  for (const StudentGrades& entry : grades.students) {
    if (entry.unmatched.empty()) continue;
    if (CompareNames(entry.name, name) != NameFit::kNone ||
        CompareNames(WithoutNumber(entry.name), name) != NameFit::kNone)
      entries.push_back(&entry);
  }
  return entries;
}

LmsStudents::LmsStudents(const ClassGrades& grades) {
  for (const StudentGrades& student : grades.students) {
    Add(LmsKey::kStudentId, student.roster.id, student);
    Add(LmsKey::kLmsId, student.roster.lms_id, student);
    Add(LmsKey::kLogin, student.roster.login, student);
    Add(LmsKey::kEmail, student.roster.email, student);
    Add(LmsKey::kParticipant, ParticipantOf(student), student);
    AddName(student.name, student);
    AddName(WithoutNumber(student.name), student);
  }
}

void LmsStudents::Add(LmsKey key, const std::string& value, const StudentGrades& student) {
  if (!Key(value).empty()) by_key_[key][Key(value)].insert(&student);
}

void LmsStudents::AddName(const std::string& name, const StudentGrades& student) {
  if (FoldName(name).empty()) return;
  by_name_[FoldName(name)].insert(&student);
  for (const std::string& plain : PlainNames(name)) by_plain_name_[plain].insert(&student);
}

LmsStudents::Found LmsStudents::Named(const std::vector<std::string>& names) const {
  Found found;
  for (const std::string& name : names) {
    for (const std::string& form : WrittenForms(name)) {
      const auto known = by_name_.find(form);
      if (known != by_name_.end()) found.insert(known->second.begin(), known->second.end());
    }
  }
  return found;
}

LmsStudents::Found LmsStudents::NamedWithoutAccents(const std::vector<std::string>& names) const {
  Found found;
  for (const std::string& name : names) {
    for (const std::string& plain : PlainNames(name)) {
      const auto known = by_plain_name_.find(plain);
      if (known != by_plain_name_.end()) found.insert(known->second.begin(), known->second.end());
    }
  }
  return found;
}

LmsStudents::OneMatch LmsStudents::MatchLine(const LmsLine& line) const {
  Found all;
  std::string said;
  for (const LmsIdentifier& each : line.identifiers) {
    const auto kind = by_key_.find(each.key);
    if (kind == by_key_.end()) continue;
    const auto known = kind->second.find(Key(each.value));
    if (known == kind->second.end()) continue;
    all.insert(known->second.begin(), known->second.end());
    said += (said.empty() ? "" : ", ") + Quoted(each) + " is that of " + NamesOf(known->second);
  }
  if (all.empty()) return MatchByName(line);
  const Found named = Named(line.names);
  const bool is_anothers_name = !named.empty() && !named.contains(*all.begin());
  if (all.size() == 1 && !is_anothers_name) return {{*all.begin(), "", {}}, false};
  if (all.size() == 1) said += ", the name that of " + NamesOf(named);
  all.insert(named.begin(), named.end());
  return {{nullptr, said, all}, false};
}

LmsStudents::OneMatch LmsStudents::MatchByName(const LmsLine& line) const {
  Found named = Named(line.names);
  const bool without_accents = named.empty();
  if (without_accents) named = NamedWithoutAccents(line.names);
  if (named.empty()) return {{nullptr, "not in this class", {}}, true};
  if (named.size() > 1 && without_accents) {
    return {{nullptr, "without accents the name is that of " + NamesOf(named), named}, true};
  }
  if (named.size() > 1) return {{nullptr, "the name is that of " + NamesOf(named), named}, true};
  const StudentGrades& student = **named.begin();
  for (const LmsIdentifier& each : line.identifiers) {
    const std::string own = OnlyOneOf(student, each.key);
    if (Key(each.value).empty() || Key(own).empty()) continue;
    return {{nullptr,
             "the name is that of " + NamesOf(named) + ", for whom the roster has '" + Printable(own) +
                 "', and the line has " + Quoted(each),
             named},
            true};
  }
  return {{&student, "", {}}, true, without_accents};
}

std::vector<LmsMatch> LmsStudents::Match(const std::vector<LmsLine>& lines) const {
  std::vector<OneMatch> matches;
  std::map<const StudentGrades*, std::vector<std::size_t>> by_id, by_name, by_plain_name;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    matches.push_back(MatchLine(lines[i]));
    if (matches[i].student == nullptr) continue;
    (matches[i].without_accents ? by_plain_name
     : matches[i].by_name       ? by_name
                                : by_id)[matches[i].student]
        .push_back(i);
  }
  const auto refuse = [&](const StudentGrades* student, const std::vector<std::size_t>& refused,
                          const std::string& why) {
    for (const std::size_t i : refused) matches[i] = {{nullptr, why, {student}}, false};
  };
  for (const auto& [student, own] : by_id) {
    if (own.size() > 1)
      refuse(student, own, Counted(own.size(), "line") + " have identifiers of " + NamesOf({student}));
  }
  for (const auto& [student, named] : by_name) {
    if (by_id.contains(student)) {
      refuse(student, named,
             "the name is that of " + NamesOf({student}) + ", whose identifiers are in another line");
    } else if (named.size() > 1) {
      refuse(student, named, Counted(named.size(), "line") + " have the name of " + NamesOf({student}));
    }
  }
  for (const auto& [student, named] : by_plain_name) {
    if (by_id.contains(student) || by_name.contains(student)) {
      refuse(student, named,
             "the name differs from that of " + NamesOf({student}) + ", who is in another line");
    } else if (named.size() > 1) {
      refuse(student, named,
             Counted(named.size(), "line") + " have the name of " + NamesOf({student}) + " without accents");
    }
  }
  return {std::make_move_iterator(matches.begin()), std::make_move_iterator(matches.end())};
}

}  // namespace warplings
