// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/virtual_gpu.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <thread>
#include <utility>

#include "grader/base/usable_memory.h"
#include "grader/device/model/backend.h"
#include "grader/device/model/memory_refusals.h"
#include "grader/device/texture_descriptor.h"
#include "grader/fatbin/device_names.h"
#include "grader/messages/device.h"
#include "grader/messages/findings.h"
#include "grader/messages/report.h"
#include "grader/virtual_gpu/checks/fault_reporter.h"
#include "grader/virtual_gpu/child_launches.h"
#include "grader/virtual_gpu/counters/access_log.h"
#include "grader/virtual_gpu/counters/footprint.h"
#include "grader/virtual_gpu/counters/launch_work.h"
#include "grader/virtual_gpu/counters/profile.h"
#include "grader/virtual_gpu/isa/engine.h"
#include "grader/virtual_gpu/launch_summary.h"
#include "grader/virtual_gpu/loaded_kernel.h"
#include "grader/virtual_gpu/loaded_module.h"
#include "grader/virtual_gpu/machine/context.h"
#include "grader/virtual_gpu/memory/access_map.h"
#include "grader/virtual_gpu/memory/partly_stored.h"
#include "grader/virtual_gpu/memory/race_shadow.h"
#include "grader/virtual_gpu/memory/unread_results.h"
#include "grader/virtual_gpu/memory/unset_bytes.h"
#include "grader/virtual_gpu/memory/watched_arrays.h"
#include "grader/virtual_gpu/past_launches.h"
#include "grader/virtual_gpu/resident_blocks.h"

namespace warplings {
namespace vgpu {
namespace {

/// Limit on what the kernels of one run print; 1 MiB is also the size of the buffer on hardware.
constexpr std::size_t kMaximumPrinted = std::size_t{1} << 20;
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "it is set in a signal handler");

/// A launch that takes less is done before threads are there, each with memory of its own; and where as many
/// submissions are checked as the machine has cores, they only get in each other's way.
constexpr std::chrono::milliseconds kWorthThreads{5};

/// Of the limit on a card's memory, for what PastLaunches keeps.
constexpr std::uint64_t kPartForCopies = 4;

CudaFault Fault(CudaError code, Message message) {
  return {code, std::move(message)};
}

/// What is not counted could break any limit.
Finding TooManyLaunches() {
  Finding finding;
  finding.kind = FindingKind::kInvalidLaunch;
  finding.message = say::too_many_launches(Observed::kMaximumLaunches);
  return finding;
}

class VirtualGpu final : public Backend {
 public:
  VirtualGpu(const DeviceProfile& profile, std::unique_ptr<GlobalMemory> memory,
             std::shared_ptr<RaceShadow> races, unsigned host_threads, const VirtualGpuOptions& options)
      : profile_(profile),
        memory_(std::move(memory)),
        races_(std::move(races)),
        engine_(BestEngine()),
        host_threads_(host_threads),
        threads_after_(options.host_threads ? std::chrono::milliseconds{0} : kWorthThreads),
        recognise_patterns_(options.recognise_patterns),
        progress_(options.progress),
        past_(memory_->limit_bytes() / kPartForCopies) {}

  // --- Modules.

  CudaResult<std::unique_ptr<Module>> Load(ClientId client, std::span<const std::byte> fatbin) override {
    auto module = LoadFatbin(client, fatbin, profile_, *memory_);
    if (!module) {
      AddUnsupported(module.error().message);
      return module.error();
    }
    return std::unique_ptr<Module>(std::move(*module));
  }

  CudaResult<std::unique_ptr<Backend::Kernel>> FindKernel(Module& module, std::string_view name) override {
    auto& loaded = static_cast<LoadedModule&>(module);
    const auto function = std::find_if(loaded.ptx.functions.begin(), loaded.ptx.functions.end(),
                                       [&](const ptx::Function& f) { return f.is_entry && f.name == name; });
    if (function == loaded.ptx.functions.end()) {
      return Fault(CudaError::kInvalidDeviceFunction, say::program_has_no_kernel(std::string(name)));
    }
    auto kernel = MakeKernel(loaded, *function);
    if (!kernel) return kernel.error();
    return std::unique_ptr<Backend::Kernel>(std::move(*kernel));
  }

  CudaResult<VariableInfo> FindVariable(Module& module, std::string_view name) override {
    const auto& variables = static_cast<const LoadedModule&>(module).variables;
    auto variable = variables.find(name);
    if (variable == variables.end()) {
      return Fault(CudaError::kInvalidSymbol, say::program_has_no_variable(std::string(name)));
    }
    return variable->second;
  }

  // --- Memory.

  CudaResult<Allocation> Reserve(std::uint64_t bytes, AllocationKind kind) override {
    auto region = memory_->Allocate(bytes, kind);
    if (!region) return region.error();
    return Allocation{(*region)->start, bytes, (*region)->shared_fd, (*region)->mapped_bytes};
  }

  CudaStatus Release(DevicePointer address) override {
    TellLostResult(address);
    results_.Release(address);
    TellPartlyStored(address);
    return memory_->Free(address);
  }

  CudaStatus SetPresent(DevicePointer address, bool present) override {
    return memory_->SetPresent(address, present);
  }

  CudaStatus SetLabel(DevicePointer address, std::string_view label) override {
    Region* region = memory_->FindMutable(address);
    if (!region) return NotLiveMemory();
    region->label = label;
    return Unit{};
  }

  CudaStatus MarkUninitialised(DevicePointer address, std::uint64_t bytes) override {
    if (!memory_->Contains(address, bytes)) return OutOfRange(address, bytes);
    memory_->SetInitialised(address, bytes, false);
    NoteWrite(address);
    return Unit{};
  }

