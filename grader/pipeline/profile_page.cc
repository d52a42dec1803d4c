// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/profile_page.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "grader/base/atomic_file.h"
#include "grader/base/read_file.h"
#include "grader/core/json.h"
#include "grader/device/device_profile.h"
#include "grader/pipeline/progress.h"
#include "grader/pipeline/run_program.h"
#include "grader/pipeline/test_names.h"
#include "grader/pipeline/workbook_view.h"
#include "grader/report/profile_data.h"
#include "grader/workbook/covered_texts.h"

namespace warplings {
namespace {

using nlohmann::json;

/// The device whose profile the page uses: the first of "virtual:a100,t4", or a card's watcher.
const DeviceProfile& CardOf(const DeviceChoice& device) {
  const std::string& spec = device.watcher.empty() ? device.spec : device.watcher;
  const std::size_t colon = spec.find(':');
  const std::string id = colon == std::string::npos ? "" : spec.substr(colon + 1, spec.find(',') - colon - 1);
  const DeviceProfile* found = FindDeviceProfile(id);
  return found ? *found : *FindDeviceProfile(kDefaultProfile);
}

/// Where nobody names a test, the one that says most; the number of tests where there is none.
Result<std::size_t> TestOfPage(const ExerciseResult& result, const std::string& wanted) {
  if (wanted.empty()) return TestToProfile(result.tests).value_or(result.tests.size());
  std::vector<NamedTest> tests;
  for (const TestResult& test : result.tests) tests.push_back({test.name, English(test.title)});
  return ChooseTest(tests, wanted, result.exercise);
}

// --- The student's own runs. ---------------------------------------------------------------------

json LoadHistory(const std::filesystem::path& file) {
  const auto read = FromJson<json>(ReadFile(file).value_or(""));
  return read && read->is_object() ? *read : json::object();
}

json ObjectAt(const json& object, const std::string& key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_object() ? *found : json::object();
}

/// Notes this text, and returns the last one that was profiled before it was changed; empty if there is none.
/// The texts are kept rather than their figures: inputs are random, so only figures of the same inputs
/// compare.
std::string NoteSource(const std::string& exercise, const std::string& source,
                       const std::filesystem::path& file) {
  if (file.empty()) return "";
  json history = LoadHistory(file);
  json entry = ObjectAt(history, exercise);
  const auto text = [&entry](const char* key) {
    const auto found = entry.find(key);
    return found != entry.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  // The same text again is compared with the same version: so a page that is drawn twice stays the same.
  if (const std::string latest = text("latest"); !latest.empty() && latest != source)
    entry["previous"] = latest;
  entry["latest"] = source;
  std::string previous = text("previous");
  history[exercise] = std::move(entry);
  // What cannot be kept is missing next time; the page is there.
  static_cast<void>(WriteFileAtomically(file, DumpJson(history)));
  return previous;
}

/// Figures of the tests and, where it was counted, of the timed call.
std::string FiguresOf(std::vector<TestResult> tests, std::optional<TestResult> timed_call,
                      const DeviceProfile& card) {
  if (timed_call) tests.push_back(std::move(*timed_call));
  return ProfileFigures(tests, card);
}

/// Adds the figures of another program on the same inputs, where it is there and runs.
void AddRun(std::vector<ProfiledRun>& runs, const std::string& name, const std::filesystem::path& file,
            const Submission& submission, const CheckSettings& settings, const Layout& layout,
            const DeviceProfile& card) {
  std::error_code fault;
  if (file.empty() || !std::filesystem::is_regular_file(file, fault)) return;
  auto outcome = RunOurs(submission, file, settings, layout);
  if (!outcome) return;
  auto timed_call = TimedCallOf(outcome->speed, &SpeedEstimate::submission);
  runs.push_back({name, FiguresOf(std::move(outcome->tests), std::move(timed_call), card)});
}

/// Counts the student's previous version anew, on this run's inputs.
void AddPrevious(ProfileSource& source, const std::string& text, const Submission& submission,
                 const CheckSettings& settings, const Layout& layout) {
  source.has_previous = true;
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "previous";
  const std::filesystem::path file = folder / submission.file.filename();
  std::error_code fault;
  std::filesystem::create_directories(folder, fault);
  if (fault || !WriteFileAtomically(file, text)) return;
  AddRun(source.beside, "previous", file, submission, settings, layout, *source.card);
}

/// The speed with the counts of the call that is timed. A check on a card has measured, and counted no such
/// call: then the card's watcher does.
std::optional<SpeedResult> CountedSpeed(const Submission& submission, const ExerciseResult& result,
                                        const CheckSettings& settings, const Layout& layout) {
  if (!result.speed || result.speed->status != SpeedStatus::kMeasured) return result.speed;
  auto outcome = RunOurs(submission, submission.file, settings, layout);
  return outcome ? std::move(outcome->speed) : std::nullopt;
}

void AddOthers(ProfileSource& source, const std::optional<SpeedResult>& speed, const Submission& submission,
               CheckSettings settings, const ProfilePage& page, const Layout& layout) {
  const Exercise& exercise = *submission.exercise;
  if (!source.timed_call) settings.speed = SpeedMode::kOff;
  const std::string previous = NoteSource(FullName(exercise), submission.source, page.history);
  if (!previous.empty()) AddPrevious(source, previous, submission, settings, layout);
  if (const auto baseline = TimedCallOf(speed, &SpeedEstimate::baseline); baseline && source.timed_call) {
    source.beside.push_back({"baseline", ProfileFigures({*baseline}, *source.card)});
  } else if (const auto file = exercise.speed ? BaselineFile(exercise) : std::filesystem::path(); file) {
    AddRun(source.beside, "baseline", *file, submission, settings, layout, *source.card);
  }
  if (source.result->verdict == Verdict::kPassed)
    AddRun(source.beside, "solution", exercise.solution, submission, settings, layout, *source.card);
}

}  // namespace

std::filesystem::path ProfileHistoryFile(const std::filesystem::path& workbook_root) {
  const std::filesystem::path progress = ProgressFile();
  if (progress.empty()) return {};
  std::error_code fault;
  std::filesystem::path root = std::filesystem::weakly_canonical(workbook_root, fault);
  if (fault) root = workbook_root;
  return progress.parent_path() / ("profiles-" + HashText(root.string()) + ".json");
}

Status WriteProfilePage(const Submission& submission, const ExerciseResult& result,
                        const CheckSettings& settings, const ProfilePage& page, const Layout& layout) {
  const Result<std::size_t> test = TestOfPage(result, page.test);
  if (!test) return test.error();
  const DeviceProfile& card = CardOf(settings.device);
  ProfileSource source{.result = &result, .card = &card, .test = *test, .beside = {}};
  if (*test < result.tests.size()) {
    const auto speed = CountedSpeed(submission, result, settings, layout);
    const auto timed_call = TimedCallOf(speed, &SpeedEstimate::submission);
    if (page.test.empty()) source.timed_call = timed_call;
    AddOthers(source, speed, submission, settings, page, layout);
  }
  // Supervise gave us a temporary folder of our own.
  const std::filesystem::path data = std::filesystem::temp_directory_path() / "profile.json";
  if (const Status written = WriteFileAtomically(data, ProfileData(source)); !written) return written;
  return RunPageScript(layout, layout.ProfilePageScript(), {data.string(), page.file.string()});
}

}  // namespace warplings
