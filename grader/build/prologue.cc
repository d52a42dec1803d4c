// SPDX-License-Identifier: Apache-2.0
#include "grader/build/prologue.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <sstream>
#include <system_error>

#include "grader/base/replace.h"
#include "grader/base/sha256.h"
#include "grader/base/unique_fd.h"
#include "grader/build/worker_cache.h"
#include "grader/sandbox/process.h"

namespace warplings {

namespace fs = std::filesystem;

namespace {

/// Must change when the cached files or their format change.
constexpr const char* kFormat = "prologue 1";
/// What `nvcc --dryrun` said. Alone in its folder: there is no prologue for this nvcc.
constexpr const char* kDryRun = "dryrun";
/// The rest, in the order of the descriptors that the sandbox writes them to, from 3.
constexpr std::array kKept{"host.ii", "device.ii", "host.macros", "device.macros", "host.h", "host.h.gch"};

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
        << "[ -z \"$(LC_ALL=C comm -13 all own)\" ]\n"
        << "LC_ALL=C comm -23 all own > " << side << ".macros\n"
        << "sed -n '2,/^# 1 \"\\/contract\\//p' " << result << " | sed '$d' > " << side << ".ii\n"
        << quick.substr(0, quick.rfind(" -o ")) << " -o part\n"
        << "{ head -n 1 part; cat " << side << ".ii; sed -n '/^# 1 \"\\/contract\\//,$p' part; } | cmp -s - "
        << result << '\n';
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
  for (std::size_t i = 0; i < kKept.size(); ++i) script << "cat " << kKept[i] << " >&" << i + 3 << '\n';
  return script.str();
}

bool CopyToFile(int from, const fs::path& to) {
  struct stat status {};
  UniqueFd file(open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file || fstat(from, &status) != 0 || status.st_size == 0) return false;
  for (off_t at = 0; at < status.st_size;) {
    const ssize_t sent = sendfile(file.get(), from, &at, static_cast<std::size_t>(status.st_size - at));
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
  }
  return close(file.release()) == 0;
}

bool MakeFiles(const Toolchain& toolchain, const NvccSteps& steps, const fs::path& folder) {
  std::vector<UniqueFd> files;
  sandbox::ProcessRequest request = ProbeRequest(toolchain);
  request.program = {"/bin/sh", "-c", PrologueScript(steps)};
  for (std::size_t i = 0; i < kKept.size(); ++i) {
    files.emplace_back(memfd_create(kKept[i], MFD_CLOEXEC));
    if (!files.back()) return false;
    request.passed.push_back({files.back().get(), static_cast<int>(i) + 3});
  }
  const auto finished = sandbox::RunToEnd(request);
  if (!finished || !finished->end.succeeded()) return false;
  for (std::size_t i = 0; i < kKept.size(); ++i) {
    if (!CopyToFile(files[i].get(), folder / kKept[i])) return false;
  }
  return true;
}

std::optional<std::string> DryRun(const Toolchain& toolchain, int sm) {
  sandbox::ProcessRequest request = ProbeRequest(toolchain);
  request.program = NvccCommand(toolchain, sm, kStepsSource, kStepsContract);
  request.program.insert(request.program.begin() + 1, {"--dryrun", "--keep"});
  auto finished = sandbox::RunToEnd(request);
  if (!finished || !finished->end.succeeded()) return std::nullopt;
  return std::move(finished->output);
}

std::optional<std::string> ReadWhole(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string{std::istreambuf_iterator<char>(file), {}};
}

/// True if the folder is there afterwards, whoever made it.
bool MakeFolderOf(const Toolchain& toolchain, int sm, const fs::path& cache, const fs::path& folder) {
  const auto said = DryRun(toolchain, sm);
  std::error_code code;
  fs::create_directories(cache, code);
  std::string fresh = (cache / "new-XXXXXX").string();
  if (!said || !mkdtemp(fresh.data())) return false;
  std::ofstream(fs::path(fresh) / kDryRun, std::ios::binary) << *said;
  if (const auto steps = ParseDryRun(*said); steps && !MakeFiles(toolchain, *steps, fresh)) {
    for (const char* name : kKept) fs::remove(fs::path(fresh) / name, code);
  }
  // Where another process was faster, the rename fails, and its folder is the same.
  fs::rename(fresh, folder, code);
  if (code) fs::remove_all(fresh, code);
  return fs::exists(folder / kDryRun, code);
}

std::optional<Prologue> ReadPrologue(const fs::path& folder) {
  const auto said = ReadWhole(folder / kDryRun);
  if (!said) return std::nullopt;
  for (const char* name : kKept) {
    if (access((folder / name).c_str(), R_OK) != 0) return std::nullopt;
  }
  auto steps = ParseDryRun(*said);
  if (!steps) return std::nullopt;
  return Prologue{folder, std::move(*steps)};
}

/// What the prologue is made of, as far as it can be told without reading it: a toolkit that is replaced
/// replaces its nvcc, too, and a g++ that is replaced brings its headers.
std::string KeyOf(const Toolchain& toolchain, int sm) {
  Sha256 hash;
  hash.AddField(kFormat);
  hash.AddField(toolchain.Identity());
  for (const std::string& word : NvccCommand(toolchain, sm, kStepsSource, kStepsContract))
    hash.AddField(word);
  for (const char* header : {"/usr/include/features.h", "/usr/include/stdlib.h"}) {
    struct stat status {};
    stat(header, &status);
    hash.AddField(std::to_string(status.st_size) + ' ' + std::to_string(status.st_mtim.tv_sec));
  }
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
  const bool is_there = fs::exists(folder / kDryRun, code) || MakeFolderOf(toolchain, sm, cache, folder);
  return known[folder] = is_there ? ReadPrologue(folder) : std::nullopt;
}

}  // namespace warplings
