// SPDX-License-Identifier: Apache-2.0
#include "grader/core/student_identity.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

#include "grader/base/text.h"

namespace warplings {
namespace {

using Field = std::string RosterFields::*;

/// The strongest first.
constexpr std::array<std::pair<std::string_view, Field>, 4> kFields = {{{"id ", &RosterFields::id},
                                                                        {"login ", &RosterFields::login},
                                                                        {"email ", &RosterFields::email},
                                                                        {"lms ", &RosterFields::lms_id}}};
constexpr std::string_view kByName = "name ";

bool IsAnonymous(const RosterFields& roster) {
  return std::ranges::all_of(kFields, [&](const auto& field) { return (roster.*field.second).empty(); });
}

/// The strongest field that both have says whether they can be one person.
bool MayBeOne(const RosterFields& a, const RosterFields& b) {
  for (const auto& [word, field] : kFields) {
    if (!(a.*field).empty() && !(b.*field).empty()) return InLowerCase(a.*field) == InLowerCase(b.*field);
  }
  return true;
}

/// What of a key is no kind: "103".
std::string ValueOf(const std::string& key) {
  return key.substr(key.find(' ') + 1);
}

std::map<std::string, std::size_t> CountNames(const std::vector<KnownStudent>& students) {
  std::map<std::string, std::size_t> count;
  for (const KnownStudent& each : students) ++count[NameWithoutNumber(each.name)];
  return count;
}

/// Finds by one criterion after the other; who is found once is no longer looked for.
class Finder {
 public:
  Finder(const std::vector<KnownStudent>& before, const std::vector<KnownStudent>& after)
      : before_(before), after_(after), found_(before.size()), taken_(after.size()) {}

  /// `key_of` returns "" for who cannot be found by it.
  template <class KeyOf>
  void By(const KeyOf& key_of) {
    std::map<std::string, std::vector<std::size_t>> places;
    for (std::size_t i = 0; i < after_.size(); ++i) {
      if (const std::string key = key_of(after_[i], false); !taken_[i] && !key.empty()) {
        places[key].push_back(i);
      }
    }
    for (std::size_t i = 0; i < before_.size(); ++i) {
      if (found_[i]) continue;
      const auto place = places.find(key_of(before_[i], true));
      if (place == places.end()) continue;
      for (const std::size_t each : place->second) {
        if (taken_[each]) continue;
        if (rosters_must_agree_ && !MayBeOne(before_[i].roster, after_[each].roster)) continue;
        found_[i] = each;
        taken_[each] = true;
        break;
      }
    }
  }

  void RequireRostersToAgree() { rosters_must_agree_ = true; }
  std::vector<std::optional<std::size_t>> Found() { return std::move(found_); }

 private:
  const std::vector<KnownStudent>&before_, &after_;
  std::vector<std::optional<std::size_t>> found_;
  std::vector<bool> taken_;
  bool rosters_must_agree_ = false;
};

}  // namespace

std::string StudentKey(const std::string& name, const RosterFields& roster) {
  for (const auto& [word, field] : kFields) {
    if (!(roster.*field).empty()) return std::string(word) + roster.*field;
  }
  return std::string(kByName) + name;
}

std::string StudentKey(const StudentGrades& student) {
  return StudentKey(student.name, student.roster);
}

std::string NameWithoutNumber(const std::string& name) {
  const std::size_t gap = name.rfind(" (");
  if (!name.ends_with(')') || gap == std::string::npos || gap == 0) return name;
  const std::string_view number = std::string_view(name).substr(gap + 2, name.size() - gap - 3);
  const bool is_number = !number.empty() && number.find_first_not_of("0123456789") == number.npos;
  return is_number ? name.substr(0, gap) : name;
}

bool SharesName(const ClassGrades& grades, const StudentGrades& student) {
  const std::string name = NameWithoutNumber(student.name);
  const auto bearers = std::ranges::count_if(
      grades.students, [&](const StudentGrades& each) { return NameWithoutNumber(each.name) == name; });
  return bearers > 1;
}

std::string AccountOf(const RosterFields& roster) {
  for (const std::string* other : {&roster.login, &roster.id, &roster.email, &roster.lms_id}) {
    if (!other->empty()) return *other;
  }
  return "";
}

std::string NameAndLogin(const StudentGrades& student) {
  const std::string account = AccountOf(student.roster);
  return account.empty() ? student.name : student.name + " <" + account + ">";
}

std::string DistinctName(const ClassGrades& grades, const StudentGrades& student) {
  return SharesName(grades, student) ? NameAndLogin(student) : student.name;
}

std::string DistinctName(const ClassGrades& grades, const std::string& name, const std::string& key) {
  const auto is_it = [&](const StudentGrades& each) { return StudentKey(each) == key; };
  if (const auto student = std::ranges::find_if(grades.students, is_it); student != grades.students.end()) {
    const std::string account = AccountOf(student->roster);
    return SharesName(grades, *student) && !account.empty() ? name + " <" + account + ">" : name;
  }
  return key.empty() || key.starts_with(kByName) ? name : name + " <" + ValueOf(key) + ">";
}

std::vector<std::optional<std::size_t>> FindAgain(const std::vector<KnownStudent>& before,
                                                  const std::vector<KnownStudent>& after) {
  Finder finder(before, after);
  for (const auto& [word, field] : kFields) {
    finder.By([&](const KnownStudent& each, bool) { return InLowerCase(each.roster.*field); });
  }
  finder.RequireRostersToAgree();
  finder.By(
      [](const KnownStudent& each, bool) { return IsAnonymous(each.roster) ? each.entry : std::string(); });
  const auto names_before = CountNames(before), names_after = CountNames(after);
  finder.By([&](const KnownStudent& each, bool is_before) {
    const auto& there = is_before ? names_after : names_before;
    const std::string name = NameWithoutNumber(each.name);
    const std::size_t bearers = (is_before ? names_before : names_after).at(name);
    const auto others = there.find(name);
    const bool is_alone = bearers == 1 && others != there.end() && others->second == 1;
    // Of several with one name and nothing else in the roster, the numbers tell who is who.
    return is_alone ? name : IsAnonymous(each.roster) ? "number " + each.name : std::string();
  });
  return finder.Found();
}

}  // namespace warplings
