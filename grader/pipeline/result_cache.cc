// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/result_cache.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>
#include <vector>

#include "grader/base/atomic_file.h"
#include "grader/base/read_file.h"
#include "grader/base/sha256.h"
#include "grader/build/cache_entry.h"
#include "grader/build/toolchain.h"
#include "grader/build/worker_cache.h"
#include "grader/core/json.h"

namespace warplings {

namespace fs = std::filesystem;

namespace {

std::string HashOf(std::string_view text) {
  Sha256 hash;
  hash.Add(text);
  return hash.Finish();
}

/// All files of the folder, in the order of their names.
void AddFolder(Sha256& hash, const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code fault;
  for (const auto& entry : fs::directory_iterator(folder, fault)) {
    if (entry.is_regular_file(fault)) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    hash.AddField(file.filename().string());
    hash.AddField(ReadFile(file).value_or(""));
  }
}

}  // namespace

std::optional<ExerciseResult> ResultCache::Find(const std::string& key) const {
  if (folder_.empty() || key.empty()) return std::nullopt;
  const fs::path file = folder_ / key;
  const auto text = ReadFile(file);
  if (!text) return std::nullopt;
  // The first line is the hash of the rest: a file that a full disk or a power cut left in part is no result.
  const std::size_t end = text->find('\n');
  if (end == std::string::npos) return std::nullopt;
  const std::string_view rest = std::string_view(*text).substr(end + 1);
  if (text->substr(0, end) != HashOf(rest)) return std::nullopt;
  const Result<ExerciseResult> result = FromJson<ExerciseResult>(rest);
  if (!result) return std::nullopt;
  std::error_code ignored;
  fs::last_write_time(file, fs::file_time_type::clock::now(), ignored);  // It was used.
  return *result;
}

void ResultCache::Insert(const std::string& key, const ExerciseResult& result) const {
  if (folder_.empty() || key.empty()) return;
  std::error_code fault;
  fs::create_directories(folder_, fault);
  if (fault) return;
  const std::string text = DumpJson(nlohmann::json(result));
  if (WriteFileAtomically(folder_ / key, HashOf(text) + '\n' + text)) RemoveOldest();
}

void ResultCache::RemoveOldest() const {
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  std::error_code fault;
  for (const auto& entry : fs::directory_iterator(folder_, fault)) {
    const auto used = entry.last_write_time(fault);
    if (!fault) files.emplace_back(used, entry.path());
  }
  if (files.size() <= max_files_) return;
  std::ranges::sort(files);
  files.resize(files.size() - max_files_);
  for (const auto& [used, file] : files) fs::remove(file, fault);
}

fs::path DefaultResultFolder() {
  const fs::path workers = DefaultCacheFolder();
  return workers.empty() ? fs::path() : workers.parent_path() / "results";
}

std::string CacheKeyOf(const CheckJob& job, const Layout& layout) {
  const CheckSettings& settings = job.settings;
  const Exercise& exercise = *job.submission.exercise;
  const bool is_on_card = !settings.device.spec.starts_with("virtual") || !settings.device.watcher.empty();
  if (is_on_card || settings.speed != SpeedMode::kOff || settings.sanitize || settings.profile) return {};
  const auto toolchain = FindToolchain(layout.root);
  if (!toolchain) return {};
  const auto cuda = CudaMajor(*toolchain);
  if (!cuda) return {};
  Sha256 hash;
  hash.AddField(exercise.chapter + '/' + exercise.id);
  hash.AddField(job.submission.display_name);
  hash.AddField(job.submission.source);
  hash.AddField(job.submission.answers);
  AddFolder(hash, layout.root / "chapters" / exercise.chapter);
  hash.AddField(settings.device.spec);
  hash.AddField(settings.test);
  hash.AddField(std::to_string(settings.seed) + (settings.detailed ? " detailed" : ""));
  hash.AddField(toolchain->Identity());
  for (const fs::path& program :
       {fs::path("/proc/self/exe"), layout.SuiteProgram(exercise.chapter, exercise.id),
        layout.DeviceProgram(), layout.EntryObject(exercise.chapter, exercise.id), layout.WorkerArchive(),
        layout.RuntimeArchive(*cuda)}) {
    AddIdentity(hash, program);
  }
  return hash.Finish();
}

}  // namespace warplings
