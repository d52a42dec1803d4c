// SPDX-License-Identifier: Apache-2.0
#include "grader/build/health_check.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <system_error>

#include "grader/build/worker_cache.h"
#include "grader/messages/build.h"
#include "grader/sandbox/bubblewrap.h"
#include "grader/sandbox/process.h"
#include "grader/sandbox/seccomp_filter.h"

namespace warplings {

namespace fs = std::filesystem;

namespace {

using State = HealthRow::State;

HealthRow Ok(std::string name, Message detail) {
  return {std::move(name), State::kOk, std::move(detail), ""};
}

HealthRow Fail(std::string name, Message detail, Message next_step) {
  return {std::move(name), State::kFail, std::move(detail), std::move(next_step)};
}

HealthRow Fail(std::string name, const Error& error) {
  return Fail(std::move(name), error.message, error.next_step);
}

std::string FirstLineOf(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

/// Runs a shell command where compilers run.
Result<sandbox::Finished> RunInSandbox(const Toolchain& toolchain, const std::string& command) {
  sandbox::ProcessRequest request;
  request.policy = sandbox::CompilePolicy(toolchain.Folders());
  request.policy.environment.emplace_back("PATH", toolchain.ProgramFolders());
  request.program = {"/bin/sh", "-c", command};
  return sandbox::RunToEnd(request);
}

HealthRow CheckNvcc(const Toolchain& toolchain, int cuda_major) {
  auto version = AskNvccVersion(toolchain);
  if (!version) return Fail("nvcc", version.error());
  std::string text = std::to_string(version->major) + "." + std::to_string(version->minor);
  if (auto fits = CheckNvccVersion(toolchain, *version, cuda_major); !fits) return Fail("nvcc", fits.error());
  return Ok("nvcc", say::version_and_place(text, toolchain.nvcc.string()));
}

/// A command whose success is the check; `found` is what a success proves.
HealthRow CheckCommand(const std::string& name, const Toolchain& toolchain, const std::string& command,
                       const Message& found, const Message& next_step) {
  auto finished = RunInSandbox(toolchain, command);
  if (!finished) return Fail(name, finished.error());
  if (finished->end.succeeded())
    return Ok(name, found.empty() ? Message(FirstLineOf(finished->output)) : found);
  std::string said = FirstLineOf(finished->output);
  return Fail(name, said.empty() ? say::does_not_run() : Message(said), next_step);
}

fs::file_time_type NewestSource(const fs::path& folder) {
  fs::file_time_type newest = fs::file_time_type::min();
  std::error_code code;
  for (fs::recursive_directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
    fs::path extension = at->path().extension();
    if (extension != ".cc" && extension != ".h" && extension != ".build" && extension != ".toml") continue;
    std::error_code ignored;
    fs::file_time_type time = at->last_write_time(ignored);
    if (!ignored) newest = std::max(newest, time);
  }
  return newest;
}

std::vector<fs::path> NeededParts(const Layout& layout, const Workbook& workbook) {
  std::vector<fs::path> parts = {layout.DeviceProgram(), layout.WorkerArchive()};
  const int configured = ThisTreesToolchain().cuda_major;
  for (const int major : {12, 13}) {
    if (layout.is_installed || configured == major) parts.push_back(layout.RuntimeArchive(major));
  }
  // In a tree that the launcher builds, a suite may well be missing: it is built when its exercise is first
  // checked.
  std::error_code ignored;
  if (fs::exists(layout.LauncherStamp("check"), ignored)) return parts;
  for (const Chapter& chapter : workbook.chapters) {
    for (const Exercise& exercise : chapter.exercises) {
      parts.push_back(layout.SuiteProgram(exercise.chapter, exercise.id));
      parts.push_back(layout.EntryObject(exercise.chapter, exercise.id));
    }
  }
  return parts;
}

}  // namespace

std::vector<HealthRow> CheckSandbox() {
  auto bwrap = sandbox::FindBubblewrap();
  if (!bwrap) return {Fail("bubblewrap", bwrap.error())};
  std::vector<HealthRow> rows = {Ok("bubblewrap", bwrap->string())};

  auto filter = sandbox::MakeSeccompFilter(sandbox::SeccompProfile::kWorker);
  rows.push_back(filter ? Ok("system call filter", say::libseccomp_makes_one())
                        : Fail("system call filter", filter.error()));

  sandbox::ProcessRequest request;
  request.policy = sandbox::CompilePolicy({});
  request.program = {"/bin/sh", "-c", "exit 0"};
  auto finished = sandbox::RunToEnd(request);
  const char* name = "sandbox";
  if (!finished) {
    rows.push_back(Fail(name, finished.error()));
  } else if (!finished->end.succeeded()) {
    rows.push_back(Fail(name, say::no_shell_in_sandbox(FirstLineOf(finished->output)), say::check_shell()));
  } else {
    rows.push_back(Ok(name, geteuid() == 0 ? say::sandbox_runs_as_root() : say::sandbox_runs_as_user()));
  }
  return rows;
}

std::vector<HealthRow> CheckCompilers(const fs::path& root, const ConfiguredToolchain& configured) {
  auto toolchain = FindToolchain(root, configured);
  if (!toolchain) return {Fail("compilers", toolchain.error())};
  std::string host = "'" + toolchain->host_compiler.string() + "'";
  std::string linker = "'" + toolchain->linker.string() + "'";
  return {
      CheckNvcc(*toolchain, configured.cuda_major),
      CheckCommand("ptxas", *toolchain, "ptxas --version", say::prints_its_version(),
                   say::reinstall_toolkit()),
      CheckCommand("host compiler", *toolchain, host + " --version", {}, say::install_host_compiler()),
      CheckCommand("static libraries", *toolchain,
                   "echo '#include <iostream>\nint main() { std::cout << 1; }' | " + linker +
                       " -static -x c++ - -o a && ./a",
                   say::static_program_runs(), say::install_static_libraries()),
      CheckCommand("CUDA compilation", *toolchain,
                   "echo '__global__ void k(float* p) { p[threadIdx.x] = 1; }' > k.cu && nvcc -c -ccbin " +
                       host + " -gencode 'arch=compute_80,code=[compute_80,sm_80]' k.cu -o k.o",
                   say::kernel_compiles(), say::look_at_versions()),
  };
}

HealthRow CheckCache() {
  const char* name = "cache";
  const Message next_step = say::builds_are_slower();
  fs::path folder = DefaultCacheFolder();
  if (folder.empty()) return {name, State::kWarn, say::no_cache_folder_named(), next_step};
  std::error_code code;
  fs::create_directories(folder, code);
  std::string probe = (folder / "probe-XXXXXX").string();
  int fd = code ? -1 : mkstemp(probe.data());
  if (fd < 0) return {name, State::kWarn, say::cache_not_writable(folder.string()), next_step};
  bool wrote = write(fd, "x", 1) == 1;
  close(fd);
  unlink(probe.c_str());
  if (!wrote) return {name, State::kWarn, say::disk_of_cache_full(folder.string()), next_step};
  return Ok(name, folder.string());
}

HealthRow CheckBuiltTree(const Layout& layout, const Workbook& workbook) {
  const char* name = "build";
  const Message rebuild =
      layout.is_installed ? say::installation_incomplete() : say::build_with_ninja(layout.build.string());
  for (const fs::path& part : NeededParts(layout, workbook)) {
    std::error_code ignored;
    if (!fs::exists(part, ignored)) {
      return Fail(name, say::file_is_missing(part.lexically_relative(layout.build).string()), rebuild);
    }
  }
  if (layout.is_installed) return Ok(name, layout.build.string());
  std::error_code code;
  // Ninja writes its log whenever it has built something.
  fs::file_time_type built = fs::last_write_time(layout.build / ".ninja_log", code);
  fs::file_time_type newest =
      std::max(NewestSource(layout.root / "grader"), NewestSource(layout.root / "chapters"));
  if (!code && newest > built) {
    return {name, State::kWarn, say::source_younger_than_build(), rebuild};
  }
  return Ok(name, layout.build.string());
}

}  // namespace warplings
