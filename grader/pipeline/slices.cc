// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/slices.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>
#include <system_error>
#include <tuple>

#include "grader/messages/class.h"
#include "grader/pipeline/result_versions.h"
#include "grader/pipeline/text_job.h"

namespace warplings {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kPrefix = "slice-", kSuffix = ".sqlite";

Error OtherGrader(const Message& what) {
  return UsageError(say::other_than_slice_was_made_with(what), say::run_same_build());
}

}  // namespace

std::vector<std::size_t> DealSlices(const std::vector<ResultKey>& keys, std::size_t slices) {
  std::vector<std::string> names;
  for (const ResultKey& key : keys) names.push_back(key.Name());
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {},
                    [&](std::size_t i) { return std::tie(keys[i].chapter, keys[i].exercise, names[i]); });
  std::vector<std::size_t> slice_of(keys.size());
  for (std::size_t place = 0; place < order.size(); ++place) slice_of[order[place]] = place % slices;
  return slice_of;
}

fs::path SliceFile(const fs::path& folder, std::size_t number) {
  char name[40];
  std::snprintf(name, sizeof name, "slice-%04zu.sqlite", number);
  return folder / name;
}

fs::path SliceProgressFile(const fs::path& slice) {
  return fs::path(slice).replace_extension(".progress");
}

fs::path SliceLogFile(const fs::path& slice) {
  return fs::path(slice).replace_extension(".log");
}

std::vector<fs::path> FindSlices(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(kPrefix) && name.ends_with(kSuffix)) found.push_back(entry->path());
  }
  std::ranges::sort(found, {}, [](const fs::path& path) {
    const std::string name = path.filename().string();
    return std::pair(name.size(), name);
  });
  return found;
}

Result<std::vector<fs::path>> WriteSlices(const GradePlan& plan, const ClassSettings& settings,
                                          std::size_t count, const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return UsageError(say::cannot_make_folder(folder.string(), error.message()));
  count = std::min(count, plan.jobs.size());
  const std::vector<std::size_t> slice_of = DealSlices(plan.keys, count);
  std::vector<fs::path> files;
  for (std::size_t slice = 0; slice < count; ++slice) {
    std::vector<SliceText> texts;
    for (std::size_t job = 0; job < plan.jobs.size(); ++job) {
      if (slice_of[job] != slice) continue;
      const Submission& submission = plan.jobs[job].submission;
      texts.push_back({plan.keys[job], submission.source, submission.answers});
    }
    files.push_back(SliceFile(folder, slice + 1));
    RemoveSlice(files.back());
    if (const Status written = Slice::Write(files.back(), settings, texts); !written) return written.error();
  }
  return files;
}

Result<MergedSlice> MergeSlice(Gradebook& gradebook, const fs::path& slice) {
  MergedSlice merged;
  {
    const auto opened = Slice::Open(slice);
    if (!opened) return opened.error();
    const auto missing = opened->CountMissing();
    if (!missing) return missing.error();
    merged.missing = *missing;
  }
  const auto taken = gradebook.TakeResultsOf(slice);
  if (!taken) return taken.error();
  merged.taken = *taken;
  return merged;
}

void RemoveSlice(const fs::path& slice) {
  std::error_code ignored;
  for (const char* rest : {"", "-wal", "-shm", ".new", ".new-wal"}) {
    fs::remove(slice.string() + rest, ignored);
  }
  fs::remove(SliceProgressFile(slice), ignored);
  fs::remove(SliceLogFile(slice), ignored);
}

Result<CheckJob> MakeSliceJob(const SliceText& text, const Exercise& exercise, const DeviceChoice& device,
                              const fs::path& folder) {
  return MakeTextJob({&exercise, text.source, text.answers}, device, text.key.seed, folder);
}

const Exercise* ExerciseOf(const ResultKey& key, const Workbook& workbook) {
  for (const Chapter& chapter : workbook.chapters) {
    for (const Exercise& exercise : chapter.exercises) {
      if (exercise.chapter == key.chapter && exercise.id == key.exercise) return &exercise;
    }
  }
  return nullptr;
}

Status CheckSliceFits(const std::vector<SliceText>& texts, const Workbook& workbook, const Layout& layout,
                      const DeviceChoice& device) {
  const auto grader = GraderVersion(layout);
  if (!grader) return grader.error();
  std::map<const Exercise*, std::string> suites;
  for (const SliceText& text : texts) {
    const Exercise* exercise = ExerciseOf(text.key, workbook);
    if (exercise == nullptr) return OtherGrader("workbook, which has no " + text.key.exercise + ",");
    if (!suites.contains(exercise)) {
      auto suite = SuiteVersion(*exercise, layout);
      if (!suite) return suite.error();
      suites[exercise] = *suite;
    }
    if (text.key.suite_version != suites.at(exercise)) return OtherGrader(say::the_suite_of(exercise->id));
    if (text.key.grader_version != *grader) return OtherGrader(say::the_grader());
    if (text.key.device != device.name) {
      return UsageError(say::slice_for_other_device(text.key.device, device.name), say::one_kind_of_card());
    }
  }
  return Unit{};
}

}  // namespace warplings
