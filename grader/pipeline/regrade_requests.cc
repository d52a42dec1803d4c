// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/regrade_requests.h"

#include <toml++/toml.h>

#include <algorithm>
#include <tuple>

#include "grader/base/person_names.h"
#include "grader/base/text.h"
#include "grader/core/student_identity.h"
#include "grader/course/course.h"
#include "grader/course/roster.h"
#include "grader/messages/class.h"
#include "grader/pipeline/make_decisions.h"
#include "grader/submissions/class_folder.h"
#include "grader/submissions/entry_identity.h"
#include "grader/workbook/table_reader.h"

namespace warplings {
namespace {

constexpr std::size_t kLongestRequest = 20'000;

/// Browsers and course systems make regrade-1.toml and "regrade (2).toml" of a file that is handed in again.
bool IsRegradeFile(const std::string& path) {
  const std::string name = InLowerCase(FileNameOf(AsTomlPath(path)));
  return name.starts_with("regrade") && name.ends_with(".toml");
}

class Reader {
 public:
  Reader(const std::filesystem::path& folder, const Workbook& workbook, const ClassGrades& grades,
         const std::vector<Decision>& former, const MoodleParticipants* participants)
      : workbook_(workbook),
        grades_(grades),
        former_(former),
        participants_(participants),
        links_(folder, {}) {
    for (const StudentGrades& each : grades.students) {
      roster_.students.push_back({NameWithoutNumber(each.name), each.roster});
    }
  }

  Status Read(const StudentEntry& entry) {
    const StudentGrades* student = FindStudent(entry);
    if (student == nullptr) return Unit{};
    const auto handed_in = ReadHandedIn(entry, {}, &links_);
    if (!handed_in) return handed_in.error();
    // Of several the last: by the LMS's number, or the one that a browser gave a number.
    const auto place = [](const HandedInFile& file) {
      return std::tuple(IsRegradeFile(file.path), file.order, FileNameOf(file.path).size(), file.path);
    };
    const auto last = std::ranges::max_element(handed_in->files, {}, place);
    if (last == handed_in->files.end() || !IsRegradeFile(last->path)) {
      found_.problems.push_back(WithoutRegradeFile(entry, *handed_in));
    } else if (!last->problem.empty()) {
      found_.problems.push_back(say::regrade_file_unread(entry.name, Printable(last->problem)));
    } else {
      ReadFile(entry, *student, last->text);
    }
    return Unit{};
  }

  RegradeRequests Found() { return std::move(found_); }

 private:
  /// With the name of what there is: a request may have been saved under another one.
  static Message WithoutRegradeFile(const StudentEntry& entry, const HandedIn& handed_in) {
    if (!handed_in.problem.empty()) return say::request_unread(entry.name, Printable(handed_in.problem));
    constexpr std::size_t kShown = 3;
    std::vector<std::string> names;
    for (const HandedInFile& each : handed_in.files)
      names.push_back(Printable(std::string(FileNameOf(each.path))));
    if (names.empty()) return say::no_regrade_file(entry.name, kRegradeFile);
    const bool is_cut = names.size() > kShown;
    names.resize(std::min(names.size(), kShown));
    return say::only_other_files(entry.name, kRegradeFile, Joined(names, ", ") + (is_cut ? ", …" : ""));
  }

  const StudentGrades* FindStudent(const StudentEntry& entry) {
    // Without a roster, a class's names are those of what was handed in.
    const auto named = std::ranges::find(grades_.students, entry.name, &StudentGrades::name);
    if (named != grades_.students.end() && StudentKey(*named) == StudentKey(named->name, {})) return &*named;
    const RosterMatch match = MatchStudent(roster_, IdentityOf(entry, participants_), Course{}.match);
    if (match.student) return &grades_.students[*match.student];
    const StudentGrades* owner = match.fits_several ? StudentWithNumberOf(entry) : nullptr;
    if (owner == nullptr) found_.problems.push_back(Unmatched(entry, match));
    return owner;
  }

