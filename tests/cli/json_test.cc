// SPDX-License-Identifier: Apache-2.0
// Tests that the output of `check --json` follows the schema and is the same for the same seed.
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/cli/cli_fixture.h"
#include "tests/support/drawn.h"
#include "tests/support/schema_check.h"

namespace warplings::cli_test {
namespace {

using nlohmann::json;

class JsonTest : public CliFixture {
 protected:
  json ReportOf(std::vector<std::string> arguments) const {
    const std::filesystem::path file = scratch() / "report.json";
    std::filesystem::remove(file);
    arguments.insert(arguments.begin(), "check");
    arguments.insert(arguments.end(), {"--json", file});
    const ProgramRun run = Run(arguments);
    json report = json::parse(ReadText(file), nullptr, /*allow_exceptions=*/false);
    EXPECT_FALSE(report.is_discarded()) << run.out << run.err;
    return report;
  }

  std::string Mutant(const std::string& misconception) const {
    return layout_.MutantFolder("01_boundary_checks") / ("tiled_matmul." + misconception + ".cu");
  }
};

TEST_F(JsonTest, IsAsTheSchemaSays) {
  const json schema = json::parse(ReadText(layout_.root / "docs" / "result.schema.json"));
  const std::string attacks = layout_.root / "tests" / "attacks";
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"tiled_matmul", "--solution"},
        {"tiled_matmul", "--file", Mutant("m_load_unguarded")},
        {"tiled_matmul", "--file", attacks + "/compile_error.cu"},
        {"tiled_matmul", "--file", attacks + "/terminal_escapes.cu"}}) {
    EXPECT_EQ(report_test::SchemaFaults(schema, ReportOf(arguments)), "") << arguments.back();
  }
}

/// Two mistakes: the tests with an empty P fail because of one of them, most of the others because of the
/// other.
TEST_F(JsonTest, WhatExplainsMostFailingTestsComesFirst) {
  std::string text =
      ReadText(layout_.MutantFolder("02_rectangular_matmul") / "rect_matmul.empty_grid_launched.cu");
  const std::string right = "N[i * l + col]";
  ASSERT_NE(text.find(right), std::string::npos);
  text.replace(text.find(right), right.size(), "N[i * k + col]");
  const std::filesystem::path file = scratch() / "two_mistakes.cu";
  std::ofstream(file) << text;
  const json report = ReportOf({"rect_matmul", "--file", file});
  EXPECT_EQ(
      report_test::SchemaFaults(json::parse(ReadText(layout_.root / "docs" / "result.schema.json")), report),
      "");
  const json& result = report["results"][0];
  const json& causes = result["misconceptions"];
  ASSERT_EQ(causes.size(), 2u) << causes;
  EXPECT_EQ(result["next_step"], "");
  EXPECT_EQ(causes[0]["id"], "wrong_row_length");
  EXPECT_GE(causes[0]["tests"].size(), 8u) << causes;
  EXPECT_EQ(causes[1]["id"], "empty_grid_launched");
  EXPECT_EQ(causes[1]["tests"], json({"RectMatmul.NoRows", "RectMatmul.NoColumns"}));
  // What is seen is seen in a test that failed.
  for (const json& cause : causes) {
    const std::string evidence = cause["evidence"];
    const auto test = std::ranges::find_if(result["tests"], [&](const json& each) {
      return evidence.starts_with("\"" + each["title"].get<std::string>() + "\"");
    });
    ASSERT_NE(test, result["tests"].end()) << evidence;
    EXPECT_NE((*test)["verdict"], "passed") << evidence;
  }
}

