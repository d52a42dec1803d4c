// SPDX-License-Identifier: Apache-2.0
#include "grader/submissions/entry_identity.h"

#include "grader/submissions/lms_file_names.h"

namespace warplings {

const MoodleParticipant* FindParticipant(const StudentEntry& entry, const MoodleParticipants* participants) {
  if (participants == nullptr || entry.id_kind != StudentEntry::IdKind::kParticipant) return nullptr;
  const auto found = participants->find(entry.id);
  return found == participants->end() ? nullptr : &found->second;
}

Identity IdentityOf(const StudentEntry& entry, const MoodleParticipants* participants) {
  Identity identity{
      .entry = entry.stem.empty() ? entry.name : entry.stem, .name = entry.student, .email = entry.email};
  if (entry.id_kind == StudentEntry::IdKind::kStudent) identity.id = entry.id;
  if (entry.id_kind == StudentEntry::IdKind::kLmsAccount) identity.lms_id = entry.id;
  if (const MoodleParticipant* known = FindParticipant(entry, participants)) {
    identity.id = known->id;
    identity.email = known->email;
  }
  return identity;
}

std::string NumberInName(const std::string& handed_in_as) {
  if (const auto moodle = ParseMoodleName(handed_in_as)) return moodle->id;
  const auto canvas = ParseCanvasName(handed_in_as);
  return canvas ? canvas->id : "";
}

}  // namespace warplings
