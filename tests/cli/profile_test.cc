// SPDX-License-Identifier: Apache-2.0
// `profile` and `check --html`, seen from outside: the page that they write, and what they leave as it is.
#include <bit>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "grader/core/json.h"
#include "tests/cli/cli_fixture.h"
#include "tests/support/drawn.h"

namespace warplings::cli_test {
namespace {

using nlohmann::json;

class ProfileTest : public CliFixture {
 protected:
  static std::string ReadFile(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  }

  /// What the page's script draws from.
  static json DataIn(const std::string& page) {
    constexpr std::string_view kStart = R"(<script type="application/json" id="data">)";
    const std::size_t start = page.find(kStart);
    if (start == std::string::npos) return {};
    const std::size_t text = start + kStart.size();
    return json::parse(page.substr(text, page.find("</script>", text) - text), nullptr, false);
  }

  void Put(const std::filesystem::path& workbook, const std::filesystem::path& from) const {
    std::filesystem::copy_file(from, workbook / "chapters/01_boundary_checks/tiled_matmul.cu",
                               std::filesystem::copy_options::overwrite_existing);
  }
  std::filesystem::path Mutant(const std::string& name) const {
    return layout_.root / "tests/mutants/01_boundary_checks" / ("tiled_matmul." + name + ".cu");
  }
};

TEST_F(ProfileTest, DrawsRequestsMapsAndOtherRuns) {
  RUN_ONE_IN(3);
  const std::filesystem::path workbook = CopyWorkbook(), page = scratch() / "page.html";
  Put(workbook, Mutant("one_check_for_both"));
  const std::vector<std::string> profile = {"profile", "tiled_matmul", "--workbook",
                                            workbook,  "--html",       page};
  const ProgramRun wrong = Run(profile);
  EXPECT_EQ(wrong.status, 1) << wrong.out << wrong.err;
  EXPECT_NE(wrong.out.find("Profile: " + page.string()), std::string::npos) << wrong.out;
  const std::string first = ReadFile(page);
  const json data = DataIn(first);
  ASSERT_TRUE(data.is_object());
  ASSERT_FALSE(data["accesses"].empty());
  std::set<std::string> spaces;
  for (const json& access : data["accesses"]) {
    spaces.insert(access["space"]);
    EXPECT_EQ(access["offsets"].size(), std::popcount(access["lanes"].get<std::uint32_t>()));
  }
  EXPECT_EQ(spaces, (std::set<std::string>{"global", "shared"}));
  ASSERT_TRUE(data["map"].is_object()) << "the values of the first failing test are wrong";
  EXPECT_NE(data["map"]["states"].get<std::string>().find('w'), std::string::npos);
  ASSERT_TRUE(data["explanation"].is_object());
  EXPECT_FALSE(data["explanation"]["every"].empty());
  EXPECT_EQ(first.find("Your previous version"), std::string::npos) << "there is none yet";

  Put(workbook, layout_.root / "solutions/01_boundary_checks/tiled_matmul.cu");
  const ProgramRun right = Run(profile);
  EXPECT_EQ(right.status, 0) << right.out << right.err;
  const std::string second = ReadFile(page);
  EXPECT_NE(second.find("Your previous version"), std::string::npos);
  EXPECT_TRUE(DataIn(second)["map"].is_null()) << "nothing is wrong";

  // The same text again is compared with the same run, and not with itself.
  EXPECT_EQ(Run(profile).status, 0);
  EXPECT_NE(ReadFile(page).find("Your previous version"), std::string::npos);
}

/// The shapes of a random test depend on the seed, so the previous version's figures are those of this run's.
TEST_F(ProfileTest, ThePreviousVersionIsCountedOnTheSameInputs) {
  const std::filesystem::path page = scratch() / "page.html", file = scratch() / "transpose_padded.cu";
  const std::string right = ReadFile(layout_.root / "solutions/05_bank_conflicts/transpose_padded.cu");
  const auto profile = [&](const std::string& text, const char* seed) {
    std::ofstream(file, std::ios::binary) << text;
    return Run({"profile", "05_bank_conflicts/transpose_padded", "--file", file, "--html", page, "--test",
                "NoLanesMeetAtTheEdges", "--seed", seed});
  };
  EXPECT_EQ(profile(right, "1").status, 0);
  EXPECT_EQ(profile(right + "\n// The same once more.\n", "2").status, 0);
  const std::string text = ReadFile(page);
  const std::string heading = "Sectors of global memory";
  const std::size_t row = text.find(heading);
  ASSERT_NE(text.find("Your previous version"), std::string::npos);
  ASSERT_NE(row, std::string::npos);
  const std::string cells = text.substr(row, text.find("</tr>", row) - row);
  EXPECT_EQ(cells.find(">yours "), std::string::npos) << "two versions that do the same differ: " << cells;
}

/// A student's copy of the workbook has neither; here both are there.
TEST_F(ProfileTest, APassHasBaselineAndSolutionBesideIt) {
  RUN_ONE_IN(3);
  const std::filesystem::path page = scratch() / "page.html";
  const std::filesystem::path file = layout_.root / "solutions/01_boundary_checks/tiled_matmul.cu";
  EXPECT_EQ(Run({"profile", "tiled_matmul", "--file", file, "--html", page}).status, 0);
  const std::string text = ReadFile(page);
  for (const char* run : {"Baseline", "Solution"}) {
    EXPECT_NE(text.find(std::string("<th scope=\"col\" class=\"number\">") + run + "</th>"),
              std::string::npos)
        << run;
  }
  // At the size of the estimate, and with its words.
  EXPECT_NE(text.find("Shown: width 1024, the size at which speed is estimated"), std::string::npos);
  EXPECT_NE(text.find("times fewer sectors of global memory than the baseline at width 1024."),
            std::string::npos);
  EXPECT_NE(text.find("the estimated time goes to shared memory and L1."), std::string::npos);
  EXPECT_EQ(text.find("class=\"bad\""), std::string::npos) << "what tiling needs is no fault";
  const json data = DataIn(text);
  std::set<std::string> objects;
  for (const json& access : data["accesses"]) objects.insert(access["object"]);
  EXPECT_EQ(objects, (std::set<std::string>{"M", "N", "P", "shared array Mds", "shared array Nds"}))
      << "a sample of the blocks has requests, too";
}

TEST_F(ProfileTest, AResultIsTheSameWithAPageAndWithout) {
  RUN_ONE_IN(3);
  const std::filesystem::path workbook = CopyWorkbook(), page = scratch() / "page.html";
  Put(workbook, Mutant("stale_instead_of_zero"));
  const std::vector<std::string> check = {"tiled_matmul", "--workbook", workbook, "--seed", "7"};
  std::vector<std::string> with_page = check;
  with_page.insert(with_page.end(), {"--html", page});
  json plain = Check(check).Only(), drawn = Check(with_page).Only();
  for (json* result : {&plain, &drawn}) {
    for (const char* time : {"build_seconds", "run_seconds"}) result->erase(time);
    for (json& test : (*result)["tests"]) test.erase("seconds");
  }
  EXPECT_EQ(plain, drawn);
  EXPECT_TRUE(std::filesystem::exists(page));
}

TEST_F(ProfileTest, WhatDoesNotCompileHasAPageThatSaysSo) {
  const std::filesystem::path file = scratch() / "tiled_matmul.cu", page = scratch() / "page.html";
  std::ofstream(file) << "int </script><b>x\n";
  const ProgramRun run = Run({"profile", "tiled_matmul", "--file", file, "--html", page});
  EXPECT_EQ(run.status, 1) << run.out << run.err;
  const std::string text = ReadFile(page);
  EXPECT_NE(text.find("The tests did not run"), std::string::npos);
  EXPECT_EQ(text.find("<b>x"), std::string::npos) << "the student's text is an element";
}

TEST_F(ProfileTest, AProfileIsOfOneExerciseAndOfATestThatThereIs) {
  RUN_ONE_IN(3);
  const ProgramRun several = Run({"check", "1", "--html", scratch() / "page.html"});
  EXPECT_EQ(several.status, 2);
  EXPECT_NE(several.err.find("A profile shows one exercise"), std::string::npos) << several.err;
  const ProgramRun unknown =
      Run({"profile", "tiled_matmul", "--test", "no such test", "--html", scratch() / "page.html"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_NE(unknown.err.find("'no such test' matches no test of tiled_matmul"), std::string::npos)
      << unknown.err;
}

}  // namespace
}  // namespace warplings::cli_test
