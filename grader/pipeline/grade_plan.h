// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "grader/course/roster.h"
#include "grader/gradebook/cell_scorer.h"
#include "grader/gradebook/gradebook.h"
#include "grader/pipeline/check_many.h"
#include "grader/submissions/class_folder.h"
#include "grader/submissions/moodle_worksheet.h"
#include "grader/submissions/read_handed_in.h"

namespace warplings {

/// What a class handed in, and which part of it has to be graded.
struct GradePlan {
  ClassRows rows;
  std::size_t unmatched = 0;  ///< Entries that match no student of the roster.
  /// Names of those among them whose number in Canvas would tell whose they are.
  std::set<std::string> need_canvas_id;
  /// Those that fit more than one student: what the entry is called, by the name in rows.students.
  std::map<std::string, std::string> ambiguous;
  /// Each text without a result in the gradebook, once; keys[i] belongs to jobs[i].
  std::vector<ResultKey> keys;
  std::vector<CheckJob> jobs;
  std::size_t missing = 0, unusable = 0;  ///< Numbers of entries in rows.submissions.
  std::size_t found = 0;     ///< Files that can count: of one exercise that may be several attempts.
  std::size_t distinct = 0;  ///< Different texts among them.
  std::size_t timed = 0;     ///< Entries whose time the worksheet has.
  /// Files of the graded exercises that somebody handed in, even those that cannot be graded.
  std::size_t asked_for = 0;
  /// Exercises that are not graded here and of which there are files, with the number of entries that have
  /// one.
  std::map<const Exercise*, std::size_t> others;
  std::size_t with_others = 0;  ///< Entries with any of these.
};

struct GradePlanRequest {
  std::filesystem::path folder;  ///< The class's folder.
  /// Folder into which the texts to be graded are written, each in a folder of its own.
  std::filesystem::path scratch;
  ClassSettings settings;
  DeviceChoice device;
  const ScoringScope* scope = nullptr;  ///< The exercises that are graded.
  const Roster* roster = nullptr;       ///< Null if there is none.
  const MoodleParticipants* participants =
      nullptr;  ///< Of Moodle's grading worksheet; null if there is none.
  /// Reads what one student handed in; replaced by tests.
  std::function<Result<HandedIn>(const StudentEntry&, HardLinks&)> read =
      [](const StudentEntry& student, HardLinks& links) { return ReadHandedIn(student, {}, &links); };
};

/// Reads the submissions of the whole class. Call it before any thread is started, because archives are read
/// in forked child processes.
Result<GradePlan> MakeGradePlan(const GradePlanRequest& request, const Workbook& workbook,
                                const Layout& layout, const Gradebook& gradebook);

/// As Moodle would have named what was handed in under another name, with NUMBER for the participant's: by
/// that its worksheet has the line.
std::string NameWithParticipant(const std::string& handed_in_as);

/// Whether what was handed in is named as Canvas's "Download Submissions" names it.
bool IsNamedByCanvas(const std::string& handed_in_as);

}  // namespace warplings
