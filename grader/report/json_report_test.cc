// SPDX-License-Identifier: Apache-2.0
#include "grader/report/json_report.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "grader/core/json.h"
#include "grader/core/layout.h"
#include "tests/support/made_up_result.h"
#include "tests/support/schema_check.h"

namespace warplings::json_report_test {
namespace {

using nlohmann::json;

json Schema() {
  std::ifstream stream(ThisLayout().root / "docs" / "result.schema.json");
  return json::parse(stream);
}

TEST(JsonReport, IsAsTheSchemaSays) {
  const json schema = Schema();
  const json report = json::parse(JsonReport({report_test::MadeUpResult(), ExerciseResult{}}));
  EXPECT_EQ(report.at("results").size(), 2u);
  EXPECT_EQ(report_test::SchemaFaults(schema, report), "");
}

TEST(JsonReport, FactsAndAdviceAreAsTheSchemaSays) {
  ExerciseResult result = report_test::MadeUpResult();
  const Finding& finding = result.tests[1].findings[0];
  result.facts = {{"reads_outside", "reads past the end", {"Scale.Three"}, finding}, {"other", "words"}};
  result.advice = Advice{"unguarded", "Scale.Three", finding, {"other"}};
  EXPECT_EQ(report_test::SchemaFaults(Schema(), json::parse(JsonReport({result}))), "");
}

TEST(JsonReport, SpeedIsAsTheSchemaSaysAndReadsBack) {
  ExerciseResult result = report_test::MadeUpResult();
  result.speed = report_test::MadeUpSpeed();
  const json report = json::parse(JsonReport({result}));
  EXPECT_EQ(report_test::SchemaFaults(Schema(), report), "");
  const auto back = FromJson<ExerciseResult>(report["results"][0].dump());
  ASSERT_TRUE(back.ok()) << back.error().message;
  ASSERT_TRUE(back->speed.has_value());
  EXPECT_EQ(back->speed->status, SpeedStatus::kMeasured);
  EXPECT_EQ(back->speed->shapes.at(1).submission.seconds, 20e-6);
  EXPECT_EQ(back->speed->shapes.at(0).reference->samples, 12u);
  EXPECT_EQ(back->speed->reference_speedup->high, 1.54);
}

TEST(JsonReport, AnEstimateIsAsTheSchemaSaysAndReadsBack) {
  ExerciseResult result = report_test::MadeUpResult();
  result.speed = report_test::MadeUpEstimate();
  const json report = json::parse(JsonReport({result}));
  EXPECT_EQ(report_test::SchemaFaults(Schema(), report), "");
  const auto back = FromJson<ExerciseResult>(report["results"][0].dump());
  ASSERT_TRUE(back.ok()) << back.error().message;
  ASSERT_TRUE(back->speed->estimate.has_value());
  EXPECT_EQ(back->speed->status, SpeedStatus::kNotMeasured);
  EXPECT_EQ(back->speed->estimate->submission.wavefronts, 20'971'520u);
  EXPECT_EQ(back->speed->estimate->checked_kernels, 67u);
}

TEST(JsonReport, LeavesOutWhatAPageDraws) {
  ExerciseResult result = report_test::MadeUpResult();
  TestResult& test = result.tests.at(1);
  test.output_map.emplace();
  test.explanation.emplace().every.emplace();
  test.launches.resize(1);
  test.launches[0].accesses.emplace();
  test.launches[0].work.emplace();
  const json report = json::parse(JsonReport({result}));
  EXPECT_EQ(report_test::SchemaFaults(Schema(), report), "");
  for (const char* key : {"output_map", "every", "accesses", "work"})
    EXPECT_EQ(report.dump().find(key), std::string::npos) << key;
}

TEST(JsonReport, TheSchemaRefusesSomething) {
  const json schema = Schema();
  json report = json::parse(JsonReport({report_test::MadeUpResult()}));
  json& result = report["results"][0];
  result["verdict"] = "splendid";
  result["tests"][1]["findings"][0]["where"]["line"] = -1;
  result.erase("seed");
  result["extra"] = 1;
  EXPECT_EQ(report_test::SchemaFaults(schema, report),
            "/results/0: lacks seed\n"
            "/results/0: has a key that the schema does not describe: extra\n"
            "/results/0/tests/1/findings/0/where/line: is too small\n"
            "/results/0/verdict: is none of the names\n");
}

TEST(JsonReport, NamesEveryVerdictAndFindingKind) {
  const json schema = Schema();
  const json& verdicts = schema.at("$defs").at("verdict").at("enum");
  ASSERT_EQ(verdicts.size(), static_cast<std::size_t>(Verdict::kGraderFault) + 1);
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    EXPECT_EQ(verdicts[i], VerdictName(static_cast<Verdict>(i)));
  }
  const json& kinds = schema.at("$defs").at("finding").at("properties").at("kind").at("enum");
  ASSERT_EQ(kinds.size(), static_cast<std::size_t>(FindingKind::kUnsupported) + 1);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    EXPECT_EQ(kinds[i], FindingKindName(static_cast<FindingKind>(i)));
  }
}

TEST(JsonReport, LeavesTheSourceOut) {
  EXPECT_EQ(JsonReport({report_test::MadeUpResult()}).find("line one"), std::string::npos);
}

}  // namespace
}  // namespace warplings::json_report_test
