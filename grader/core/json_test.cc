// SPDX-License-Identifier: Apache-2.0
#include "grader/core/json.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "grader/base/reflect.h"
#include "grader/core/exercise_result.h"
#include "grader/messages/findings.h"
#include "grader/messages/joining.h"
#include "grader/messages/refusals.h"

namespace warplings {
namespace {

Finding ARace() {
  Finding finding;
  finding.kind = FindingKind::kRace;
  finding.severity = Severity::kWarning;
  finding.kernel = "tiled_kernel";
  finding.block = {1, 2, 0};
  finding.where = {"/submission/tiled_matmul.cu", 21};
  finding.other = SourceLine{"/submission/tiled_matmul.cu", 30};
  finding.space = MemorySpace::kShared;
  finding.access = Access::kAtomic;
  finding.object = "shared array `Mds`";
  finding.offset_bytes = -4;
  finding.count = std::numeric_limits<std::uint64_t>::max();
  return finding;
}

ExerciseResult AResult() {
  ExerciseResult result;
  result.chapter = "01_boundary_checks";
  result.source = "int secret;";
  result.seed = std::numeric_limits<std::uint64_t>::max();
  result.verdict = Verdict::kFinding;
  Diagnostic& diagnostic = result.diagnostics.emplace_back();
  diagnostic.where = {"a.cu", 3};
  diagnostic.message = "unused";
  TestResult test;
  test.name = "A.B";
  test.verdict = Verdict::kWrongResult;
  test.wrong = {{"P[0][1]", "3", "nan", "never written"}};
  test.explanation = {
      "2 x 3 times 3 x 4", {{"P[0][1]", false, {{-2, {"M[0][0]", "N[0][1]"}}}, {}}}, {"A fact."}, {}};
  test.explanation->every = test.explanation->elements;
  test.output_map = OutputMap{"P", 3, 0, ".w-", {"3", "4"}, {"2", "nothing"}};
  test.findings = {ARace()};
  test.advised = 0;
  LaunchRecord launch;
  launch.kernel = "k";
  launch.completed = true;
  launch.occupancy = 0.625;
  launch.totals.flops = 12;
  launch.lines.push_back({{"a.cu", 4}, Counts{.warp_instructions = 5}});
  AccessSample sample;
  sample.space = MemorySpace::kShared;
  sample.lanes = 0x80000001u;
  sample.offsets = {-4, 128};
  launch.accesses = {{sample}};
  test.launches = {launch};
  result.tests = {test};
  result.misconceptions = {
      {"m_load_unguarded", "t", "m", "e", std::vector<std::string>{"Suite.Test"}, ARace()}};
  result.facts = {{"tiled_reads_outside", "f", {"Suite.Test"}, ARace()}};
  result.advice = Advice{"m_load_unguarded", "Suite.Test", ARace(), {"other"}};
  result.resources = {{"k", 32, 2048, 0, 380}};
  result.points = 7.5;
  return result;
}

TEST(JsonTest, AResultSurvivesTheWayThereAndBack) {
  const nlohmann::json json = AResult();
  const auto back = FromJson<ExerciseResult>(DumpJson(json));
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_EQ(nlohmann::json(*back), json);
  EXPECT_EQ(back->seed, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(back->tests[0].findings[0].other, ARace().other);
  EXPECT_EQ(back->tests[0].advised, 0u);
  EXPECT_EQ(back->misconceptions[0].finding->message, ARace().message);
  EXPECT_EQ(back->facts->at(0).finding->message, ARace().message);
  EXPECT_EQ(back->advice->later, std::vector<std::string>{"other"});
  EXPECT_EQ(back->tests[0].launches[0].lines[0].counts.warp_instructions, 5u);
  EXPECT_EQ(back->tests[0].launches[0].accesses->at(0).offsets, (std::vector<std::int64_t>{-4, 128}));
  EXPECT_EQ(back->tests[0].output_map->states, ".w-");
  EXPECT_EQ(back->tests[0].explanation->every->size(), 1u);
}

TEST(JsonTest, TheSourceIsNotWritten) {
  EXPECT_EQ(DumpJson(nlohmann::json(AResult())).find("secret"), std::string::npos);
  const nlohmann::json launch = AResult().tests[0].launches[0];
  for (const char* left_out : {"arrays", "longest_warp", "has_block_order", "stream"})
    EXPECT_FALSE(launch.contains(left_out)) << launch;
}

TEST(JsonTest, EnumsGoByTheirNames) {
  const nlohmann::json json = ARace();
  EXPECT_EQ(json["kind"], "race");
  EXPECT_EQ(json["severity"], "warning");
  EXPECT_EQ(json["space"], "shared");
  EXPECT_EQ(json["access"], "atomic");
}

template <class Enum>
std::string Names() {
  std::string names;
  for (std::string_view name : reflect::kEnumeratorNames<Enum>)
    names += (names.empty() ? "" : " ") + std::string(name);
  return names;
}

/// Gradebooks hold these names: one may come to them, none may change or go.
TEST(JsonTest, TheNamesOfEnumeratorsStay) {
  EXPECT_EQ(Names<Verdict>(),
            "passed not_run wrong_result finding launch_failed not_synchronised input_modified time_limit "
            "output_limit memory_limit exited crashed protocol_violation forbidden_symbol missing_entry "
            "compile_error grader_fault");
  EXPECT_EQ(
      Names<FindingKind>(),
      "out_of_bounds use_after_free misaligned uninitialised race race_between_streams divergent_barrier "
      "barrier_after_exit shuffle_after_exit mask_without_lane division_by_zero deadlock endless_loop trap "
      "invalid_launch "
      "invalid_call leak missing_wait unsupported");
  EXPECT_EQ(Names<Severity>(), "warning error");
  EXPECT_EQ(Names<MemorySpace>(), "none global shared local constant parameter");
  EXPECT_EQ(Names<Access>(), "none read write atomic");
  EXPECT_EQ(Names<SpeedStatus>(), "not_measured measured rehearsed refused");
  EXPECT_EQ(Names<Argument::Kind>(), "text name number index count line thread test range message");
}

TEST(JsonTest, EveryVerdictAndEveryFindingKindComesBack) {
  for (std::size_t i = 0; i < reflect::kEnumeratorCount<Verdict>; ++i) {
    TestResult test;
    test.verdict = static_cast<Verdict>(i);
    const auto back = FromJson<TestResult>(DumpJson(nlohmann::json(test)));
    ASSERT_TRUE(back.ok());
    EXPECT_EQ(back->verdict, test.verdict);
  }
  for (std::size_t i = 0; i < reflect::kEnumeratorCount<FindingKind>; ++i) {
    Finding finding;
    finding.kind = static_cast<FindingKind>(i);
    const auto back = FromJson<Finding>(DumpJson(nlohmann::json(finding)));
    ASSERT_TRUE(back.ok());
    EXPECT_EQ(back->kind, finding.kind);
  }
}

TEST(JsonTest, AnAbsentOptionalHasNoKey) {
  Finding finding = ARace();
  finding.other.reset();
  const nlohmann::json json = finding;
  EXPECT_FALSE(json.contains("other"));
  const auto back = FromJson<Finding>(DumpJson(json));
  ASSERT_TRUE(back.ok());
  EXPECT_FALSE(back->other.has_value());
}

TEST(JsonTest, BytesThatAreNotUtf8DoNotThrow) {
  TestResult test;
  test.reason = "\xff\xfe";
  EXPECT_NE(DumpJson(nlohmann::json(test)).find("\xEF\xBF\xBD"), std::string::npos);
}

/// A message keeps its text for whoever reads words, and its data for whoever does not.
TEST(JsonTest, AMessageIsTextAndData) {
  TestResult test;
  test.reason = say::in_line(26, say::read_unwritten(say::Count(4, "byte"), say::shared_array("Nds")));
  test.next_step = "words alone";
  test.explanation.emplace().facts = {say::no_blocks("0 x 1 x 1"), "a fact", ""};
  const nlohmann::json json = test;
  EXPECT_EQ(json["reason"], "line 26: reads 4 bytes of shared array `Nds` before anything is written there");
  EXPECT_EQ(json["reason_data"]["id"], "in_line");
  EXPECT_EQ(json["reason_data"]["template"], "{1}: {2}");
  EXPECT_EQ(json["reason_data"]["arguments"][0], nlohmann::json({{"line", 26}}));
  EXPECT_EQ(json["reason_data"]["arguments"][1]["message"]["arguments"][0],
            nlohmann::json({{"count", 4}, {"of", "byte"}}));
  EXPECT_FALSE(json.contains("next_step_data"));
  const TestResult read = *FromJson<TestResult>(json.dump());
  EXPECT_EQ(read.reason, test.reason);
  EXPECT_EQ(read.next_step, test.next_step);
  EXPECT_EQ(read.explanation->facts, test.explanation->facts);
}

TEST(JsonTest, EveryKindOfArgumentComesBack) {
  Message message("id", "{1}", {});
  message.arguments() = {AsArgument(say::Text("t")),        AsArgument(say::Name("n")),
                         AsArgument(say::Number(-5)),       AsArgument(say::Index(7)),
                         AsArgument(say::Count(2, "byte")), AsArgument(say::Line(0)),
                         AsArgument(say::Thread(1, 2, 3)),  AsArgument(say::TestName("Suite.Test")),
                         AsArgument(say::Range(1, 9)),      AsArgument(Message("words"))};
  message.arguments()[7].inner = {"width 7"};
  EXPECT_EQ(MessageFromJson(MessageToJson(message)), message);
}

/// What older versions stored, and what nobody wrote.
TEST(JsonTest, AMessageWithoutDataIsWords) {
  nlohmann::json json = TestResult{};
  json["reason"] = "as an older version stored it";
  json.erase("reason_data");
  EXPECT_EQ(FromJson<TestResult>(json.dump())->reason, "as an older version stored it");
  const nlohmann::json arguments[] = {
      {{"kind", "none"}}, {{"number", "5"}}, {{"count", 5}}, {{"range", {1}}}};
  for (const auto& argument : arguments) {
    json["reason_data"] = {{"id", "x"}, {"template", "{1}"}, {"arguments", {argument}}};
    EXPECT_FALSE(FromJson<TestResult>(json.dump()).ok()) << argument;
  }
  nlohmann::json deep = {{"words", "x"}};
  for (int i = 0; i < 100; ++i)
    deep = {{"id", "x"}, {"template", "{1}"}, {"arguments", nlohmann::json::array({{{"message", deep}}})}};
  json["reason_data"] = deep;
  EXPECT_FALSE(FromJson<TestResult>(json.dump()).ok());
}

TEST(JsonTest, WhatHidesAndReordersIsWrittenAsNumbers) {
  TestResult test;
  test.reason = "a\u202Eb\u009B\u00A0c\x7F\U000E0041 每個 👩\u200D🔬";
  const std::string text = DumpJson(nlohmann::json(test));
  EXPECT_NE(text.find("a\\u202eb\\u009b\\u00a0c\\u007f\\udb40\\udc41 每個 👩\\u200d🔬"), std::string::npos)
      << text;
  EXPECT_EQ(nlohmann::json::parse(text)["reason"], English(test.reason));
}

/// Each is a complete Counts or Finding with one thing wrong; the error names the key.
TEST(JsonTest, HostileTextGivesAnErrorThatNamesTheKey) {
  nlohmann::json counts = Counts{};
  counts["flops"] = -1;
  EXPECT_NE(English(FromJson<Counts>(DumpJson(counts)).error().message).find("flops: is out of range"),
            std::string::npos);
  counts["flops"] = 1.5;
  EXPECT_NE(English(FromJson<Counts>(DumpJson(counts)).error().message).find("flops: must be a whole number"),
            std::string::npos);
  counts.erase("flops");
  EXPECT_NE(English(FromJson<Counts>(DumpJson(counts)).error().message).find("flops: is missing"),
            std::string::npos);

  nlohmann::json finding = ARace();
  finding["kind"] = "sunspots";
  EXPECT_NE(
      English(FromJson<Finding>(DumpJson(finding)).error().message).find("kind: has no value 'sunspots'"),
      std::string::npos);
  finding = ARace();
  finding["block"]["x"] = 4294967296;
  EXPECT_NE(English(FromJson<Finding>(DumpJson(finding)).error().message).find("block: x: is out of range"),
            std::string::npos);
  finding = ARace();
  finding["access_bytes"] = nullptr;
  EXPECT_FALSE(FromJson<Finding>(DumpJson(finding)).ok());
}

TEST(JsonTest, TextThatIsNoJsonGivesAnError) {
  for (const char* text : {"", "{", "[]", "null", "{\"x\":}", "\xff", "1e999", "{}"}) {
    EXPECT_FALSE(FromJson<TestResult>(text).ok()) << text;
  }
  EXPECT_FALSE(FromJson<TestResult>(std::string(1'000'000, '[')).ok());
  EXPECT_FALSE(FromJson<nlohmann::json>("{\"a\":1").ok());
  EXPECT_TRUE(FromJson<nlohmann::json>("{\"a\":1}").ok());
}

}  // namespace
}  // namespace warplings
