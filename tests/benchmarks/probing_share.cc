// SPDX-License-Identifier: Apache-2.0
// Prints what share of a failing check explains it: probing_share FILE..., each named EXERCISE.anything.cu,
// on a virtual A100. "tests" is the time from the start of the check, with compiling, to the end of the last
// test; "after" what comes behind it: the calls that find out what was computed, and the recognisers. Each of
// a file's five checks has a text of its own, as after an edit, and the one with the least time counts.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "grader/core/layout.h"
#include "grader/pipeline/check_exercise.h"
#include "grader/workbook/exercise.h"

namespace {

using namespace warplings;
using Clock = std::chrono::steady_clock;

constexpr int kRuns = 5;

struct Taken {
  double tests = 0, after = 0;
  bool passed = false;
};

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Result<Taken> Check(const Submission& submission, const CheckSettings& settings, const Layout& layout) {
  Taken taken;
  const Clock::time_point start = Clock::now();
  CheckListener listener;
  listener.on_stage = [](const Message&) {};
  listener.on_test = [&](const TestResult&) { taken.tests = SecondsSince(start); };
  const Result<ExerciseResult> result = CheckExercise(submission, settings, layout, listener);
  if (!result) return result.error();
  taken.after = SecondsSince(start) - taken.tests;
  taken.passed = result->verdict == Verdict::kPassed;
  return taken;
}

/// The file's text with a line that no check before has seen.
std::filesystem::path Edited(const std::filesystem::path& file, const std::filesystem::path& folder) {
  const std::filesystem::path edited = folder / file.filename();
  std::ofstream(edited) << std::ifstream(file).rdbuf() << "// "
                        << std::chrono::system_clock::now().time_since_epoch().count() << '\n';
  return edited;
}

}  // namespace

int main(int argc, char** argv) {
  const Layout layout = ThisLayout();
  const Result<Workbook> workbook = LoadWorkbook(layout.root);
  CheckSettings settings;
  const Result<DeviceChoice> device = ChooseDevice("virtual:a100");
  if (!workbook || !device) return 3;
  settings.device = *device;
  settings.seed = 1;
  std::string folder = (std::filesystem::temp_directory_path() / "probing_share.XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return 3;
  std::printf("%-44s %8s %8s %8s\n", "file", "tests", "after", "share");
  for (int i = 1; i < argc; ++i) {
    const std::string name = std::filesystem::path(argv[i]).filename().string();
    Taken best;
    for (int run = 0; run < kRuns; ++run) {
      SubmissionRequest request;
      request.file = Edited(argv[i], folder);
      request.what = {name.substr(0, name.find('.'))};
      const auto submissions = ChooseSubmissions(*workbook, {}, request);
      if (!submissions) {
        std::fprintf(stderr, "%s: %s\n", argv[i], English(submissions.error().message).c_str());
        return 2;
      }
      const Result<Taken> taken = Check(submissions->front(), settings, layout);
      if (!taken) return 3;
      if (run == 0 || taken->tests + taken->after < best.tests + best.after) best = *taken;
    }
    std::printf("%-44s %6.2f s %6.3f s %6.1f %%%s\n", name.c_str(), best.tests, best.after,
                100 * best.after / (best.tests + best.after), best.passed ? "  (passed)" : "");
    std::fflush(stdout);
  }
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  return 0;
}