  MemoryInfo GetMemoryInfo() override {
    const std::uint64_t total = profile_.global_memory_bytes;
    return {total - std::min(total, memory_->used_bytes()), total};
  }

  CudaStatus SetPeerAccess(std::size_t card, bool on) override {
    if (memory_->SetPeerAccess(card, on)) return Unit{};
    return on ? Fault(CudaError::kPeerAccessAlreadyEnabled, "Peer access is already enabled.")
              : Fault(CudaError::kPeerAccessNotEnabled, "Peer access is not enabled.");
  }
  void EndPeerAccess() override { memory_->EndPeerAccess(); }

  void FreeHeapOf(ClientId client) override { memory_->FreeHeapOf(client); }

  // --- Work.

  CudaStatus Copy(std::uint64_t target, std::uint64_t source, std::uint64_t bytes, CopyKind kind) override {
    switch (kind) {
      case CopyKind::kToDevice: return CopyIn(target, HostPointer(source), bytes);
      case CopyKind::kToHost: return CopyOut(HostPointer(target), source, bytes);
      case CopyKind::kWithinDevice: return CopyWithin(target, source, bytes);
    }
    return Fault(CudaError::kInvalidMemcpyDirection, say::copy_of_no_kind());
  }

  CudaStatus Fill(DevicePointer target, std::uint8_t value, std::uint64_t bytes) override {
    if (!memory_->AnyCardContains(target, bytes)) return OutOfRange(target, bytes);
    std::memset(HostPointer(target), value, bytes);
    memory_->SetInitialised(target, bytes, true);
    NoteWrite(target);
    results_.Forget(*memory_, target);
    partly_stored_.Forget(*memory_, target);
    watched_.NoteFill(target, bytes);
    return Unit{};
  }

  CudaStatus Launch(Backend::Kernel& kernel, const LaunchRequest& request) override {
    return Execute(static_cast<const LoadedKernel&>(kernel), request);
  }

  void NoteLimits(const Backend::Kernel& kernel) override {
    const auto& loaded = static_cast<const LoadedKernel&>(kernel);
    loaded.module->max_dynamic_shared[loaded.program->name] = kernel.limits.max_dynamic_shared;
  }
  void LimitPendingLaunches(std::uint64_t launches) override { pending_launches_.pending = launches; }

  // --- Time.

  /// Kernels run when they are launched. What went wrong in one is said by the next call that waits.
  CudaStatus Wait() override {
    if (auto error = std::exchange(error_, std::nullopt)) return *error;
    return Unit{};
  }
  double Seconds() override { return seconds_; }

  // --- Observation.

  void SetObservation(const ObservationOptions& options) override {
    observation_ = options;
    memory_->BeginObservation();
    past_.Clear();
    if (options.arrays) {
      watched_.Start(*memory_);
    } else {
      watched_.Stop();
    }
  }
  std::optional<NamedArray> FindArray(DevicePointer address) override {
    const Region* region = memory_->Find(address);
    if (region == nullptr) return std::nullopt;
    return NamedArray{region->start, region->bytes, NameOf(*region, GridRequest{}), region->is_shared};
  }
  void RecordAccesses(LaunchAccesses* accesses) override { recorded_ = accesses; }
  std::vector<DevicePointer> TakeHostArrays() override { return std::exchange(host_arrays_, {}); }
  void Complete(Observed::Part part) override {
    switch (part) {
      case Observed::Part::kFindings:
        interrupted = false;
        TellUnsetCopies();
        for (Finding& lost : std::exchange(lost_results_, {})) observed.Add(std::move(lost));
        break;
      case Observed::Part::kLaunches: kept_accesses_ = 0; break;
      case Observed::Part::kArrayWriters: observed.array_writers = watched_.ListWriters(); break;
      case Observed::Part::kProfile: observed.profile = counts_.Take(); break;
      case Observed::Part::kPrinted: break;
    }
  }

 private:
  CudaResult<std::unique_ptr<LoadedKernel>> MakeKernel(LoadedModule& loaded, const ptx::Function& function) {
    SourceLine refused_at;
    auto program = Decode(engine_, loaded.ptx, function, loaded.symbols, refused_at, loaded.may_launch);
    if (!program) {
      AddUnsupported(program.error().message, fatbin::DemangledName(function.name), refused_at);
      return Fault(CudaError::kInvalidPtx, program.error().message);
    }
    auto kernel = std::make_unique<LoadedKernel>();
    kernel->module = &loaded;
    kernel->client = loaded.client;
    kernel->program = std::move(program).value();
    if (auto resources = loaded.resources_of.find(function.name); resources != loaded.resources_of.end()) {
      kernel->resources = resources->second;
      kernel->has_resources = true;
    }
    DescribeKernel(*kernel, profile_);
    return kernel;
  }

  /// The kernel at the address that the module's kernels know it by.
  CudaResult<const LoadedKernel*> KernelAt(LoadedModule& loaded, std::uint64_t address) {
    const std::uint64_t index = (address - kFunctionBase) / kFunctionStride;
    const bool is_kernel = address >= kFunctionBase && (address - kFunctionBase) % kFunctionStride == 0 &&
                           index < loaded.ptx.functions.size() && loaded.ptx.functions[index].is_entry;
    if (!is_kernel) return Fault(CudaError::kInvalidDeviceFunction, say::launches_no_kernel_here());
    std::unique_ptr<LoadedKernel>& known = loaded.launched[index];
    if (!known) {
      auto made = MakeKernel(loaded, loaded.ptx.functions[index]);
      if (!made) return made.error();
      known = std::move(*made);
      known->info.id = next_launched_kernel_++;
    }
    if (const auto set = loaded.max_dynamic_shared.find(known->program->name);
        set != loaded.max_dynamic_shared.end())
      known->limits.max_dynamic_shared = set->second;
    return static_cast<const LoadedKernel*>(known.get());
  }

