// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplings {

/// What an LMS encoded into the name of an exported file or folder.
struct LmsName {
  std::string student;     ///< In the LMS's spelling: "lovelaceada", "Ada Lovelace".
  std::string id;          ///< The student's number in the LMS.
  bool late = false;       ///< Marked as late.
  std::int64_t order = 0;  ///< Orders what was handed in: later is larger; 0 if the name does not say.
  std::string file;        ///< The file name that the student chose; empty for a folder.
};

/// Canvas's "Download Submissions": STUDENT[_LATE]_USER_ATTACHMENT_FILE; with anonymous grading
/// [LATE_]anon_CODE_ATTACHMENT_FILE; a text typed into Canvas, or an address, is
/// STUDENT[_LATE]_USER_text.html or …_link.html (lib/content_zipper.rb of canvas-lms). Attachments are
/// numbered in order of arrival.
std::optional<LmsName> ParseCanvasName(std::string_view name);

/// Moodle's "Download all submissions": folders STUDENT_PARTICIPANT_assignsubmission_file, in some versions
/// with "_" appended; or, without folders, files with that in front of _FILE
/// (mod/assign/classes/downloader.php).
std::optional<LmsName> ParseMoodleName(std::string_view name);

/// True for what Moodle makes of a text that somebody typed there: a folder of this name, or a file.
bool IsTypedText(std::string_view name);

/// ada_tiled_matmul.cu and the like: STUDENT, one of "_", "-", ".", " ", and the name of an exercise's file,
/// perhaps a numbered copy. `exercises` are ids.
std::optional<LmsName> ParseNameBeforeExercise(std::string_view name,
                                               const std::vector<std::string>& exercises);

/// A student who handed in a folder of a Gradescope export.
struct GradescopeSubmitter {
  std::string name, id, email;
};

struct GradescopeSubmission {
  std::vector<GradescopeSubmitter> submitters;  ///< Several if a group handed it in.
  std::optional<std::int64_t> handed_in_at;     ///< Seconds since 1970, UTC.
};

/// Parses submission_metadata.yml of "Export Submissions"; keys are folders ("submission_123"). Reads only
/// the form of YAML that Gradescope writes, line by line, and ignores unknown keys.
std::map<std::string, GradescopeSubmission> ParseGradescopeMetadata(std::string_view text);

}  // namespace warplings
