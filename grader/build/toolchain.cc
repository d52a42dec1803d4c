// SPDX-License-Identifier: Apache-2.0
#include "grader/build/toolchain.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <sstream>
#include <system_error>

#include "grader/core/layout.h"
#include "grader/core/machine_tools.h"
#include "grader/messages/build.h"
#include "grader/sandbox/process.h"

namespace warplings {

namespace fs = std::filesystem;

namespace {

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool IsProgram(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

/// Where PyPI's compiler wheels put nvcc: site-packages/nvidia/cu13/bin, cu14 in time.
std::vector<fs::path> WheelFolders(const fs::path& root) {
  std::vector<fs::path> folders;
  std::error_code code;
  for (const auto& python : fs::directory_iterator(root / ".venv" / "lib", code)) {
    std::error_code inner;
    for (const auto& toolkit : fs::directory_iterator(python.path() / "site-packages" / "nvidia", inner)) {
      if (toolkit.path().filename().string().starts_with("cu")) folders.push_back(toolkit.path() / "bin");
    }
  }
  std::ranges::sort(folders, std::greater<>());  // The newest first.
  return folders;
}

/// How to make this tree look for its compiler again.
std::string SetUpAnew() {
  const Layout layout = ThisLayout();
  if (!layout.is_installed) return "rm -r build && ./warplings doctor";
  std::string files;
  for (const fs::path& file : MachineToolFiles(layout.build)) files += " " + file.string();
  return "rm -f" + files + " && warplings doctor";
}

Message CheckThatItRuns() {
  return say::check_that_nvcc_runs(SetUpAnew());
}

std::optional<fs::path> FindNvcc(const fs::path& root, const fs::path& default_toolkit) {
  if (auto found = FindOnPath("nvcc", Environment("PATH"))) return found;
  std::vector<fs::path> folders;
  if (std::string home = Environment("CUDA_HOME"); !home.empty()) folders.push_back(fs::path(home) / "bin");
  folders.push_back(default_toolkit / "bin");
  for (fs::path& folder : WheelFolders(root)) folders.push_back(std::move(folder));
  for (const fs::path& folder : folders) {
    if (IsProgram(folder / "nvcc")) return folder / "nvcc";
  }
  return std::nullopt;
}

std::string FileIdentity(const fs::path& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return path.string();
  std::ostringstream text;
  text << path.string() << ' ' << status.st_size << ' ' << status.st_mtim.tv_sec << '.'
       << status.st_mtim.tv_nsec;
  return text.str();
}

Result<sandbox::Finished> AskNvcc(const Toolchain& toolchain, const std::string& option) {
  sandbox::ProcessRequest request;
  request.policy = sandbox::CompilePolicy(toolchain.Folders());
  request.program = {toolchain.nvcc.string(), option};
  return sandbox::RunToEnd(request);
}

}  // namespace

std::optional<fs::path> FindOnPath(const std::string& name, const std::string& path_list) {
  std::istringstream folders(path_list);
  for (std::string folder; std::getline(folders, folder, ':');) {
    fs::path candidate = fs::path(folder) / name;
    if (candidate.is_absolute() && IsProgram(candidate)) return candidate;
  }
  return std::nullopt;
}

std::vector<fs::path> Toolchain::Folders() const {
  std::vector<fs::path> folders;
  if (toolkit != "/usr") folders.push_back(toolkit);
  // A compiler of its own prefix (/opt/gcc-13/bin/g++) needs that prefix; the system's is seen anyway.
  for (const fs::path& compiler : {host_compiler, linker}) {
    fs::path prefix = compiler.parent_path().parent_path();
    if (prefix != "/usr" && prefix != "/" && !std::ranges::count(folders, prefix)) folders.push_back(prefix);
  }
  return folders;
}

std::string Toolchain::ProgramFolders() const {
  return nvcc.parent_path().string() + ':' + host_compiler.parent_path().string() + ":/usr/bin:/bin";
}

std::string Toolchain::Identity() const {
  std::string identity =
      FileIdentity(nvcc) + '\n' + FileIdentity(host_compiler) + '\n' + FileIdentity(linker);
  const fs::path programs = nvcc.parent_path();
  for (const fs::path& part : {programs / "cudafe++", programs / "ptxas", programs / "fatbinary",
                               toolkit / "nvvm/bin/cicc", toolkit / "nvvm/libdevice/libdevice.10.bc"}) {
    identity += '\n' + FileIdentity(part);
  }
  return identity;
}

ConfiguredToolchain ThisTreesToolchain() {
  if (const Layout layout = ThisLayout(); layout.is_installed) {
    const MachineTools tools = ReadMachineTools(layout.build);
    return {tools.nvcc, tools.host_compiler, tools.linker, tools.cuda_major};
  }
  return {WARPLINGS_NVCC, WARPLINGS_HOST_COMPILER, WARPLINGS_LINKER, WARPLINGS_CUDA_MAJOR};
}

Status CheckNvccVersion(const Toolchain& toolchain, CompilerVersion version, int cuda_major) {
  const std::string found = std::to_string(version.major) + "." + std::to_string(version.minor);
  const std::string nvcc = toolchain.nvcc.string();
  if (version < kOldestNvcc)
    return GraderError(say::cuda_too_old(found, nvcc), say::install_cuda_first_on_path(SetUpAnew()));
  if (cuda_major == 0 || version.major == cuda_major) return Unit{};
  return GraderError(say::other_cuda_than_built_for(found, nvcc, cuda_major),
                     say::build_for_this_cuda(SetUpAnew()));
}

Result<Toolchain> FindToolchain(const fs::path& root, const ConfiguredToolchain& configured,
                                const fs::path& default_toolkit) {
  const bool as_configured = IsProgram(configured.nvcc);
  auto nvcc = as_configured ? configured.nvcc : FindNvcc(root, default_toolkit);
  if (!nvcc) {
    return GraderError(say::no_cuda_compiler(), say::install_cuda());
  }
  auto gpp = FindOnPath("g++", Environment("PATH") + ":/usr/bin");
  const auto configured_or_found = [&](const fs::path& path) {
    return IsProgram(path) ? path : gpp.value_or("");
  };
  std::error_code code;
  Toolchain toolchain;
  toolchain.nvcc = fs::canonical(*nvcc, code);
  if (code) return GraderError(say::cannot_read_because(nvcc->string(), code.message()));
  toolchain.toolkit = toolchain.nvcc.parent_path().parent_path();
  toolchain.host_compiler = configured_or_found(configured.host_compiler);
  toolchain.linker = configured_or_found(configured.linker);
  if (toolchain.host_compiler.empty() || toolchain.linker.empty()) {
    return GraderError(say::no_host_compiler(), say::install_host_compiler());
  }
  toolchain.cuda_major = configured.cuda_major;
  if (!as_configured && configured.cuda_major != 0) {
    auto version = AskNvccVersion(toolchain);
    if (!version) return version.error();
    if (auto fits = CheckNvccVersion(toolchain, *version, configured.cuda_major); !fits) return fits.error();
  }
  return toolchain;
}

std::optional<CompilerVersion> ParseNvccVersion(std::string_view text) {
  constexpr std::string_view kKey = "release ";
  std::size_t at = text.find(kKey);
  if (at == std::string_view::npos) return std::nullopt;
  const char* end = text.data() + text.size();
  CompilerVersion version;
  auto major = std::from_chars(text.data() + at + kKey.size(), end, version.major);
  if (major.ec != std::errc() || major.ptr == end || *major.ptr != '.') return std::nullopt;
  auto minor = std::from_chars(major.ptr + 1, end, version.minor);
  if (minor.ec != std::errc()) return std::nullopt;
  return version;
}

Result<CompilerVersion> AskNvccVersion(const Toolchain& toolchain) {
  auto finished = AskNvcc(toolchain, "--version");
  if (!finished) return finished.error();
  auto version = ParseNvccVersion(finished->output);
  if (!finished->end.succeeded() || !version) {
    return GraderError(say::nvcc_without_version(toolchain.nvcc.string()), CheckThatItRuns());
  }
  return *version;
}

Result<int> CudaMajor(const Toolchain& toolchain) {
  if (toolchain.cuda_major != 0) return toolchain.cuda_major;
  auto version = AskNvccVersion(toolchain);
  if (!version) return version.error();
  if (auto fits = CheckNvccVersion(toolchain, *version, 0); !fits) return fits.error();
  return version->major;
}

std::vector<int> ParseCapabilities(std::string_view text) {
  constexpr std::string_view kKey = "sm_";
  std::vector<int> capabilities;
  for (std::size_t at = text.find(kKey); at != std::string_view::npos; at = text.find(kKey, at + 1)) {
    int capability = 0;
    const char* start = text.data() + at + kKey.size();
    if (std::from_chars(start, text.data() + text.size(), capability).ec == std::errc()) {
      capabilities.push_back(capability);
    }
  }
  std::ranges::sort(capabilities);
  capabilities.erase(std::ranges::unique(capabilities).begin(), capabilities.end());
  return capabilities;
}

Result<std::vector<int>> AskCapabilities(const Toolchain& toolchain) {
  auto finished = AskNvcc(toolchain, "--list-gpu-code");
  if (!finished) return finished.error();
  std::vector<int> capabilities = ParseCapabilities(finished->output);
  if (!finished->end.succeeded() || capabilities.empty()) {
    return GraderError(say::nvcc_without_capabilities(toolchain.nvcc.string()), CheckThatItRuns());
  }
  return capabilities;
}

}  // namespace warplings