/// What a wrong sum consists of is told also where an element is in it very often, or where only calls that
/// are longer than those that the suite looks at by itself are wrong.
TEST_F(JsonTest, WrongSumsAreTakenApart) {
  RUN_ONE_IN(3);
  const std::string solution =
      ReadText(layout_.root / "solutions" / "05_bank_conflicts" / "reduce_sequential.cu");
  const std::string right = "partial[tx] = i < n ? X[i] : 0.0f;";
  ASSERT_NE(solution.find(right), std::string::npos);
  const auto advice_with = [&](const std::string& wrong) -> std::string {
    std::string text = solution;
    const std::filesystem::path file = scratch() / "wrong_sum.cu";
    std::ofstream(file) << text.replace(text.find(right), right.size(), wrong);
    return ReportOf({"reduce_sequential", "--file", file})["results"][0]["next_step"];
  };
  EXPECT_EQ(advice_with("partial[tx] = (i < n ? X[i] : 0.0f) * (tx == 20 ? 105 : 1);"),
            "With n = 40, sums[0] contains X[20] 105 times. Follow X[20] through your code: "
            "which steps or threads add it again?");
  const std::string long_only = advice_with("partial[tx] = i < n && i != 1000 ? X[i] : 0.0f;");
  EXPECT_NE(long_only.find("the sum in sums[3] lacks X[1000]."), std::string::npos) << long_only;
  const std::string never = advice_with("if (blockIdx.x == 3) return; partial[tx] = i < n ? X[i] : 0.0f;");
  EXPECT_TRUE(
      never.ends_with(" Work out by hand which thread should store it: is it launched, and what does it do "
                      "instead?"))
      << never;
}

/// Width 4 is right, but the test of width 1 fails for another reason.
TEST_F(JsonTest, SmallerWidthsAreNotCalledRightWhereATestOfOneFails) {
  RUN_ONE_IN(3);
  const std::filesystem::path file = layout_.root / "tests" / "answers" / "coarsened_matmul.dd03.cu";
  const std::string advice = ReportOf({"coarsened_matmul", "--file", file})["results"][0]["next_step"];
  EXPECT_TRUE(
      advice.starts_with("With width 12, a store in line 57 goes past the edge of P, and seems to "
                         "overwrite the sum in P[6][0] with 0."))
      << advice;
  EXPECT_EQ(advice.find("All smaller widths"), std::string::npos) << advice;
}

/// What is said of products of which no formula, or none that matters, is found.
TEST_F(JsonTest, AMatrixThatIsNotReadAndAnIndexThatLeavesATileComeFirst) {
  RUN_ONE_IN(3);
  const auto result_of = [&](const std::string& exercise, const std::string& right,
                             const std::string& wrong) -> json {
    std::string text = ReadText(layout_.root / "solutions" / "02_rectangular_matmul" / (exercise + ".cu"));
    EXPECT_NE(text.find(right), std::string::npos) << right;
    const std::filesystem::path file = scratch() / "wrong_product.cu";
    std::ofstream(file) << text.replace(text.find(right), right.size(), wrong);
    return ReportOf({exercise, "--file", file})["results"][0];
  };
  const std::string unused =
      "P does not depend on N, since other elements in it give the same result. Follow both factors of a "
      "product "
      "back to their pointers: where does N drop out?";
  const std::string squared = result_of("rect_tiled_matmul", "sum += Mds[ty][i] * Nds[i][tx];",
                                        "sum += Mds[ty][i] * Mds[i][tx];")["next_step"];
  EXPECT_TRUE(squared.starts_with(unused)) << squared;
  // It is not a race only, or a product of zeros, though P holds nothing yet when it is read.
  const std::string of_p = result_of("rect_matmul", "N[i * l + col]", "P[i * l + col]")["next_step"];
  EXPECT_TRUE(of_p.starts_with(unused)) << of_p;
  // The products are known where a tile is filled one place too far on; where that leaves it says more.
  const json moved = result_of("rect_tiled_matmul", "Mds[ty][tx] =", "Mds[ty][tx + (k > 0)] =");
  EXPECT_FALSE(moved["tests"][0]["explanation"]["facts"].empty()) << moved["tests"][0];
  EXPECT_TRUE(moved["next_step"].get<std::string>().starts_with("Out of bounds: in line "))
      << moved["next_step"];
}