  CudaStatus CopyIn(DevicePointer target, const std::byte* source, std::uint64_t bytes) {
    if (!memory_->AnyCardContains(target, bytes)) return OutOfRange(target, bytes);
    if (bytes != 0) std::memcpy(HostPointer(target), source, bytes);
    memory_->SetInitialised(target, bytes, true);
    NoteWrite(target);
    results_.Overwrite(*memory_, target, bytes);
    partly_stored_.Forget(*memory_, target);
    watched_.NoteCopyIn(target, bytes);
    return Unit{};
  }

  CudaStatus CopyOut(std::byte* target, DevicePointer source, std::uint64_t bytes) {
    if (auto done = Wait(); !done) return done;
    if (!memory_->AnyCardContains(source, bytes)) return OutOfRange(source, bytes);
    if (bytes != 0) std::memcpy(target, HostPointer(source), bytes);
    watched_.NoteHostRead();
    if (results_.Read(*memory_, source, bytes)) lost_results_.clear();
    NoteUnsetBytes(source, bytes);
    return Unit{};
  }

  /// Of memory that the host allocated: with checks that know what kernels store.
  void NoteUnsetBytes(DevicePointer source, std::uint64_t bytes) {
    const Region* region = memory_->Find(source);
    for (UnsetCopy& copy : unset_copies_) {
      if (region != nullptr && region->start == copy.region && !copy.is_freed)
        copy.is_copied_again |= !copy.stored_by.empty();
    }
    const bool is_known = observation_.missing_waits && observation_.checks && observation_.access_checks;
    if (!is_known || bytes == 0 || region == nullptr || region->is_variable || region->is_shared ||
        region->is_foreign || region->is_on_heap)
      return;
    const auto unset = FindUnsetBytes(*memory_, source, bytes);
    if (!unset) return;
    const std::uint64_t offset = source - region->start;
    // A long copy comes in pieces.
    UnsetCopy* before = unset_copies_.empty() ? nullptr : &unset_copies_.back();
    const bool goes_on = before != nullptr && before->region == region->start && before->end == offset &&
                         before->unset.last + 1 == offset && unset->first == 0 && !before->is_freed;
    if (goes_on) {
      before->unset.last = offset + unset->last;
      before->unset.count += unset->count;
      before->is_all_unset = before->is_all_unset && unset->count == bytes;
      before->end = offset + bytes;
      return;
    }
    if (unset_copies_.size() == Observed::kMaximumFindings) return;
    unset_copies_.push_back({region->start,
                             offset + bytes,
                             NameOf(*region, GridRequest{}),
                             region->bytes,
                             {offset + unset->first, offset + unset->last, unset->count},
                             unset->count == bytes});
  }

  /// After such a launch: what a library's kernel leaves is the library's own affair.
  void NoteResults(const std::optional<UnreadResults::Touched>& touched, const GridRequest& grid) {
    const std::string& kernel = grid.program->plain_name;
    const bool is_of_library = kernel.starts_with("cub::") || kernel.starts_with("thrust::");
    results_.Note(*memory_, touched, kernel, [&](const Region& region) { return NameOf(region, grid); });
    if (!touched || !is_of_library) return;
    for (const DevicePointer start : touched->written) results_.Forget(*memory_, start);
  }

  /// After a launch that wrote these arrays, as far as they are known.
  void NoteStores(const std::optional<UnreadResults::Touched>& touched, const std::string& kernel) {
    for (UnsetCopy& copy : unset_copies_) {
      if (!touched || copy.is_freed || !copy.stored_by.empty()) continue;
      if (std::ranges::count(touched->written, copy.region) == 0) continue;
      const std::uint64_t bytes = copy.unset.last + 1 - copy.unset.first;
      const auto unset = FindUnsetBytes(*memory_, copy.region + copy.unset.first, bytes);
      if (!unset || unset->count < copy.unset.count) copy.stored_by = kernel;
    }
  }
  void TellUnsetCopies() {
    for (const UnsetCopy& copy : std::exchange(unset_copies_, {})) {
      Finding finding;
      finding.kind = FindingKind::kUninitialised;
      finding.severity = Severity::kWarning;
      finding.space = MemorySpace::kGlobal;
      finding.object = copy.object;
      finding.object_bytes = static_cast<std::int64_t>(copy.object_bytes);
      const auto& [first, last, count] = copy.unset;
      if (copy.IsTooEarly()) {
        const auto& row = copy.is_copied_again ? say::copied_before_and_after : say::copied_before_stored;
        finding.kernel = copy.stored_by;
        finding.message = row(copy.object, say::in_kernel(copy.stored_by));
        observed.Add(std::move(finding));
        continue;
      }
      finding.message = count == last + 1 - first
                            ? say::bytes_copied_unset(say::Range(first, last), copy.object)
                            : say::some_bytes_copied_unset(say::Range(first, last), copy.object, count);
      observed.Add(std::move(finding));
    }
  }

