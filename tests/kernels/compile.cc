// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/compile.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string_view>
#include <thread>

#include "tests/cli/run_program.h"

namespace warplings::kernels_test {
namespace {

namespace fs = std::filesystem;

/// FNV-1a, 64 bits: the cache is our own and nobody attacks it.
std::uint64_t HashOf(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (unsigned char c : text) hash = (hash ^ c) * 0x100000001b3u;
  return hash;
}

std::string InHex(std::uint64_t number) {
  char hex[17];
  std::snprintf(hex, sizeof hex, "%016llx", static_cast<unsigned long long>(number));
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

/// Of some two hundred programs, sixteen a batch. Twice as many at a time save a tenth of the whole, and make
/// the batch of a program that is being written slow.
constexpr std::size_t kBatches = 13;

/// By a hash of the name: a program that is added changes one batch, and not all that come after it.
std::size_t BatchOf(const KernelSource& source) {
  return HashOf(source.name) % kBatches;
}

/// The directives of `text` that begin with `start`, as lines.
std::vector<std::string> Directives(const std::string& text, std::string_view start) {
  std::vector<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(start)) found.push_back(line);
  }
  return found;
}

/// "TILE" of "#define TILE 16", "PADDED" of "#define PADDED(i) ...".
std::string MacroName(const std::string& directive) {
  const std::string rest = directive.substr(std::string_view("#define ").size());
  return rest.substr(0, rest.find_first_of(" ("));
}

}  // namespace

std::string BatchText(const std::vector<KernelSource>& batch) {
  // Headers come first, outside of namespaces; their guards keep them from being read once more inside.
  std::set<std::string> includes = {"#include <cstring>"};
  std::string programs, choice;
  for (const KernelSource& source : batch) {
    const std::string text = cli_test::ReadText(source.file);
    for (std::string& line : Directives(text, "#include ")) includes.insert(std::move(line));
    programs += "namespace " + source.name + " {\n#define main Main\n#include \"" + source.file.string() +
                "\"\n#undef main\n";
    for (const std::string& line : Directives(text, "#define "))
      programs += "#undef " + MacroName(line) + '\n';
    programs += "}\n";
    const std::string start = '"' + source.name + ".\"";
    choice += "  if (std::strncmp(name, " + start + ", sizeof(" + start + ") - 1) == 0) return " +
              source.name + "::Main();\n";
  }
  std::string whole;
  for (const std::string& line : includes) whole += line + '\n';
  return whole + programs +
         "int main(int, char** arguments) {\n"
         "  const char* name = std::strrchr(arguments[0], '/') + 1;\n" +
         choice + "  return 99;\n}\n";
}

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

std::map<fs::path, CompiledProgram> ProgramCache::CompileBatch(const Batch& batch) const {
  const std::string text = BatchText(batch);
  std::string content = common_ + text;
  for (const KernelSource& source : batch) content += cli_test::ReadText(source.file) + '\n';
  const std::string hash = InHex(HashOf(content));
  const fs::path program = cache_ / ("batch." + hash);
  std::map<fs::path, CompiledProgram> compiled;
  if (!fs::exists(program)) {
    const fs::path whole = program.string() + ".cu", unfinished = program.string() + ".part";
    std::ofstream(whole) << text;
    std::vector<std::string> command = command_;
    command.insert(command.end(), {whole.string(), "-o", unfinished.string()});
    const cli_test::ProgramRun run = cli_test::RunProgram(command);
    const std::string said = run.out + run.err;
    if (run.status != 0 || !said.empty()) {
      const std::string complaint = "nvcc ends with status " + std::to_string(run.status) + ":\n" + said;
      for (const KernelSource& source : batch) compiled[source.file] = {{}, complaint};
      return compiled;
    }
    fs::rename(unfinished, program);
  }
  for (const KernelSource& source : batch) {
    const fs::path name = cache_ / (source.name + "." + hash);
    if (!fs::exists(name)) fs::create_symlink(program.filename(), name);
    compiled[source.file] = {name, {}};
  }
  return compiled;
}

std::map<fs::path, CompiledProgram> ProgramCache::Compile(const std::vector<KernelSource>& all,
                                                          const std::set<fs::path>& wanted) const {
  std::vector<Batch> batches(kBatches);
  std::set<std::size_t> needed;
  for (const KernelSource& source : all) {
    batches[BatchOf(source)].push_back(source);
    if (wanted.contains(source.file)) needed.insert(BatchOf(source));
  }
  std::vector<std::map<fs::path, CompiledProgram>> compiled(kBatches);
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i; (i = next++) < kBatches;) {
      if (needed.contains(i)) compiled[i] = CompileBatch(batches[i]);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < std::max(2u, std::thread::hardware_concurrency()); ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  std::map<fs::path, CompiledProgram> by_source;
  for (auto& each : compiled) by_source.merge(each);
  return by_source;
}

}  // namespace warplings::kernels_test
