// SPDX-License-Identifier: Apache-2.0
#include "grader/build/prologue.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <map>
#include <mutex>
#include <sstream>
#include <system_error>

#include "grader/base/replace.h"
#include "grader/base/sha256.h"
#include "grader/base/unique_fd.h"
#include "grader/build/cache_entry.h"
#include "grader/build/header_list.h"
#include "grader/build/worker_cache.h"
#include "grader/sandbox/process.h"

namespace warplings {

namespace fs = std::filesystem;

namespace {

/// Must change when the cached files or their format change.
constexpr const char* kFormat = "prologue 2";
/// What `nvcc --dryrun` said. Alone in its folder: there is no prologue for this nvcc.
constexpr const char* kDryRun = "dryrun";
/// The headers that the prologue is made of (header_list.h).
constexpr const char* kHeaderList = "headers";
/// The rest, in the order of the descriptors that the sandbox writes them to, from 3.
constexpr std::array kFromSandbox{"host.ii", "device.ii",  "host.macros", "device.macros",
                                  "host.h",  "host.h.gch", kHeaderList};

/// The script's exit status where the fast way does not give what the preprocessor gives.
constexpr int kNotTheSame = 110;

/// A submission that is nothing but a prologue and a contract. Its contract's first line is where the
/// prologue ends, and the counter's value tells whether the prologue counts.
constexpr const char* kProbeContract = "int warplings_probe(int n);\n";
constexpr const char* kProbeSource = "int warplings_probe(int n) { return n + __COUNTER__; }\n";

sandbox::ProcessRequest ProbeRequest(const Toolchain& toolchain) {
  sandbox::ProcessRequest request;
  request.policy = sandbox::CompilePolicy(toolchain.Folders());
  request.policy.environment.emplace_back("PATH", toolchain.ProgramFolders());
  request.files = {{kStepsSource, kProbeSource}, {kStepsContract, kProbeContract}};
  return request;
}

/// A preprocessor's step, of which `macros` are written to `result`, with `included` in its include's place.
std::string MacroLine(const std::string& step, const std::string& included, const std::string& result) {
  std::string line = ReplaceAll(step, " -E ", " -E -dM ");
  line = ReplaceAll(line, " -include \"cuda_runtime.h\"", included);
  line = ReplaceAll(line, std::string(" -include \"") + kStepsContract + '"', "");
  line = ReplaceAll(line, std::string("\"") + kStepsSource + '"', "/dev/null");
  return line.substr(0, line.rfind(" -o ")) + " | LC_ALL=C sort > " + result + '\n';
}

/// host.ii and host.macros, or the device's, and that they give what the preprocessor gives.
std::string SideLines(const std::string& step, const std::string& side) {
  const std::string result = step.substr(step.rfind(" -o ") + 4);
  const std::string quick = ReplaceAll(step, "-include \"cuda_runtime.h\"", "-imacros " + side + ".macros");
  std::ostringstream lines;
  lines << step << '\n'
        << MacroLine(step, " -include \"cuda_runtime.h\"", "all")
        << MacroLine(step, "", "own")
        // A macro that the prologue takes away would have to be taken away again.
        << "[ -z \"$(LC_ALL=C comm -13 all own)\" ] || exit " << kNotTheSame << "\n"
        << "LC_ALL=C comm -23 all own > " << side << ".macros\n"
        << "sed -n '2,/^# 1 \"\\/contract\\//p' " << result << " | sed '$d' > " << side << ".ii\n"
        << quick.substr(0, quick.rfind(" -o ")) << " -o part\n"
        << "{ head -n 1 part; cat " << side << ".ii; sed -n '/^# 1 \"\\/contract\\//,$p' part; } | cmp -s - "
        << result << " || exit " << kNotTheSame << '\n';
  return lines.str();
}

std::string PrologueScript(const NvccSteps& steps) {
  std::string header = ReplaceAll(steps.compile_host, " -c -x c++ ", " -x c++-header ");
  header = header.substr(0, header.rfind(" \"" + std::string(kStepsStem))) + " host.h -o host.h.gch\n";
  std::ostringstream script;
  script << "set -e\n"
         << ExportLines(steps) << SideLines(steps.preprocess_host, "host")
         << SideLines(steps.preprocess_device, "device") << steps.cudafe << '\n'
         << "sed '/^# [0-9]* \"\\/contract\\//,$d' " << kStepsStem << ".cudafe1.cpp > host.h\n"
         << header;
  script << HeaderPathsLine("./*.ii") << " > " << kHeaderList << '\n';
  for (std::size_t i = 0; i < kFromSandbox.size(); ++i)
    script << "cat " << kFromSandbox[i] << " >&" << i + 3 << '\n';
  return script.str();
}

std::optional<std::string> ReadMemoryFile(int fd) {
  struct stat status {};
  if (fstat(fd, &status) != 0) return std::nullopt;
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t got = pread(fd, text.data() + at, text.size() - at, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    at += static_cast<std::size_t>(got);
  }
  return text;
}

/// Only a toolchain that no prologue fits is worth remembering: disks and memory have room again.
enum class Made { kDone, kNotForThisToolchain, kFailed };

Made MakeFiles(const Toolchain& toolchain, const NvccSteps& steps, const fs::path& folder) {
  std::vector<UniqueFd> files;
  sandbox::ProcessRequest request = ProbeRequest(toolchain);
  request.program = {"/bin/sh", "-c", PrologueScript(steps)};
  for (std::size_t i = 0; i < kFromSandbox.size(); ++i) {
    files.emplace_back(memfd_create(kFromSandbox[i], MFD_CLOEXEC));
    if (!files.back()) return Made::kFailed;
    request.passed.push_back({files.back().get(), static_cast<int>(i) + 3});
  }
  const auto finished = sandbox::RunToEnd(request);
  if (!finished) return Made::kFailed;
  const bool exited = finished->end.kind == sandbox::ProgramEnd::Kind::kExited;
  if (exited && finished->end.code == kNotTheSame) return Made::kNotForThisToolchain;
  if (!finished->end.succeeded()) return Made::kFailed;
  for (std::size_t i = 0; i < kFromSandbox.size(); ++i) {
    auto text = ReadMemoryFile(files[i].get());
    if (text && kFromSandbox[i] == std::string_view(kHeaderList)) text = DescribeHeaders(*text);
    if (!text || text->empty() || !WriteCacheFile(folder / kFromSandbox[i], *text)) return Made::kFailed;
  }
  return Made::kDone;
}

std::optional<std::string> DryRun(const Toolchain& toolchain, int sm) {
  sandbox::ProcessRequest request = ProbeRequest(toolchain);
  request.program = NvccCommand(toolchain, sm, kStepsSource, kStepsContract);
  request.program.insert(request.program.begin() + 1, "--dryrun");
  auto finished = sandbox::RunToEnd(request);
  if (!finished || !finished->end.succeeded()) return std::nullopt;
  return std::move(finished->output);
}

/// Fills a new folder; false if it is not to be kept.
bool FillFolder(const Toolchain& toolchain, int sm, const fs::path& folder) {
  const auto said = DryRun(toolchain, sm);
  if (!said || !WriteCacheFile(folder / kDryRun, *said)) return false;
  std::vector<std::string> names{kDryRun};
  if (const auto steps = ParseDryRun(*said)) {
    const Made made = MakeFiles(toolchain, *steps, folder);
    if (made == Made::kFailed) return false;
    if (made == Made::kDone) names.insert(names.end(), kFromSandbox.begin(), kFromSandbox.end());
  }
  return SealCacheEntry(folder, names);
}

bool IsUsable(const fs::path& folder) {
  return CacheEntryIsWhole(folder) && HeadersAreUnchanged(ReadCacheFile(folder / kHeaderList));
}

/// Makes the entry in the place of one that is damaged or out of date. True if a usable one is there
/// afterwards, whoever made it.
bool MakeFolderOf(const Toolchain& toolchain, int sm, const fs::path& cache, const fs::path& folder) {
  std::error_code code;
  fs::create_directories(cache, code);
  std::string fresh = (cache / "new-XXXXXX").string();
  if (!mkdtemp(fresh.data())) return false;
  if (FillFolder(toolchain, sm, fresh)) {
    if (!IsUsable(folder)) fs::remove_all(folder, code);
    // Where another process was faster, the rename fails, and its folder is the same.
    fs::rename(fresh, folder, code);
  }
  fs::remove_all(fresh, code);
  return IsUsable(folder);
}

std::optional<Prologue> ReadPrologue(const fs::path& folder) {
  for (const char* name : kFromSandbox) {
    if (access((folder / name).c_str(), R_OK) != 0) return std::nullopt;
  }
  auto steps = ParseDryRun(ReadCacheFile(folder / kDryRun));
  if (!steps) return std::nullopt;
  return Prologue{folder, std::move(*steps)};
}

/// What decides how the prologue is made. Its headers are not part of it: they are looked at when it is used.
std::string KeyOf(const Toolchain& toolchain, int sm) {
  Sha256 hash;
  hash.AddField(kFormat);
  hash.AddField(toolchain.Identity());
  for (const std::string& word : NvccCommand(toolchain, sm, kStepsSource, kStepsContract))
    hash.AddField(word);
  return hash.Finish();
}

}  // namespace

fs::path DefaultPrologueFolder() {
  const fs::path workers = DefaultCacheFolder();
  return workers.empty() ? workers : workers.parent_path() / "prologues";
}

std::optional<Prologue> FindPrologue(const Toolchain& toolchain, int sm, const fs::path& cache) {
  if (cache.empty()) return std::nullopt;
  // Submissions of a class are compiled side by side: the first makes it, and the others wait.
  static std::mutex mutex;
  static std::map<fs::path, std::optional<Prologue>> known;
  const std::lock_guard lock(mutex);
  const fs::path folder = cache / KeyOf(toolchain, sm);
  std::error_code code;
  if (auto found = known.find(folder); found != known.end() && fs::exists(folder, code)) return found->second;
  const bool is_there = IsUsable(folder) || MakeFolderOf(toolchain, sm, cache, folder);
  return known[folder] = is_there ? ReadPrologue(folder) : std::nullopt;
}

}  // namespace warplings
