// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/progress.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "grader/base/atomic_file.h"
#include "grader/base/read_file.h"
#include "grader/core/json.h"
#include "grader/messages/check_faults.h"

namespace warplings {
namespace {

std::filesystem::path AbsoluteFromEnvironment(const char* name) {
  const char* value = std::getenv(name);
  const std::filesystem::path path = value == nullptr ? "" : value;
  return path.is_absolute() ? path : std::filesystem::path();
}

/// "passed" is all that anybody asks of a verdict here; whatever else a file says is not passed.
Verdict VerdictFromName(const std::string& name) {
  return name == VerdictName(Verdict::kPassed) ? Verdict::kPassed : Verdict::kWrongResult;
}

std::optional<double> NumberAt(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

std::string StringAt(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

bool HasPassed(const ProgressEntry& entry) {
  return entry.verdict == Verdict::kPassed || entry.pass.has_value();
}

ProgressEntry AfterCheck(const ProgressEntry& before, ProgressEntry check) {
  if (check.verdict == Verdict::kPassed) {
    check.pass = check.points;
    return check;
  }
  if (!HasPassed(before)) return check;
  check.pass = before.pass.value_or(before.points);
  check.passed_in = before.passed_in;
  return check;
}

std::string HashText(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;  // Offset basis and prime of FNV-1a, 64 bits.
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

std::filesystem::path ProgressFile() {
  std::filesystem::path state = AbsoluteFromEnvironment("XDG_STATE_HOME");
  if (state.empty()) {
    const std::filesystem::path home = AbsoluteFromEnvironment("HOME");
    if (home.empty()) return {};
    state = home / ".local" / "state";
  }
  return state / "warplings" / "progress.json";
}

Progress LoadProgress(const std::filesystem::path& file) {
  const Result<nlohmann::json> json = FromJson<nlohmann::json>(ReadFile(file).value_or(""));
  Progress progress;
  if (!json || !json->is_object()) return progress;
  for (const auto& [name, entry] : json->items()) {
    if (!entry.is_object()) continue;
    const auto verdict = entry.find("verdict"), hash = entry.find("file_hash");
    if (verdict == entry.end() || !verdict->is_string() || hash == entry.end() || !hash->is_string())
      continue;
    progress[name] = {.verdict = VerdictFromName(*verdict),
                      .file_hash = *hash,
                      .points = NumberAt(entry, "points").value_or(0),
                      .file = StringAt(entry, "file"),
                      .pass = NumberAt(entry, "pass"),
                      .passed_in = StringAt(entry, "passed_in")};
  }
  return progress;
}

Status SaveProgress(const std::filesystem::path& file, const Progress& progress) {
  if (file.empty()) return GraderError(say::no_home_for_progress(), say::set_state_home());
  std::error_code error;
  std::filesystem::create_directories(file.parent_path(), error);
  nlohmann::json json = nlohmann::json::object();
  for (const auto& [name, entry] : progress) {
    json[name] = {
        {"verdict", VerdictName(entry.verdict)}, {"file_hash", entry.file_hash}, {"points", entry.points}};
    if (!entry.file.empty()) json[name]["file"] = entry.file;
    if (entry.pass) json[name]["pass"] = *entry.pass;
    if (!entry.passed_in.empty()) json[name]["passed_in"] = entry.passed_in;
  }
  return WriteFileAtomically(file, DumpJson(json, 2) + "\n");
}

}  // namespace warplings
