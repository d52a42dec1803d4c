// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/grade_fixture.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "grader/core/json.h"
#include "grader/gradebook/gradebook.h"

namespace warplings::cli_test {
namespace {

using nlohmann::json;

/// Another program's reader, so that it is not our own idea of CSV that is tested.
constexpr const char* kCsvToJson = R"(
import csv, json, sys
with open(sys.argv[1], newline="", encoding="utf-8") as stream:
    rows = list(csv.DictReader(stream, strict=True))
undo = lambda text: text[1:] if text.startswith("'") else text
print(json.dumps([{undo(name): undo(text) for name, text in row.items()} for row in rows]))
)";

}  // namespace

ProgramRun GradeFixture::Grade(const std::vector<std::string>& more, ProgramOptions options) const {
  std::vector<std::string> arguments = {"grade", ClassFolder(), "--seed", "7"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  if (std::ranges::count(more, "--out") == 0) arguments.insert(arguments.end(), {"--out", Out()});
  return Run(arguments, std::move(options));
}

std::map<std::string, std::map<std::string, std::string>> GradeFixture::ReadCsv() const {
  const ProgramRun run = RunProgram({"python3", "-c", kCsvToJson, Out() / "grades.csv"});
  EXPECT_EQ(run.status, 0) << run.err;
  std::map<std::string, std::map<std::string, std::string>> lines;
  const json rows = json::parse(run.out, nullptr, /*allow_exceptions=*/false);
  EXPECT_TRUE(rows.is_array()) << run.out;
  for (const json& row : rows) lines[row.at("Student")] = row.get<std::map<std::string, std::string>>();
  return lines;
}

json GradeFixture::GradebookContents(const std::filesystem::path& out) {
  auto gradebook = Gradebook::Open(out / "gradebook.sqlite");
  EXPECT_TRUE(gradebook.ok());
  json contents = json::array();
  if (!gradebook) return contents;
  const auto submissions = gradebook->ReadSubmissions();
  EXPECT_TRUE(submissions.ok());
  for (const SubmissionRow& row : *submissions) {
    json line = {row.student, row.chapter, row.exercise, StateName(row.state),
                 row.file,    row.problem, row.result};
    if (const auto kept = gradebook->ReadResult(row.result); kept && *kept) {
      json report = (*kept)->result;
      DropTimes(report);
      line.push_back(std::move(report));
      line.push_back((*kept)->result.source);
    }
    contents.push_back(std::move(line));
  }
  return contents;
}

}  // namespace warplings::cli_test
