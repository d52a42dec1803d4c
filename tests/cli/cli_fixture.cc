// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/cli_fixture.h"

#include <nlohmann/json.hpp>

#include "grader/core/json.h"
#include "grader/device/probe.h"

namespace warplings::cli_test {
namespace {

/// Compiled workers are kept for the whole test program: the solution is checked more than once.
const std::filesystem::path& SharedCache() {
  static const ScratchFolder kFolder;
  return kFolder.path();
}

}  // namespace

const ExerciseResult& CheckRun::Only() const {
  static const ExerciseResult kNone;
  EXPECT_EQ(results.size(), 1u) << program.out << program.err;
  return results.size() == 1 ? results.front() : kNone;
}

ProgramRun CliFixture::Run(const std::vector<std::string>& arguments, ProgramOptions options) const {
  std::vector<std::string> command = {layout_.build / "grader" / "cli" / "warplings-cli"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  options.environment.try_emplace("XDG_STATE_HOME", scratch() / "state");
  options.environment.try_emplace("XDG_CACHE_HOME", SharedCache());
  options.environment.try_emplace("TMPDIR", scratch() / "tmp");
  // What is expected holds on every machine, with a card or without.
  options.environment.try_emplace("CUDA_VISIBLE_DEVICES", "");
  std::filesystem::create_directories(options.environment.at("TMPDIR"));
  return RunProgram(command, options);
}

CheckRun CliFixture::Check(std::vector<std::string> arguments, ProgramOptions options) const {
  const std::filesystem::path file = scratch() / "result.json";
  std::filesystem::remove(file);
  arguments.insert(arguments.begin(), "check");
  arguments.insert(arguments.end(), {"--json", file});
  CheckRun run{Run(arguments, std::move(options)), {}};
  const Result<nlohmann::json> json = FromJson<nlohmann::json>(ReadText(file));
  if (json && json->contains("results")) run.results = json->at("results").get<std::vector<ExerciseResult>>();
  return run;
}

std::string CliFixture::WhyNoCard() const {
  if (!MayHaveCard()) return "needs a GPU, and this machine has none";
  const auto card = ProbeCard(layout_.DeviceProgram(), 0);
  return card ? "" : "needs a GPU: " + English(card.error().message);
}

std::filesystem::path CliFixture::CopyWorkbook() const {
  const std::filesystem::path copy = scratch() / "workbook";
  std::filesystem::create_directories(copy);
  std::filesystem::copy(layout_.root / "chapters", copy / "chapters",
                        std::filesystem::copy_options::recursive);
  return copy;
}

std::vector<std::string> FailedTests(const ExerciseResult& result) {
  std::vector<std::string> names;
  for (const TestResult& test : result.tests) {
    if (test.verdict != Verdict::kPassed) names.push_back(test.name);
  }
  return names;
}

std::vector<std::string> MisconceptionIds(const ExerciseResult& result) {
  std::vector<std::string> ids;
  for (const Misconception& misconception : result.misconceptions) ids.push_back(misconception.id);
  return ids;
}

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text.empty() ? "-" : text;
}

void DropTimes(nlohmann::json& value) {
  if (value.is_object()) {
    for (const char* name : {"seconds", "build_seconds", "run_seconds"}) value.erase(name);
  }
  if (value.is_structured()) {
    for (nlohmann::json& member : value) DropTimes(member);
  }
}

}  // namespace warplings::cli_test
