// SPDX-License-Identifier: Apache-2.0
#include "grader/gradebook/pseudonyms.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "grader/base/atomic_file.h"
#include "grader/base/read_file.h"
#include "grader/base/sha256.h"
#include "grader/base/unique_fd.h"
#include "grader/core/json.h"
#include "grader/core/student_identity.h"
#include "grader/course/roster.h"
#include "grader/messages/class.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kAbout =
    "Whose the pseudonyms of `warplings grade --anonymous` are, and the key that they are computed with. "
    "Keep "
    "it to yourself, and apart from what was graded.";
constexpr std::size_t kKeyDigits = 64;

/// Two gradings with one key wait for each other: its folder is locked, so that no file is left for that.
Result<UniqueFd> LockFolderOf(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code ignored;  // Opening says what is wrong.
  fs::create_directories(folder, ignored);
  UniqueFd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  while (fd && ::flock(fd.get(), LOCK_EX) != 0) {
    if (errno != EINTR) return GraderError(say::cannot_lock(folder.string(), std::strerror(errno)));
  }
  if (!fd) {
    return UsageError(say::cannot_open_folder(folder.string(), std::strerror(errno)), say::name_key_file());
  }
  return fd;
}

std::string FreshKey() {
  std::array<unsigned char, kKeyDigits / 2> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return "";
  std::string digits;
  for (const unsigned char byte : bytes) {
    char two[3];
    std::snprintf(two, sizeof two, "%02x", byte);
    digits += two;
  }
  return digits;
}

Status WriteSecret(const fs::path& file, const json& content) {
  return WriteFileAtomically(file, DumpJson(content, 2) + "\n", NewFileAccess::kOwner);
}

/// Nothing where there is no file.
Result<std::optional<json>> ReadKeyFile(const fs::path& file) {
  std::error_code error;
  if (!fs::exists(file, error)) return std::optional<json>();
  const auto content = FromJson<json>(ReadFile(file).value_or(""));
  const auto is_hexadecimal = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  if (content && content->is_object() && content->contains("key") && (*content)["key"].is_string()) {
    const std::string key = (*content)["key"];
    if (key.size() == kKeyDigits && std::ranges::all_of(key, is_hexadecimal)) return std::optional(*content);
  }
  return UsageError(say::no_pseudonyms(file.string()), say::name_other_key_file());
}

/// What the roster says, if there is one, since an entry's name may be another in each assignment.
std::string IdentityOf(const StudentRow& student) {
  RosterFields roster = student.roster;
  roster.lms_id.clear();  // Another in each course.
  return StudentKey(student.name, roster);
}

/// Of who handed in nothing they only say that.
void HideRemarks(StudentRow& student) {
  if (student.remarks.empty() || student.handed_in_as.empty()) return;
  student.remarks = {"remarks on what was handed in name files; a grading without --anonymous shows them"};
}

void HideSubmission(SubmissionRow& row) {
  row.file = row.state == SubmissionRow::State::kMissing ? "" : row.exercise + ".cu";
  if (!row.problem.empty()) {
    row.problem = "what was handed in cannot be graded; a grading without --anonymous says why";
  }
}

}  // namespace

Result<Pseudonyms> Pseudonyms::Open(const fs::path& file) {
  const auto lock = LockFolderOf(file);
  if (!lock) return lock.error();
  const auto content = ReadKeyFile(file);
  if (!content) return content.error();
  if (*content) return Pseudonyms(file, (**content)["key"]);
  const std::string key = FreshKey();
  if (key.empty()) return GraderError(say::no_random_key(std::strerror(errno)));
  const json fresh = {{"about", kAbout}, {"key", key}, {"students", json::object()}};
  if (const Status written = WriteSecret(file, fresh); !written) return written.error();
  return Pseudonyms(file, key);
}

