// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/compile.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <thread>

#include "tests/cli/run_program.h"

namespace warplings::kernels_test {
namespace {

namespace fs = std::filesystem;

/// FNV-1a, 64 bits: the cache is our own and nobody attacks it.
std::string HashOf(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (unsigned char c : text) hash = (hash ^ c) * 0x100000001b3u;
  char hex[17];
  std::snprintf(hex, sizeof hex, "%016llx", static_cast<unsigned long long>(hash));
  return hex;
}

std::string HeadersIn(const fs::path& folder) {
  std::vector<fs::path> headers;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".h") headers.push_back(entry.path());
  }
  std::sort(headers.begin(), headers.end());
  std::string text;
  for (const fs::path& header : headers) text += cli_test::ReadText(header);
  return text;
}

}  // namespace

ProgramCache::ProgramCache(const fs::path& nvcc, const fs::path& host_compiler, const Layout& layout)
    : root_(layout.root), cache_(layout.build / "tests" / "kernels" / "programs") {
  // NVIDIA's wheels bring no libcudart.so to link with, and their nvcc does not find libcudadevrt, which no
  // program here needs.
  const fs::path runtime = layout.build / "grader" / "runtime";
  // ptxas of CUDA 12 warns of recursion, whose stack it cannot know; one program is about that.
  command_ = {nvcc.string(),
              "-ccbin",
              host_compiler.string(),
              "-std=c++17",
              "--extended-lambda",
              "-cudart",
              "shared",
              "-cudadevrt",
              "none",
              "-L",
              runtime.string(),
              "-lineinfo",
              "-Xptxas",
              "-suppress-stack-size-warning",
              "-gencode",
              "arch=compute_80,code=[compute_80,sm_80]",
              "-I",
              root_.string()};
  for (const std::string& word : command_) common_ += word + '\n';
  common_ += cli_test::RunProgram({nvcc.string(), "--version"}).out + HeadersIn(root_ / "tests" / "kernels");
  fs::create_directories(cache_);
}

CompiledProgram ProgramCache::CompileOne(const fs::path& source) const {
  const std::string hash = HashOf(common_ + source.string() + '\n' + cli_test::ReadText(source));
  const fs::path program = cache_ / (source.stem().string() + "." + hash);
  if (fs::exists(program)) return {program, {}};
  const fs::path unfinished = program.string() + ".part";
  std::vector<std::string> command = command_;
  command.insert(command.end(), {source.string(), "-o", unfinished.string()});
  const cli_test::ProgramRun run = cli_test::RunProgram(command);
  const std::string said = run.out + run.err;
  if (run.status != 0 || !said.empty()) {
    return {{}, "nvcc ends with status " + std::to_string(run.status) + ":\n" + said};
  }
  fs::rename(unfinished, program);
  return {program, {}};
}

std::map<fs::path, CompiledProgram> ProgramCache::Compile(const std::vector<fs::path>& sources) const {
  std::vector<CompiledProgram> compiled(sources.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i; (i = next++) < sources.size();) compiled[i] = CompileOne(sources[i]);
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < std::max(2u, std::thread::hardware_concurrency()); ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  std::map<fs::path, CompiledProgram> by_source;
  for (std::size_t i = 0; i < sources.size(); ++i) by_source[sources[i]] = std::move(compiled[i]);
  return by_source;
}

}  // namespace warplings::kernels_test
