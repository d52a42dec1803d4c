// SPDX-License-Identifier: Apache-2.0
#include "grader/build/build_submission.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <system_error>
#include <variant>

#include "grader/base/read_file.h"
#include "grader/build/compile_steps.h"
#include "grader/build/diagnostics.h"
#include "grader/build/explain.h"
#include "grader/build/source_file.h"
#include "grader/build/worker_cache.h"
#include "grader/messages/build.h"

namespace warplings {

namespace fs = std::filesystem;

namespace {

using Stage = CompileOutput::Stage;

std::string ContractPath(const Exercise& exercise) {
  return "/contract/" + exercise.contract.filename().string();
}

PathNames NamesOutside(const BuildRequest& request) {
  const Exercise& exercise = *request.exercise;
  return {
      {SubmissionPath(request), request.display_name},
      {ContractPath(exercise), "chapters/" + exercise.chapter + "/" + exercise.contract.filename().string()}};
}

BuildOutcome Fail(BuildFault fault) {
  BuildOutcome outcome;
  outcome.verdict = fault.verdict;
  outcome.reason = std::move(fault.reason);
  outcome.next_step = std::move(fault.next_step);
  return outcome;
}

Result<std::string> ReadContract(const Exercise& exercise) {
  auto text = ReadFile(exercise.contract);
  if (!text) {
    return UsageError(say::cannot_read_contract(exercise.contract.string(), exercise.id),
                      say::restore_from_workbook());
  }
  return *std::move(text);
}

Message BuildAnew(const Layout& layout) {
  return layout.is_installed ? say::installation_incomplete() : say::build_with_ninja(layout.build.string());
}

Result<fs::path> FindArchive(const fs::path& path, const Layout& layout) {
  std::error_code code;
  fs::path real = fs::canonical(path, code);
  if (!code) return real;
  return GraderError(say::grader_part_missing(path.string()), BuildAnew(layout));
}

/// The compiler must not see the workbook; with one inside a folder of the toolchain it would.
Status CheckNothingShows(const Toolchain& toolchain, const Layout& layout) {
  sandbox::Policy policy = sandbox::CompilePolicy(toolchain.Folders());
  for (const sandbox::ReadOnlyBind& bind : policy.binds) {
    for (const fs::path& hidden : {layout.root, layout.build, ThisLayout().root}) {
      fs::path relative = hidden.lexically_relative(bind.source);
      if (relative.empty() || *relative.begin() == "..") continue;
      return GraderError(say::workbook_seen_by_compilers(bind.source.string()), say::move_workbook());
    }
  }
  return Unit{};
}

Result<CompileInput> GatherInput(const BuildRequest& request, const Layout& layout, std::string source) {
  const Exercise& exercise = *request.exercise;
  CompileInput input;
  input.source_path = SubmissionPath(request);
  input.source = std::move(source);
  input.contract_path = ContractPath(exercise);
  input.sm = request.sm;
  auto contract = ReadContract(exercise);
  if (!contract) return contract.error();
  input.contract = std::move(*contract);
  // Of this program's own tree: `layout` may name another workbook, which has no .venv.
  auto toolchain = FindToolchain(ThisLayout().root);
  if (!toolchain) return toolchain.error();
  if (auto hidden = CheckNothingShows(*toolchain, layout); !hidden) return hidden.error();
  input.toolchain = std::move(*toolchain);
  const auto cuda_major = CudaMajor(input.toolchain);
  if (!cuda_major) return cuda_major.error();
  auto entry = FindArchive(layout.EntryObject(exercise.chapter, exercise.id), layout);
  auto worker = FindArchive(layout.WorkerArchive(), layout);
  auto runtime = FindArchive(layout.RuntimeArchive(*cuda_major), layout);
  for (const auto* archive : {&entry, &worker, &runtime}) {
    if (!*archive) return archive->error();
  }
  input.entry_archive = *entry;
  input.worker_archive = *worker;
  input.runtime_archive = *runtime;
  return input;
}

/// "8.0", and "10.0" for 100.
std::string CapabilityName(int sm) {
  return std::to_string(sm / 10) + "." + std::to_string(sm % 10);
}

/// A wrong --device, if nvcc is too new or too old for it.
Status CheckCapability(const Toolchain& toolchain, const BuildRequest& request) {
  auto capabilities = AskCapabilities(toolchain);
  if (!capabilities) return capabilities.error();
  if (std::ranges::binary_search(*capabilities, request.sm)) return Unit{};
  std::string names;
  for (int each : *capabilities) names += (names.empty() ? "" : ", ") + CapabilityName(each);
  return UsageError(
      say::no_code_for_capability(request.device, CapabilityName(request.sm), toolchain.nvcc.string()),
      say::it_compiles_for(names));
}

/// The same compilation with a file of ours in the submission's place. It has no entry function: it may fail
/// to link.
Result<CompileOutput> CompileProbe(const CompileInput& failed) {
  CompileInput probe = failed;
  probe.source = "__global__ void probe() {}\n";
  return RunCompile(probe);
}

/// Whether this machine compiles anything at all. A submission whose compilation failed without a word
/// about its own lines may be the victim of a broken toolchain, and then it is not its fault.
Status CheckToolchainWorks(const CompileInput& failed) {
  auto output = CompileProbe(failed);
  if (!output) return output.error();
  if (output->failed_in == Stage::kDone || output->failed_in == Stage::kLink) return Unit{};
  auto version = AskNvccVersion(failed.toolchain);
  if (!version) return version.error();
  if (auto fits = CheckNvccVersion(failed.toolchain, *version, ThisTreesToolchain().cuda_major); !fits)
    return fits.error();
  std::string text = output->compiler_output.substr(0, output->compiler_output.find('\n'));
  return GraderError(say::compiler_broken_here(text), say::doctor_checks_compilers());
}

/// Compiles and links a small file of our own, to see whether our archives can be linked on this machine.
Status CheckLinkWorks(const CompileInput& failed, const Layout& layout) {
  auto probe = CompileProbe(failed);
  if (!probe) return probe.error();
  if (probe->failed_in == Stage::kSymbols) {
    return GraderError(say::object_file_unreadable(), say::install_binutils());
  }
  if (const std::string missing = FindMissingOfOurs(*probe); !missing.empty()) {
    return GraderError(say::parts_do_not_fit(missing), BuildAnew(layout));
  }
  if (probe->linker_output.find("cannot find -l") != std::string::npos) {
    return GraderError(say::no_static_library(), say::install_static_library());
  }
  return Unit{};
}

/// The first error is not about the student's file.
bool BeginsElsewhere(const std::vector<Diagnostic>& diagnostics, const std::string& file) {
  auto first = std::ranges::find(diagnostics, Severity::kError, &Diagnostic::severity);
  return first == diagnostics.end() || first->where.file != file;
}

/// A compiler gets none of these signals from what it compiles. Its messages are no evidence: a submission
/// can put any text into them.
bool WasEndedFromOutside(const sandbox::ProgramEnd& end) {
  return end.kind == sandbox::ProgramEnd::Kind::kSignalled &&
         (end.code == SIGTERM || end.code == SIGINT || end.code == SIGHUP || end.code == SIGQUIT);
}

Result<BuildOutcome> ExplainFailure(const CompileOutput& output, const CompileInput& input,
                                    const BuildRequest& request, const Layout& layout,
                                    const std::vector<Diagnostic>& diagnostics) {
  const Exercise& exercise = *request.exercise;
  bool exited = output.end.kind == sandbox::ProgramEnd::Kind::kExited;
  if (WasEndedFromOutside(output.end)) {
    return GraderError(say::compiler_ended_from_outside(sandbox::DescribeSignal(output.end.code)),
                       say::run_compiler_again());
  }
  if (exited && output.failed_in == Stage::kSymbols) {
    if (auto works = CheckLinkWorks(input, layout); !works) return works.error();
    return Fail({Verdict::kMemoryLimit, say::object_file_too_large(), say::look_for_huge_arrays()});
  }
  if (exited && output.failed_in == Stage::kLink) {
    if (auto fault = FindSymbolFault(output, input.source, exercise)) return Fail(std::move(*fault));
    if (auto works = CheckLinkWorks(input, layout); !works) return works.error();
    return Fail(ExplainLinkFailure(output.linker_output, input.source));
  }
  if (exited && BeginsElsewhere(diagnostics, request.display_name)) {
    if (auto known = CheckCapability(input.toolchain, request); !known) return known.error();
    if (auto works = CheckToolchainWorks(input); !works) return works.error();
  }
  return Fail(ExplainCompileFailure(output, diagnostics, input.source, exercise));
}

/// Moves the worker to where it can be executed: the cache, or a temporary file.
Status KeepWorker(const CompileOutput& output, const std::string& key, const WorkerCache& cache,
                  BuildOutcome& outcome) {
  std::optional<WorkerCache::Entry> entry;
  if (output.headers) {
    entry = cache.Insert(key, {.fd = output.worker.get(),
                               .bytes = output.worker_bytes,
                               .image = output.image,
                               .headers = *output.headers,
                               .compiler_output = output.compiler_output});
  }
  if (entry) {
    outcome.worker = std::move(entry->worker);
    return Unit{};
  }
  auto file = MakeTemporaryWorker(output.worker.get(), output.worker_bytes);
  if (!file) return file.error();
  outcome.worker = {file->path, output.image};
  outcome.worker_lifetime = file->lifetime;
  return Unit{};
}

Result<BuildOutcome> Compile(const BuildRequest& request, const Layout& layout, std::string source) {
  auto input = GatherInput(request, layout, std::move(source));
  if (!input) return input.error();
  const PathNames names = NamesOutside(request);
  const std::string key = input->CacheKey();
  const WorkerCache cache(request.use_cache ? DefaultCacheFolder() : fs::path());

  if (auto entry = cache.Find(key)) {
    BuildOutcome outcome;
    outcome.worker = entry->worker;
    outcome.from_cache = true;
    outcome.diagnostics = ParseDiagnostics(entry->compiler_output, names, input->source);
    outcome.compiler_output = RenamePaths(std::move(entry->compiler_output), names);
    return outcome;
  }

  if (request.use_cache) input->prologue = FindPrologue(input->toolchain, input->sm, DefaultPrologueFolder());
  auto output = RunCompile(*input);
  if (!output) return output.error();
  std::vector<Diagnostic> diagnostics = ParseDiagnostics(output->compiler_output, names, input->source);
  BuildOutcome outcome;
  if (output->failed_in != Stage::kDone) {
    auto failure = ExplainFailure(*output, *input, request, layout, diagnostics);
    if (!failure) return failure.error();
    outcome = std::move(*failure);
  } else if (auto fault = FindSymbolFault(*output, input->source, *request.exercise)) {
    outcome = Fail(std::move(*fault));
  } else if (auto kept = KeepWorker(*output, key, cache, outcome); !kept) {
    return kept.error();
  }
  outcome.diagnostics = std::move(diagnostics);
  outcome.compiler_output = RenamePaths(output->compiler_output + output->linker_output, names);
  return outcome;
}

}  // namespace

std::string SubmissionPath(const BuildRequest& request) {
  std::string name = request.file.filename().string();
  // nvcc hands names to a shell between double quotes.
  bool plain = std::ranges::none_of(name, [](unsigned char c) {
    return c < ' ' || c == 0x7F ||
           std::string_view("\"'`$\\!").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (name.empty() || name.size() > 200 || name[0] == '-' || name[0] == '.' || !plain)
    name = request.exercise->id + ".cu";
  return "/submission/" + name;
}

Result<BuildOutcome> BuildSubmission(const BuildRequest& request, const Layout& layout) {
  auto started = std::chrono::steady_clock::now();
  auto source = ReadSource(request.file, request.display_name);
  if (!source) return source.error();
  Result<BuildOutcome> outcome = [&]() -> Result<BuildOutcome> {
    if (auto* refused = std::get_if<RefusedSource>(&*source)) {
      return Fail({refused->verdict, refused->reason, refused->next_step});
    }
    return Compile(request, layout, std::move(std::get<std::string>(*source)));
  }();
  if (outcome) {
    outcome->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  }
  return outcome;
}

}  // namespace warplings