  /// Results that a kernel stored in memory which is freed now: a note, if nobody has looked at them. It
  /// waits for the end: a later copy of other results shows that these are none.
  void TellLostResult(DevicePointer address) {
    const auto unread = results_.Take(address);
    bool is_copied_too_early = false;
    for (UnsetCopy& copy : unset_copies_) {
      if (copy.region != address || copy.is_freed) continue;
      is_copied_too_early |= copy.IsTooEarly();
      copy.is_freed = true;
    }
    const Region* region = memory_->Find(address);
    const bool is_known = observation_.missing_waits && observation_.checks && observation_.access_checks;
    if (!unread || is_copied_too_early || !is_known || region == nullptr) return;
    if (unread->copied != 0) return TellResultInPart(*region, *unread);
    Finding finding;
    finding.kind = FindingKind::kLeak;
    finding.severity = Severity::kWarning;
    finding.space = MemorySpace::kGlobal;
    finding.kernel = unread->kernel;
    finding.object = NameOf(*region, GridRequest{});
    finding.object_bytes = static_cast<std::int64_t>(region->bytes);
    const bool is_overwritten = unread->overwritten == region->bytes;
    const auto& row = is_overwritten ? say::result_overwritten : say::result_lost;
    finding.message = row(unread->kernel, finding.object);
    if (is_overwritten) {
      observed.Add(std::move(finding));
      return;
    }
    if (unread->has_other_result) return;
    if (!unread->object.empty()) finding.object = unread->object;
    if (lost_results_.size() < Observed::kMaximumFindings) lost_results_.push_back(std::move(finding));
  }

  /// A copy of as many bytes as there may be elements, of an array whose rest has been stored, too.
  void TellResultInPart(const Region& region, const UnreadResults::Unread& unread) {
    constexpr std::uint64_t kElementBytes[] = {2, 4, 8, 16};
    const auto may_be = [&](std::uint64_t bytes) { return unread.copied * bytes == region.bytes; };
    if (std::ranges::none_of(kElementBytes, may_be)) return;
    if (FindUnsetBytes(*memory_, region.start + unread.copied, region.bytes - unread.copied)) return;
    Finding finding;
    finding.kind = FindingKind::kLeak;
    finding.severity = Severity::kWarning;
    finding.space = MemorySpace::kGlobal;
    finding.kernel = unread.kernel;
    finding.object = NameOf(region, GridRequest{});
    finding.object_bytes = static_cast<std::int64_t>(region.bytes);
    finding.message = say::result_copied_in_part(unread.copied, region.bytes, finding.object);
    observed.Add(std::move(finding));
  }

  void NoteStoresOfHost(const std::optional<std::vector<PartlyStored::Touched>>& touched,
                        const GridRequest& grid) {
    partly_stored_.Note(*memory_, touched, grid.program->plain_name,
                        [&](const Region& region) { return NameOf(region, grid); });
  }

  /// An array of the host's that kernels stored in part: a note, before it is freed.
  void TellPartlyStored(DevicePointer address) {
    const auto part = partly_stored_.Take(*memory_, address);
    const bool is_known = observation_.missing_waits && observation_.checks && observation_.access_checks;
    if (!part || !is_known) return;
    Finding finding;
    finding.kind = FindingKind::kUninitialised;
    finding.severity = Severity::kWarning;
    finding.space = MemorySpace::kGlobal;
    finding.kernel = part->kernel;
    finding.object = part->array;
    finding.object_bytes = static_cast<std::int64_t>(part->bytes);
    finding.message =
        say::bytes_stored_only(say::Range(0, part->stored - 1), part->array, say::Count(part->bytes, "byte"));
    observed.Add(std::move(finding));
  }

  CudaStatus CopyWithin(DevicePointer target, DevicePointer source, std::uint64_t bytes) {
    if (!memory_->AnyCardContains(target, bytes)) return OutOfRange(target, bytes);
    if (!memory_->AnyCardContains(source, bytes)) return OutOfRange(source, bytes);
    std::memmove(HostPointer(target), HostPointer(source), bytes);
    CopyShadow(target, source, bytes);
    NoteWrite(target);
    results_.Forget(*memory_, source);
    results_.Forget(*memory_, target);
    results_.NoteResult(*memory_, target);
    partly_stored_.Forget(*memory_, target);
    watched_.NoteCopyWithin(target, bytes);
    return Unit{};
  }

  void NoteWrite(DevicePointer target) {
    memory_->NoteWrite(target);
    NoteDescriptor(target);
  }

  /// Kernels read the descriptors of textures and surfaces without an access that is noted. So what earlier
  /// launches did is forgotten when memory changes that might be one, by its size.
  void NoteDescriptor(DevicePointer changed) {
    const Region* region = memory_->Find(changed);
    if (region == nullptr || region->bytes != sizeof(TextureDescriptor)) return;
    past_.Clear();
    results_.GiveUp();        // A texture's elements are read without an access that is noted, too.
    partly_stored_.GiveUp();  // And a surface's are stored so.
  }

  CudaFault OutOfRange(DevicePointer address, std::uint64_t bytes) const {
    const Region* region = memory_->Find(address);
    return region ? PastTheEnd(bytes, address - region->start, region->bytes) : NotLiveMemory();
  }

  CudaStatus Execute(const LoadedKernel& kernel, const LaunchRequest& request) {
    auto described = DescribeGrid(kernel, request);
    if (!described) return described.error();
    GridRequest& grid = *described;
    if (!MayRepeat(kernel)) return RunNoted(kernel, request, grid, nullptr);
    const PastLaunches::Key key{request.kernel,      request.grid,
                                request.block,       request.dynamic_shared_bytes,
                                request.cooperative, request.arguments};
    if (const PastLaunches::Shown* shown = past_.Repeat(key, *memory_, recorded_ != nullptr)) {
      if (progress_ != nullptr) progress_->Skip();
      if (recorded_ != nullptr) *recorded_ = *shown->accesses;
      host_arrays_ = shown->host_arrays;
      NoteResults(shown->touched, grid);
      NoteStores(shown->touched, kernel.program->plain_name);
      NoteStoresOfHost(shown->touched_of_host, grid);
      GridOutcome outcome = shown->outcome;
      Keep(kernel, request, shown->record, outcome);
      return Unit{};
    }
    past_.BeforeRun(key, *memory_);
    return RunNoted(kernel, request, grid, &key);
  }

