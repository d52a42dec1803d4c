// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/course/roster.h"
#include "grader/submissions/class_folder.h"
#include "grader/submissions/moodle_worksheet.h"

namespace warplings {

/// What Moodle's worksheet says of the entry's owner; null if it says nothing, or if there is none.
const MoodleParticipant* FindParticipant(const StudentEntry& entry, const MoodleParticipants* participants);

/// What is known about the entry's owner: by its name, by the LMS's export, and by Moodle's worksheet, which
/// may be null.
Identity IdentityOf(const StudentEntry& entry, const MoodleParticipants* participants);

/// The number that the LMS's file names give the owner of what was handed in under this name; empty if the
/// name has none.
std::string NumberInName(const std::string& handed_in_as);

}  // namespace warplings