  /// Of those with the entry's name, the one whose submission the LMS gave the same number. Moodle's numbers
  /// differ between assignments, so none is another student's.
  const StudentGrades* StudentWithNumberOf(const StudentEntry& entry) const {
    if (entry.id.empty() || entry.id_kind == StudentEntry::IdKind::kStudent) return nullptr;
    for (const StudentGrades& each : grades_.students) {
      const bool has_name = CompareNames(entry.student, NameWithoutNumber(each.name)) != NameFit::kNone;
      if (has_name && NumberInName(each.handed_in_as) == entry.id) return &each;
    }
    return nullptr;
  }

  Message Unmatched(const StudentEntry& entry, const RosterMatch& match) const {
    if (!match.fits_several) return say::request_of_nobody(entry.name);
    const Message several = say::request_of_several(entry.name, Printable(match.problem));
    const bool has_worksheet =
        participants_ != nullptr || entry.id_kind != StudentEntry::IdKind::kParticipant;
    return has_worksheet ? several : Message(say::or_add_worksheet(several));
  }

  void ReadFile(const StudentEntry& entry, const StudentGrades& student, const std::string& text) {
    try {
      for (const auto& [exercise, value] : toml::parse(text)) {
        const auto asked = value.value_exact<std::string>();
        if (!asked || asked->empty() || asked->size() > kLongestRequest) {
          found_.problems.push_back(
              say::request_is_no_text(entry.name, Printable(std::string(exercise.str()))));
        } else {
          Ask(entry, student, std::string(exercise.str()), *asked);
        }
      }
    } catch (const toml::parse_error& fault) {
      const TomlFault known = FaultOfToml(text, fault);
      found_.problems.push_back(
          say::regrade_file_broken(entry.name, known.line, known.what, ExampleFor(student)));
    }
  }

  /// An exercise about which this student may ask.
  std::string ExampleFor(const StudentGrades& student) const {
    for (std::size_t i = 0; i < student.cells.size(); ++i) {
      if (student.cells[i].state != GradeCell::State::kMissing) return grades_.exercises[i].id;
    }
    return grades_.exercises.empty() ? "EXERCISE" : grades_.exercises.front().id;
  }

  void Ask(const StudentEntry& entry, const StudentGrades& student, const std::string& exercise,
           const std::string& text) {
    DecisionRequest request;
    request.action = DecisionRequest::Action::kAsk;
    request.student = student.name;
    request.who = StudentKey(student);
    request.exercise = exercise;
    request.text = text;
    request.author = student.name;
    auto change = DecisionMaker(workbook_, grades_, former_).Make(request);
    if (!change) {
      found_.problems.push_back(say::request_refused(entry.name, change.error().message));
      return;
    }
    const Decision& made = change->decision;
    const bool is_known = std::ranges::any_of(
        former_, [&](const Decision& each) { return AreAboutTheSame(each, made) && each.text == made.text; });
    if (is_known) {
      ++found_.known;
    } else {
      found_.changes.push_back(*std::move(change));
    }
  }

  const Workbook& workbook_;
  const ClassGrades& grades_;
  const std::vector<Decision>& former_;
  const MoodleParticipants* participants_;
  HardLinks links_;
  Roster roster_;
  RegradeRequests found_;
};

}  // namespace

Result<RegradeRequests> ReadRegradeRequests(const std::filesystem::path& folder, const Workbook& workbook,
                                            const ClassGrades& grades, const std::vector<Decision>& former,
                                            const MoodleParticipants* participants) {
  const auto listed = ListClass(folder, workbook);
  if (!listed) return listed.error();
  Reader reader(folder, workbook, grades, former, participants);
  for (const StudentEntry& entry : listed->students) {
    if (const Status read = reader.Read(entry); !read) return read.error();
  }
  RegradeRequests found = reader.Found();
  for (const UnplacedEntry& each : listed->unplaced) {
    found.problems.push_back(say::request_entry_unplaced(each.name, each.reason));
  }
  return found;
}

}  // namespace warplings