  /// Runs the grid, and sees to it that what it wrote counts as written.
  CudaStatus RunNoted(const LoadedKernel& kernel, const LaunchRequest& request, GridRequest& grid,
                      const PastLaunches::Key* key) {
    try {
      const CudaStatus status = Run(kernel, request, grid, key);
      if (key == nullptr) memory_->NoteWriteEverywhere();
      return status;
    } catch (...) {
      memory_->NoteWriteEverywhere();
      throw;
    }
  }

  /// What else is observed would have to be kept, too.
  bool MayRepeat(const LoadedKernel& kernel) const {
    return observation_.repeat_launches && !watched_.active() && !observation_.accesses &&
           observation_.sample_blocks == 0 && PastLaunches::IsDecidedByMemory(*kernel.program);
  }

  /// Runs the grid and what its kernel launches, and tells `past_` of it if it has a key.
  CudaStatus Run(const LoadedKernel& kernel, const LaunchRequest& request, GridRequest& grid,
                 const PastLaunches::Key* key) {
    AccessMap touched(/*notes_changes=*/recorded_ != nullptr);
    const bool finds_missing_waits = FindsMissingWaits(*kernel.program, request, key != nullptr);
    if (recorded_ != nullptr || key != nullptr || finds_missing_waits) grid.touched = &touched;
    ChildLaunches children = ChildrenOf(kernel, 0);
    if (kernel.module->may_launch) grid.launches = &children;
    Ran ran = RunGrid(kernel, request, grid);
    NoteSignals(*kernel.program);
    if (key != nullptr) {
      // A kernel that launches others has none.
      NoteArrays(touched, grid);
      auto arrays = touched.Touched();
      host_arrays_ = finds_missing_waits ? HostArraysOf(arrays) : std::vector<DevicePointer>{};
      const auto results = UnreadResults::Of(arrays);
      NoteResults(results, grid);
      NoteStores(results, kernel.program->plain_name);
      const auto of_host = arrays ? std::optional(PartlyStored::Of(*memory_, *arrays)) : std::nullopt;
      NoteStoresOfHost(of_host, grid);
      const auto deciding = WhatDecides(*kernel.program, std::move(arrays));
      past_.AfterRun(*key, *memory_, deciding, ran.seconds, [&] {
        std::optional<LaunchAccesses> recorded;
        if (recorded_ != nullptr) recorded = *recorded_;
        return PastLaunches::Shown{ran.outcome,  ran.record, std::move(recorded),
                                   host_arrays_, results,    of_host};
      });
      for (std::size_t i = 0; deciding && i < deciding->size(); ++i) {
        if (!(*deciding)[i].written.empty()) NoteDescriptor((*deciding)[i].start);
      }
    }
    Keep(kernel, request, std::move(ran.record), ran.outcome);
    if (EndedWell(ran.outcome, children))
      RunDescendants(kernel, request.stream, children.Take(), grid.touched);
    if (key == nullptr) {
      results_.GiveUp();
      partly_stored_.GiveUp();
      NoteArrays(touched, grid);
      host_arrays_ = finds_missing_waits ? HostArraysOf(touched.Touched()) : std::vector<DevicePointer>{};
    }
    return Unit{};
  }