TEST_F(JsonTest, WithoutAGpuTheSpeedOfOneExerciseIsEstimated) {
  RUN_ONE_IN(3);
  const json schema = json::parse(ReadText(layout_.root / "docs" / "result.schema.json"));
  const json report = ReportOf({"transpose_padded", "--solution", "--device", "virtual:h200"});
  EXPECT_EQ(report_test::SchemaFaults(schema, report), "");
  const json& result = report["results"][0];
  const json& speed = result["speed"];
  EXPECT_EQ(speed["status"], "not_measured");
  EXPECT_EQ(speed["graded"], false);
  EXPECT_EQ(result["points"], result["max_points"]);
  ASSERT_TRUE(speed.contains("estimate")) << speed.dump(1);
  const json& estimate = speed["estimate"];
  EXPECT_EQ(estimate["card"], "NVIDIA H200");
  EXPECT_EQ(estimate["held_here"], true);
  // No bank conflicts: as many sectors, fewer wavefronts, less time.
  EXPECT_GT(estimate["speedup"], 1.2);
  EXPECT_EQ(estimate["baseline"]["sectors"], estimate["submission"]["sectors"]);
  EXPECT_GT(estimate["baseline"]["wavefronts"], 10 * estimate["submission"]["wavefronts"].get<double>());
}

TEST_F(JsonTest, AnEstimateForAnotherCardSaysThatNobodyCheckedIt) {
  RUN_ONE_IN(3);
  const json report = ReportOf({"transpose_padded", "--solution", "--device", "virtual:t4"});
  const json& speed = report["results"][0]["speed"];
  ASSERT_TRUE(speed.contains("estimate")) << speed.dump(1);
  EXPECT_EQ(speed["estimate"]["card"], "Tesla T4");
  EXPECT_EQ(speed["estimate"]["held_here"], false);
}

TEST_F(JsonTest, WhatIsWrongOrOneOfManyHasNoEstimate) {
  RUN_ONE_IN(3);
  const json wrong = ReportOf({"tiled_matmul", "--file", Mutant("m_load_unguarded")});
  EXPECT_FALSE(wrong["results"][0]["speed"].contains("estimate"));
  const json many = ReportOf({"transpose_padded", "transpose_swizzled", "--solution"});
  ASSERT_EQ(many["results"].size(), 2u);
  for (const json& result : many["results"]) EXPECT_FALSE(result["speed"].contains("estimate"));
  const json off = ReportOf({"transpose_padded", "--solution", "--speed", "off"});
  EXPECT_FALSE(off["results"][0]["speed"].contains("estimate"));
}

TEST_F(JsonTest, ASeedRepeatsInputsFindingsAndCounts) {
  RUN_ONE_IN(3);
  // Races and reads outside: were anything left to chance, it would show here.
  for (const char* misconception : {"m_load_unguarded", "second_barrier_missing"}) {
    const std::vector<std::string> arguments = {"tiled_matmul", "--file", Mutant(misconception), "--seed",
                                                "7"};
    json first = ReportOf(arguments), second = ReportOf(arguments);
    DropTimes(first);
    DropTimes(second);
    EXPECT_EQ(first, second) << json::diff(first, second).dump(1);
    ASSERT_FALSE(first["results"][0]["tests"].empty());
    EXPECT_EQ(first["results"][0]["seed"], 7);
  }
}

TEST_F(JsonTest, AnotherSeedMakesOtherInputs) {
  const std::vector<std::string> arguments = {"tiled_matmul", "--file", Mutant("m_load_unguarded"), "--seed"};
  const auto wrong_elements = [&](const std::string& seed) {
    std::vector<std::string> with_seed = arguments;
    with_seed.push_back(seed);
    const json report = ReportOf(with_seed);
    std::string text;
    for (const json& test : report["results"][0]["tests"]) text += test["wrong"].dump();
    return text;
  };
  EXPECT_NE(wrong_elements("7"), wrong_elements("8"));
}

}  // namespace
}  // namespace warplings::cli_test