Result<std::vector<Pseudonym>> Pseudonyms::ReadTable(const fs::path& file) {
  const auto content = ReadKeyFile(file);
  if (!content) return content.error();
  if (!*content) return UsageError(say::no_key_file(file.string()), say::name_its_key());
  std::vector<Pseudonym> all;
  const json table = (*content)->contains("students") ? (**content)["students"] : json();
  for (const auto& [pseudonym, student] : table.items()) {
    const auto field = [&student = student](const char* name) -> std::string {
      const bool is_text = student.is_object() && student.contains(name) && student[name].is_string();
      return is_text ? student[name] : json("");
    };
    StudentRow row{field("name"), field("handed_in_as"), {}};
    row.roster = {
        .id = field("id"), .login = field("login"), .email = field("email"), .section = field("section")};
    all.push_back({std::move(row), pseudonym});
  }
  return all;
}

/// 60 bits of a keyed hash: with a million students two have the same by a chance of 1 in 2 million. Letters
/// and digits that are not mistaken for one another (Crockford's base 32). A word in front, so that no
/// spreadsheet takes it for a number.
std::string Pseudonyms::Of(std::string_view identity) const {
  constexpr std::string_view kLetters = "0123456789abcdefghjkmnpqrstvwxyz";
  Sha256 hash;
  hash.AddField(key_);
  hash.AddField(identity);
  const std::string digits = hash.Finish();
  std::string name = "student";
  for (std::size_t i = 0; i < 12; ++i) {
    if (i % 4 == 0) name += '-';
    // Two hexadecimal digits are 8 bits; the lowest 5 of them choose.
    name += kLetters[std::stoul(digits.substr(2 * i, 2), nullptr, 16) % kLetters.size()];
  }
  return name;
}

std::vector<Pseudonym> Pseudonyms::Anonymise(ClassRows& rows) const {
  std::vector<Pseudonym> all;
  std::map<std::string, std::string> names;
  std::set<std::string> taken;
  for (StudentRow& student : rows.students) {
    const std::string base = Of(IdentityOf(student));
    std::string name = base;
    for (int number = 2; !taken.insert(name).second; ++number)
      name = base + " (" + std::to_string(number) + ")";
    names[student.name] = name;
    all.push_back({student, name});
    student.name = name;
    HideRemarks(student);
    student.handed_in_as.clear();
    student.roster = {};
    student.participant.clear();
    if (!student.unmatched.empty()) student.unmatched = "matches no student of the roster";
  }
  for (SubmissionRow& row : rows.submissions) {
    row.student = names[row.student];
    HideSubmission(row);
  }
  for (AttemptRow& row : rows.attempts) {
    row.student = names[row.student];
    row.file = row.exercise + ".cu";
  }
  for (UnplacedEntry& entry : rows.unplaced) {
    entry = {"an entry", "of the class's folder is nobody's", "It was named while grading."};
  }
  // They came in the order of the names.
  std::ranges::stable_sort(rows.students, {}, &StudentRow::name);
  std::ranges::stable_sort(rows.submissions, {}, &SubmissionRow::student);
  std::ranges::stable_sort(rows.attempts, {}, &AttemptRow::student);
  return all;
}

Status Pseudonyms::Note(const std::vector<Pseudonym>& pseudonyms) const {
  const auto lock = LockFolderOf(file_);
  if (!lock) return lock.error();
  auto content = ReadKeyFile(file_);
  if (!content) return content.error();
  json written = *content ? **content : json{{"about", kAbout}, {"key", key_}};
  json& students = written["students"];
  if (!students.is_object()) students = json::object();
  for (const Pseudonym& each : pseudonyms) {
    const RosterFields& roster = each.student.roster;
    students[each.name] = {{"name", each.student.name}, {"id", roster.id},
                           {"login", roster.login},     {"email", roster.email},
                           {"section", roster.section}, {"handed_in_as", each.student.handed_in_as}};
  }
  return WriteSecret(file_, written);
}

std::optional<std::string> FindPseudonym(const std::vector<Pseudonym>& pseudonyms, const std::string& word) {
  const auto found = std::ranges::find_if(pseudonyms, [&](const Pseudonym& each) {
    return IsCalled(word, each.student.name, each.student.roster);
  });
  return found == pseudonyms.end() ? std::nullopt : std::optional(found->name);
}

}  // namespace warplings