  struct Ran {
    GridOutcome outcome;
    LaunchRecord record;
    double seconds = 0;
  };
  Ran RunGrid(const LoadedKernel& kernel, const LaunchRequest& request, GridRequest& grid) {
    if (observation_.checks && observation_.access_checks) {
      races_->StartLaunch(request.grid.Volume(), LeastStore(*kernel.program),
                          kernel.program->blocks_communicate || request.cooperative);
      grid.races = races_.get();
      grid.in_parallel = &races_->in_parallel;
    }
    FootprintSum footprint;
    if (observation_.work) grid.footprint = &footprint;
    if (watched_.active()) {
      watched_.BeginLaunch();
      grid.arrays = &watched_;
    }
    AccessLog accesses;
    const bool keeps_accesses =
        observation_.accesses && observation_.counters && kept_accesses_ < kMaximumAccessSamples;
    if (keeps_accesses) grid.accesses = &accesses;

    Ran ran;
    const auto start = std::chrono::steady_clock::now();
    {
      const std::uint64_t all = request.grid.Volume();
      const LaunchProgress::Launch launch(progress_, kernel.program->plain_name,
                                          grid.blocks_to_run ? std::min(grid.blocks_to_run, all) : all);
      grid.finished = launch.finished();
      ran.outcome = engine_.run(grid);
      ran.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    races_->EndLaunch();
    ran.record = RecordOf(kernel, request, grid, ran.outcome, footprint);
    if (keeps_accesses) {
      ran.record.accesses = accesses.Take(kMaximumAccessSamples - kept_accesses_, !ran.outcome.completed);
      kept_accesses_ += ran.record.accesses->size();
    }
    return ran;
  }

  // --- Kernels that kernels launch.

  ChildLaunches ChildrenOf(const LoadedKernel& kernel, unsigned depth) {
    LoadedModule& loaded = *kernel.module;
    return {[this, &loaded](std::uint64_t address) { return KernelAt(loaded, address); }, profile_,
            pending_launches_, depth};
  }

  /// Whether the grid's children are to run. Where it gave one its own memory, that one does not, and the
  /// host gets the error that a card's access to it is.
  bool EndedWell(const GridOutcome& outcome, const ChildLaunches& children) {
    constexpr CudaError kInvalidAddressSpace{717};
    if (children.passed_own_memory() && !error_)
      error_ = Fault(kInvalidAddressSpace, "a kernel passed its own shared or local memory to another");
    return outcome.completed;
  }

  /// The children of a grid that the host launched, and theirs. The watchdog's budget for one block is that
  /// of all of them together.
  void RunDescendants(const LoadedKernel& root, StreamId stream, std::vector<ChildLaunch> children,
                      AccessMap* touched) {
    // What a launch costs even where it computes nothing; and what a warp executes at least.
    constexpr std::uint64_t kLeastInstructions = 1000, kLeastOfAWarp = 4;
    // What is copied in the time that a warp instruction takes, roughly.
    constexpr std::uint64_t kBytesOfAnInstruction = 512;
    std::ranges::reverse(children);
    std::vector<ChildLaunch> open = std::move(children);  // The next one last.
    std::uint64_t instructions = 0, launches = 0;
    while (!open.empty()) {
      ChildLaunch child = std::move(open.back());
      open.pop_back();
      child.request.stream = stream;
      const std::string name = child.Name();
      const std::uint64_t budget = observation_.max_warp_instructions, warps = WarpsOf(child.request);
      if (instructions > budget) return AddEndless(root, child, say::launches_do_not_end(launches, name));
      if (child.kernel == nullptr) {
        instructions += kLeastInstructions + child.transfer.bytes / kBytesOfAnInstruction;
        ++launches;
        RunTransfer(child, touched);
        continue;
      }
      if (warps > budget / kLeastOfAWarp)
        return AddEndless(root, child, say::launched_grid_too_large(name, warps, budget));
      auto described = DescribeGrid(*child.kernel, child.request);
      if (!described) {
        error_ = error_ ? error_ : described.error();
        return;
      }
      GridRequest& grid = *described;
      grid.touched = touched;
      ChildLaunches its_children = ChildrenOf(*child.kernel, child.depth);
      grid.launches = &its_children;
      Ran ran = RunGrid(*child.kernel, child.request, grid);
      NoteSignals(*child.kernel->program);
      instructions += ran.outcome.warp_instructions + kLeastInstructions;
      ++launches;
      Keep(*child.kernel, child.request, std::move(ran.record), ran.outcome);
      if (!EndedWell(ran.outcome, its_children)) return;
      std::vector<ChildLaunch> next = its_children.Take();
      if (open.size() + next.size() > ChildLimits::kMostChildren)
        return AddEndless(root, child, say::launches_do_not_end(launches, name));
      std::ranges::reverse(next);
      std::ranges::move(next, std::back_inserter(open));
    }
  }

  /// Does a kernel's copy or fill as the host's are done: what is copied is as initialised as its source.
  void RunTransfer(const ChildLaunch& child, AccessMap* touched) {
    const DeviceLaunches::Transfer& transfer = child.transfer;
    const bool is_there = IsStillThere(child, transfer.target, Access::kWrite) &&
                          (!transfer.source || IsStillThere(child, *transfer.source, Access::kRead));
    if (!is_there) return;
    if (touched != nullptr) {
      Mark(*touched, child, transfer.target, {AccessMap::kWritten, AccessMap::kChanged});
      if (transfer.source) Mark(*touched, child, *transfer.source, {AccessMap::kRead});
    }
    const CudaStatus done = transfer.source ? CopyWithin(transfer.target, *transfer.source, transfer.bytes)
                                            : Fill(transfer.target, transfer.value, transfer.bytes);
    if (!done && !error_) error_ = done.error();
  }

  /// It was when the kernel launched the transfer; says so if it is freed by now.
  bool IsStillThere(const ChildLaunch& child, DevicePointer address, Access access) {
    const std::uint64_t bytes = child.transfer.bytes;
    if (memory_->Contains(address, bytes)) return true;
    Finding finding;
    finding.kernel = child.launched_by;
    finding.block = child.block;
    finding.thread = child.thread;
    finding.where = child.where;
    finding.space = MemorySpace::kGlobal;
    finding.access = access;
    const say::Count size(bytes, "byte");
    if (const Region* freed = memory_->FindFreed(address)) {
      finding.kind = FindingKind::kUseAfterFree;
      finding.object = NameOf(*freed, GridRequest{});
      const auto& row = freed->is_absent ? say::graph_memory_absent : say::after_free;
      finding.message = row(Verb(access), size, finding.object);
    } else {
      finding.message = say::no_allocation(Verb(access), size);
    }
    observed.Add(std::move(finding));
    return false;
  }

  void Mark(AccessMap& touched, const ChildLaunch& child, DevicePointer address,
            std::initializer_list<AccessMap::Kind> kinds) {
    AccessMap::Array* array = touched.Find(*memory_->Find(address));
    if (array == nullptr) return;
    const std::uint64_t bytes = child.transfer.bytes;
    for (const AccessMap::Kind kind : kinds) array->Mark(kind, address, bytes);
    touched.AddLine(*array, child.where, *kinds.begin() != AccessMap::kRead, {address, address + bytes});
  }

  static std::uint64_t WarpsOf(const LaunchRequest& request) {
    return request.grid.Volume() * ((request.block.Volume() + kWarpSize - 1) / kWarpSize);
  }

  void AddEndless(const LoadedKernel& root, const ChildLaunch& next, Message message) {
    Finding finding;
    finding.kind = FindingKind::kEndlessLoop;
    finding.kernel = root.program->plain_name;
    finding.where = next.where;
    finding.message = std::move(message);
    observed.Add(std::move(finding));
    if (!error_) error_ = Fault(CudaError::kLaunchTimeout, "kernels launch kernels without an end");
  }

  // --- What a launch accesses, for those who compare it with others.

  void NoteSignals(const Program& program) {
    if (recorded_ == nullptr) return;
    recorded_->signals |= program.has_fences;
    recorded_->waits |= program.waits_for_values;
  }
  void NoteArrays(AccessMap& touched, const GridRequest& grid) {
    if (recorded_ == nullptr) return;
    recorded_->arrays = touched.Take(*memory_, [&](const Region& region) { return NameOf(region, grid); });
  }

  /// The arrays that the launch accessed; nothing if it may have waited for the host to write one of them.
  PastLaunches::TouchedArrays WhatDecides(const Program& program, PastLaunches::TouchedArrays touched) const {
    const auto is_of_host = [&](const AccessMap::TouchedArray& array) {
      const Region* region = memory_->Find(array.start);
      return region == nullptr || region->is_shared;
    };
    if (program.waits_for_values && touched && std::ranges::any_of(*touched, is_of_host)) return std::nullopt;
    return touched;
  }

  /// Whether what the launch does with the host's memory is looked at. A kernel with fences, or one that
  /// waits for a value, may tell the host by memory that it is done. Where accesses are not recorded anyway,
  /// it is the arguments that tell whether it has the host's memory.
  bool FindsMissingWaits(const Program& program, const LaunchRequest& request, bool is_recorded) const {
    if (!observation_.missing_waits || program.has_fences || program.waits_for_values) return false;
    const std::vector<std::byte>& arguments = request.arguments;
    for (std::size_t at = 0; !is_recorded && at + sizeof(DevicePointer) <= arguments.size();
         at += sizeof(DevicePointer)) {
      DevicePointer pointer = 0;
      std::memcpy(&pointer, arguments.data() + at, sizeof pointer);
      const Region* region = memory_->Find(pointer);
      is_recorded = region != nullptr && region->is_shared;
    }
    return is_recorded;
  }

  /// As TakeHostArrays, of what a launch has accessed.
  std::vector<DevicePointer> HostArraysOf(const PastLaunches::TouchedArrays& touched) const {
    std::vector<DevicePointer> arrays;
    bool are_written = false;
    for (std::size_t i = 0; touched && i < touched->size(); ++i) {
      const AccessMap::TouchedArray& array = (*touched)[i];
      const Region* region = memory_->Find(array.start);
      if (region == nullptr || !region->is_shared) continue;
      arrays.push_back(array.start);
      are_written |= !array.written.empty();
    }
    return are_written ? arrays : std::vector<DevicePointer>{};
  }

  /// What the engine has to know of a launch, without those who observe it. Refuses a launch for which there
  /// is no memory.
  CudaResult<GridRequest> DescribeGrid(const LoadedKernel& kernel, const LaunchRequest& request) {
    GridRequest grid;
    grid.program = kernel.program.get();
    grid.grid = request.grid;
    grid.block = request.block;
    grid.dynamic_shared_bytes = request.dynamic_shared_bytes;
    grid.arguments = request.arguments;
    grid.client = kernel.client;
    grid.memory = memory_.get();
    grid.profile = &profile_;
    grid.cooperative = request.cooperative;
    if (request.cooperative) {
      auto workspace = GridWorkspace();
      if (!workspace) return workspace.error();
      grid.workspace = *workspace;
    }
    grid.observation = observation_;
    if (auto fits = LimitResidentBlocks(grid, host_threads_); !fits) return fits.error();
    grid.threads_after = threads_after_;
    grid.recognise_patterns = recognise_patterns_;
    grid.interrupted = &interrupted;
    if (observation_.sample_blocks && observation_.sample_blocks < request.grid.Volume())
      grid.blocks_to_run = observation_.sample_blocks;
    return grid;
  }

  /// Also scales the counts of a sample of blocks up to the whole grid.
  LaunchRecord RecordOf(const LoadedKernel& kernel, const LaunchRequest& request, const GridRequest& grid,
                        GridOutcome& outcome, const FootprintSum& footprint) {
    const double scale = grid.blocks_to_run ? static_cast<double>(request.grid.Volume()) /
                                                  static_cast<double>(grid.blocks_to_run)
                                            : 1;
    if (scale > 1) ScaleCounts(outcome.counts, scale);
    LaunchRecord record = SummariseLaunch(grid, outcome);
    FillResources(record, kernel, request, profile_);
    if (grid.blocks_to_run) record.sampled_blocks = grid.blocks_to_run;
    if (observation_.work && observation_.counters)
      record.work = WorkOf(grid, outcome, FindPaths(engine_, *kernel.program), footprint.sum(), scale);
    if (watched_.active()) record.arrays = watched_.EndLaunch();
    return record;
  }

  /// Keeps what a launch has shown until it is taken, and its error until a call waits.
  void Keep(const LoadedKernel& kernel, const LaunchRequest& request, LaunchRecord record,
            GridOutcome& outcome) {
    for (Finding& finding : outcome.findings) observed.Add(std::move(finding));
    if (observed.printed.size() < kMaximumPrinted)
      observed.printed.append(outcome.printed, 0, kMaximumPrinted - observed.printed.size());
    seconds_ += EstimateSeconds(profile_, record);
    record.stream = request.stream;  // A launch that repeats a past one may be in another stream.
    if (observation_.profile) {
      counts_.Add(request.kernel, record, CountByInstruction(*kernel.program, outcome));
    }
    if (!observed.Add(std::move(record)) && watched_.active()) observed.Add(TooManyLaunches());
    if (outcome.error != CudaError::kSuccess && !error_) error_ = Fault(outcome.error, outcome.error_message);
  }

  /// Memory, zeroed, in which a cooperative grid counts who has come to grid.sync().
  CudaResult<DevicePointer> GridWorkspace() {
    constexpr std::uint64_t kBytes = 64;
    if (workspace_ == 0) {
      auto address = memory_->AddVariable("the grid's barrier", kBytes, 8, /*is_constant=*/false,
                                          /*is_managed=*/false);
      if (!address) return address.error();
      workspace_ = *address;
    }
    std::memset(HostPointer(workspace_), 0, kBytes);
    memory_->NoteWrite(workspace_);
    return workspace_;
  }

  /// Word by word, so that what is copied is as initialised as its source.
  void CopyShadow(DevicePointer target, DevicePointer source, std::uint64_t bytes) {
    if ((target | source | bytes) & 3) {
      memory_->SetInitialised(target, bytes, true);
      return;
    }
    std::memmove(memory_->Shadow(target), memory_->Shadow(source), bytes / 4);
  }

  void AddUnsupported(const Message& message, std::string kernel = {}, SourceLine where = {}) {
    Finding finding;
    finding.kind = FindingKind::kUnsupported;
    finding.kernel = std::move(kernel);
    finding.where = std::move(where);
    finding.message = message;
    observed.Add(std::move(finding));
  }

  DeviceProfile profile_;
  std::unique_ptr<GlobalMemory> memory_;
  std::shared_ptr<RaceShadow> races_;  ///< All cards': kernels run one after another.
  const Engine& engine_;
  const unsigned host_threads_;
  const std::chrono::milliseconds threads_after_;
  const bool recognise_patterns_;
  LaunchProgress* const progress_;
  PastLaunches past_;
  ObservationOptions observation_;
  WatchedArrays watched_;
  LaunchAccesses* recorded_ = nullptr;  ///< Null: accesses are not recorded.
  std::vector<DevicePointer> host_arrays_;
  UnreadResults results_;
  std::vector<Finding> lost_results_;
  PartlyStored partly_stored_;
  /// A copy to the host of bytes that nothing has stored; all counted from the region's start.
  struct UnsetCopy {
    DevicePointer region = 0;
    std::uint64_t end = 0;  ///< Of the copy.
    Message object;
    std::uint64_t object_bytes = 0;
    UnsetBytes unset;
    bool is_all_unset = false;     ///< Nothing in what it copies was set.
    std::string stored_by{};       ///< The kernel that stored there afterwards; "": none did.
    bool is_copied_again = false;  ///< After that.
    bool is_freed = false;         ///< The region.

    /// The copy was made before the launch whose results it should fetch.
    bool IsTooEarly() const { return is_all_unset && !stored_by.empty(); }
  };
  std::vector<UnsetCopy> unset_copies_;
  std::size_t kept_accesses_ = 0;  ///< In the launches that are observed.
  vgpu::Profile counts_;
  ChildLimits pending_launches_;
  /// Their numbers are beyond those that LocalDevice gives.
  KernelId next_launched_kernel_ = KernelId{1} << 31;
  std::optional<CudaFault> error_;
  DevicePointer workspace_ = 0;  ///< Of cooperative launches; 0: there was none yet.
  double seconds_ = 0;           ///< The card's estimated time so far.
};

}  // namespace
}  // namespace vgpu

void InterruptKernels() {
  vgpu::interrupted = true;
}

Result<std::vector<std::unique_ptr<LocalDevice>>> MakeVirtualGpus(
    std::span<const DeviceProfile* const> profiles, const VirtualGpuOptions& options) {
  const unsigned threads =
      options.host_threads ? options.host_threads : std::max(1u, std::thread::hardware_concurrency());
  auto space = vgpu::AddressSpace::Create(options.memory_seed);
  if (!space) return space.error();
  auto races = vgpu::RaceShadow::Create((*space)->base());
  if (!races) return races.error();
  const std::shared_ptr<vgpu::RaceShadow> shared_races = std::move(races).value();
  (*space)->on_discard = [shared_races](DevicePointer start, std::uint64_t bytes) {
    shared_races->Discard(start, bytes);
  };
  (*space)->on_wipe = [shared_races](DevicePointer start, std::uint64_t bytes) {
    shared_races->Wipe(start, bytes);
  };
  std::vector<std::unique_ptr<LocalDevice>> cards;
  for (const DeviceProfile* profile : profiles) {
    const std::uint64_t all = options.memory_bytes ? options.memory_bytes : FindUsableMemory().bytes / 2;
    const std::uint64_t limit = std::min(all / profiles.size(), profile->global_memory_bytes);
    cards.push_back(std::make_unique<LocalDevice>(
        *profile,
        std::make_unique<vgpu::VirtualGpu>(*profile, std::make_unique<vgpu::GlobalMemory>(limit, *space),
                                           shared_races, threads, options),
        options.pending));
    if (cards.size() > 1) cards.back()->JoinRaces(*cards.front());
  }
  return cards;
}

Result<std::unique_ptr<LocalDevice>> MakeVirtualGpu(const DeviceProfile& profile,
                                                    const VirtualGpuOptions& options) {
  const DeviceProfile* const profiles[] = {&profile};
  auto cards = MakeVirtualGpus(profiles, options);
  if (!cards) return cards.error();
  return std::move(cards->front());
}

}  // namespace warplings
