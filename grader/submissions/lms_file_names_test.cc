// SPDX-License-Identifier: Apache-2.0
#include "grader/submissions/lms_file_names.h"

#include <gtest/gtest.h>

#include "grader/course/time_zone.h"

namespace warplings {
namespace {

/// Returns "student|id|late|order|file".
std::string Shown(const std::optional<LmsName>& name) {
  if (!name) return "none";
  return name->student + "|" + name->id + "|" + (name->late ? "late" : "") + "|" +
         std::to_string(name->order) + "|" + name->file;
}

TEST(LmsNames, Canvas) {
  const std::pair<const char*, const char*> cases[] = {
      {"lovelaceada_123_456_tiled_matmul.cu", "lovelaceada|123||456|tiled_matmul.cu"},
      {"lovelaceada_LATE_123_456_tiled_matmul-1.cu", "lovelaceada|123|late|456|tiled_matmul-1.cu"},
      {"de_la_cruz_7_8_week_1_2_x.zip", "de_la_cruz|7||8|week_1_2_x.zip"},
      {"żakłukasz_1_2_a.cu", "żakłukasz|1||2|a.cu"},
      {"anon_x3k9z_456_scale.cu", "anon_x3k9z|||456|scale.cu"},
      {"LATE_anon_x3k9z_456_scale.cu", "anon_x3k9z||late|456|scale.cu"},
      {"lovelaceada_123_text.html", "lovelaceada|123||0|text.html"},
      {"lovelaceada_LATE_123_link.html", "lovelaceada|123|late|0|link.html"},
      {"tiled_matmul.cu", "none"},
      {"tiled_matmul_2.cu", "none"},
      {"roster.csv", "none"},
      {"_1_2_x.cu", "none"},
      {"ada_1_2_", "none"},
      {"ada_99999999999999999999_2_x.cu", "none"},
      {"", "none"}};
  for (const auto& [text, expected] : cases) EXPECT_EQ(Shown(ParseCanvasName(text)), expected) << text;
}

TEST(LmsNames, Moodle) {
  const std::pair<const char*, const char*> cases[] = {
      {"Ada Lovelace_12345_assignsubmission_file_", "Ada Lovelace|12345||0|"},
      {"Ada Lovelace_12345_assignsubmission_file", "Ada Lovelace|12345||0|"},
      {"Ada Lovelace_12345_assignsubmission_onlinetext", "Ada Lovelace|12345||0|"},
      {"Participant_77_assignsubmission_file_", "Participant|77||0|"},
      {"Ada Lovelace_12345_assignsubmission_file_tiled_matmul.cu", "Ada Lovelace|12345||0|tiled_matmul.cu"},
      {"Ada Lovelace_assignsubmission_file_", "none"},
      {"_1_assignsubmission_file_", "none"},
      {"Ada_1_assignsubmission_files", "none"},
      {"Ada Lovelace", "none"}};
  for (const auto& [text, expected] : cases) EXPECT_EQ(Shown(ParseMoodleName(text)), expected) << text;
}

TEST(LmsNames, AStudentBeforeAnExercise) {
  const std::vector<std::string> exercises = {"matmul", "tiled_matmul", "scale"};
  const std::pair<const char*, const char*> cases[] = {
      {"ada_tiled_matmul.cu", "ada|||0|tiled_matmul.cu"},
      {"ada-scale.cu", "ada|||0|scale.cu"},
      {"Ada Lovelace scale (1).cu", "Ada Lovelace|||0|scale (1).cu"},
      {"ada.scale-2.cu", "ada|||0|scale-2.cu"},
      {"tiled_matmul.cu", "none"},
      {"_scale.cu", "none"},
      {"adascale.cu", "none"},
      {"ada_scale_old.cu", "none"},
      {"ada_scale.txt", "none"}};
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(Shown(ParseNameBeforeExercise(text, exercises)), expected) << text;
  }
}

TEST(LmsNames, GradescopeMetadata) {
  const auto found = ParseGradescopeMetadata(
      "---\nsubmission_1:\n  :submitters:\n  - :name: Ada Lovelace\n    :sid: '0017'\n    :email: "
      "ada@uni.example\n"
      "  :created_at: 2026-10-08 21:59:00.123456000 Z\n  :score: 3.0\n"
      "  :history:\n  - :id: 4\n    :created_at: 2026-10-01 00:00:00.000000000 Z\n    :submitters: x\n"
      "submission_2:\r\n  :submitters:\r\n    - :name: \"O'Neil, \\\"Tip\\\"\"\r\n      :email: "
      "tip@uni.example\r\n"
      "    - :name: 'It''s me'\r\n  :created_at: 2026-10-08 14:00:00 -07:00\r\n"
      "submission_3:\n  :submitters: []\n  :results:\n    tests:\n    - name: \":name: Eve\"\n");
  ASSERT_EQ(found.size(), 3u);
  const GradescopeSubmission& first = found.at("submission_1");
  ASSERT_EQ(first.submitters.size(), 1u);
  EXPECT_EQ(first.submitters[0].name, "Ada Lovelace");
  EXPECT_EQ(first.submitters[0].id, "0017");
  EXPECT_EQ(first.submitters[0].email, "ada@uni.example");
  EXPECT_EQ(ShowUtc(*first.handed_in_at), "2026-10-08T21:59:00Z");
  const GradescopeSubmission& second = found.at("submission_2");
  ASSERT_EQ(second.submitters.size(), 2u);
  EXPECT_EQ(second.submitters[0].name, "O'Neil, \"Tip\"");
  EXPECT_EQ(second.submitters[1].name, "It's me");
  EXPECT_EQ(ShowUtc(*second.handed_in_at), "2026-10-08T21:00:00Z");
  EXPECT_TRUE(found.at("submission_3").submitters.empty());
  EXPECT_FALSE(found.at("submission_3").handed_in_at.has_value());
}

TEST(LmsNames, AnyTextIsRead) {
  for (const char* text :
       {"", ":", "-", "- :name: x", "  :submitters:\n", "a:\n- ", "a:\n  :submitters:\n    :name: x\n",
        "a:\n  :submitters:\n  - \n  -\n  - :name:"}) {
    EXPECT_LE(ParseGradescopeMetadata(text).size(), 1u) << text;
  }
}

}  // namespace
}  // namespace warplings
