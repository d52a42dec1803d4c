// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/virtual_gpu.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "grader/base/installed_memory.h"
#include "grader/device/launch_check.h"
#include "grader/device/occupancy.h"
#include "grader/device/streams.h"
#include "grader/virtual_gpu/counters/access_log.h"
#include "grader/virtual_gpu/counters/footprint.h"
#include "grader/virtual_gpu/counters/launch_work.h"
#include "grader/virtual_gpu/counters/profile.h"
#include "grader/virtual_gpu/exec/context.h"
#include "grader/virtual_gpu/isa/engine.h"
#include "grader/virtual_gpu/launch_summary.h"
#include "grader/virtual_gpu/loaded_module.h"
#include "grader/virtual_gpu/memory/race_shadow.h"
#include "grader/virtual_gpu/memory/watched_arrays.h"
#include "grader/virtual_gpu/ptx/demangle.h"

namespace warplings {
namespace vgpu {
namespace {

/// Limit on what the kernels of one run print; 1 MiB is also the size of the buffer on hardware.
constexpr std::size_t kMaximumPrinted = std::size_t{1} << 20;
/// Findings that are kept, all different. More help nobody, and a program can cause any number of them.
constexpr std::size_t kMaximumFindings = 1000;
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "it is set in a signal handler");

/// Launches that are kept for TakeLaunches; later ones run unrecorded.
constexpr std::size_t kMaximumRecords = 10'000;
/// A launch that takes less is done before threads are there, each with memory of its own; and where as many
/// submissions are checked as the machine has cores, they only get in each other's way.
constexpr std::chrono::milliseconds kWorthThreads{5};

CudaFault Fault(CudaError code, std::string message) {
  return {code, std::move(message)};
}

struct Kernel {
  ModuleId module = 0;
  std::unique_ptr<Program> program;
  KernelResources resources;
  bool has_resources = false;
  std::uint32_t max_dynamic_shared = 0;
};

class VirtualGpu final : public Device {
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
        streams_(options.pending) {}

  const DeviceProfile& profile() const override { return profile_; }

  // --- Modules.

  CudaResult<ModuleId> LoadModule(ClientId client, std::span<const std::byte> fatbin) override {
    auto module = LoadFatbin(client, fatbin, profile_, *memory_);
    if (!module) {
      AddUnsupported(module.error().message);
      return module.error();
    }
    modules_[next_module_] = std::move(module).value();
    return next_module_++;
  }

  CudaStatus UnloadModule(ClientId client, ModuleId module) override {
    auto entry = modules_.find(module);
    if (entry == modules_.end() || entry->second->client != client) {
      return Fault(CudaError::kInvalidResourceHandle, "this module is not loaded");
    }
    for (const auto& [name, kernel] : entry->second->kernels) kernels_.erase(kernel);
    modules_.erase(entry);
    return Unit{};
  }

  CudaResult<KernelInfo> FindKernel(ModuleId module, std::string_view name) override {
    auto entry = modules_.find(module);
    if (entry == modules_.end()) return Fault(CudaError::kInvalidResourceHandle, "this module is not loaded");
    LoadedModule& loaded = *entry->second;
    if (auto known = loaded.kernels.find(name); known != loaded.kernels.end()) return Describe(known->second);

    const auto function = std::find_if(loaded.ptx.functions.begin(), loaded.ptx.functions.end(),
                                       [&](const ptx::Function& f) { return f.is_entry && f.name == name; });
    if (function == loaded.ptx.functions.end()) {
      return Fault(CudaError::kInvalidDeviceFunction, "the program has no kernel " + std::string(name));
    }
    SourceLine refused_at;
    auto program = Decode(engine_, loaded.ptx, *function, loaded.symbols, refused_at);
    if (!program) {
      AddUnsupported(program.error().message, ptx::DemangledName(name), refused_at);
      return Fault(CudaError::kInvalidPtx, program.error().message);
    }
    Kernel kernel;
    kernel.module = module;
    kernel.program = std::move(program).value();
    if (auto resources = loaded.resources.find(name); resources != loaded.resources.end()) {
      kernel.resources = resources->second;
      kernel.has_resources = true;
    }
    kernels_[next_kernel_] = std::move(kernel);
    loaded.kernels[std::string(name)] = next_kernel_;
    return Describe(next_kernel_++);
  }

  CudaResult<VariableInfo> FindVariable(ModuleId module, std::string_view name) override {
    auto entry = modules_.find(module);
    if (entry == modules_.end()) return Fault(CudaError::kInvalidResourceHandle, "this module is not loaded");
    auto variable = entry->second->variables.find(name);
    if (variable == entry->second->variables.end()) {
      return Fault(CudaError::kInvalidSymbol, "the program has no device variable " + std::string(name));
    }
    return variable->second;
  }

  std::vector<KernelResources> ListKernelResources(ClientId client) override {
    std::vector<KernelResources> all;
    for (const auto& [id, module] : modules_) {
      if (module->client != client) continue;
      for (const auto& [name, resources] : module->resources) all.push_back(resources);
    }
    return all;
  }

  CudaResult<std::uint32_t> BlocksPerMultiprocessor(KernelId kernel, std::uint32_t block_threads,
                                                    std::uint32_t dynamic_shared_bytes) override {
    auto entry = kernels_.find(kernel);
    if (entry == kernels_.end()) return NoKernel();
    return ::warplings::BlocksPerMultiprocessor(profile_,
                                                Shape(entry->second, block_threads, dynamic_shared_bytes));
  }

  CudaStatus SetMaxDynamicShared(KernelId kernel, std::uint32_t bytes) override {
    auto entry = kernels_.find(kernel);
    if (entry == kernels_.end()) return NoKernel();
    if (bytes + entry->second.program->static_shared_bytes > profile_.shared_bytes_per_block_optin) {
      return Fault(CudaError::kInvalidValue, std::to_string(bytes) +
                                                 " bytes of dynamic shared memory; the card has " +
                                                 std::to_string(profile_.shared_bytes_per_block_optin));
    }
    entry->second.max_dynamic_shared = bytes;
    return Unit{};
  }

  // --- Memory.

  CudaResult<Allocation> Allocate(ClientId client, std::uint64_t bytes, AllocationKind kind) override {
    if (bytes == 0) return Fault(CudaError::kInvalidValue, "an allocation of 0 bytes");
    auto region = memory_->Allocate(client, bytes, kind);
    if (!region) return region.error();
    return Allocation{(*region)->start, bytes, (*region)->shared_fd, (*region)->mapped_bytes};
  }

  CudaStatus Free(ClientId client, DevicePointer address) override {
    // cudaFree waits for the device.
    if (auto done = SynchronizeAll(); !done) return done;
    return memory_->Free(client, address);
  }

  CudaStatus SetLabel(DevicePointer address, std::string_view label) override {
    Region* region = memory_->FindMutable(address);
    if (!region) return Fault(CudaError::kInvalidValue, "no allocation has this address");
    region->label = label;
    return Unit{};
  }

  CudaStatus MarkUninitialised(DevicePointer address, std::uint64_t bytes) override {
    if (!memory_->Contains(address, bytes)) return OutOfRange(address, bytes);
    memory_->SetInitialised(address, bytes, false);
    return Unit{};
  }

  MemoryInfo GetMemoryInfo() override {
    const std::uint64_t total = profile_.global_memory_bytes;
    return {total - std::min(total, memory_->used_bytes()), total};
  }

  CudaResult<PointerInfo> GetPointerInfo(DevicePointer address) override {
    const Region* region = memory_->Find(address);
    if (!region) return Fault(CudaError::kInvalidValue, "no allocation has this address");
    return PointerInfo{region->start, region->bytes, region->kind};
  }

  // --- Work.

  CudaStatus CopyIn(DevicePointer target, std::span<const std::byte> source, StreamId stream) override {
    // What runs at once needs no copy of its own.
    if (streams_.RunsAtOnce(stream)) return CopyInNow(target, source);
    if (!memory_->AnyCardContains(target, source.size())) return OutOfRange(target, source.size());
    // The bytes are taken now: a copy from pageable memory is staged before the call returns.
    std::vector<std::byte> bytes(source.begin(), source.end());
    return streams_.Submit(
        stream, "copy of " + std::to_string(source.size()) + " bytes to the device",
        [this, target, bytes = std::move(bytes)] { return CopyInNow(target, bytes); }, source.size());
  }

  CudaStatus CopyOut(std::span<std::byte> target, DevicePointer source, StreamId stream) override {
    if (auto done = streams_.Synchronize(stream); !done) return done;
    if (auto error = TakeError()) return *error;
    if (!memory_->AnyCardContains(source, target.size())) return OutOfRange(source, target.size());
    if (!target.empty()) std::memcpy(target.data(), HostPointer(source), target.size());
    watched_.NoteHostRead();
    return Unit{};
  }

  CudaStatus CopyWithin(DevicePointer target, DevicePointer source, std::uint64_t bytes,
                        StreamId stream) override {
    auto check = [this, target, source, bytes]() -> CudaStatus {
      if (!memory_->AnyCardContains(target, bytes)) return OutOfRange(target, bytes);
      if (!memory_->AnyCardContains(source, bytes)) return OutOfRange(source, bytes);
      return Unit{};
    };
    if (auto fits = check(); !fits) return fits;
    return streams_.Submit(stream, "copy of " + std::to_string(bytes) + " bytes within the device",
                           [=, this]() -> CudaStatus {
                             if (auto fits = check(); !fits) return fits;
                             std::memmove(HostPointer(target), HostPointer(source), bytes);
                             CopyShadow(target, source, bytes);
                             watched_.NoteCopyWithin(target, bytes);
                             return Unit{};
                           });
  }

  CudaStatus Fill(DevicePointer target, std::uint8_t value, std::uint64_t bytes, StreamId stream) override {
    if (!memory_->AnyCardContains(target, bytes)) return OutOfRange(target, bytes);
    return streams_.Submit(stream, "memset of " + std::to_string(bytes) + " bytes",
                           [=, this]() -> CudaStatus {
                             if (!memory_->AnyCardContains(target, bytes)) return OutOfRange(target, bytes);
                             std::memset(HostPointer(target), value, bytes);
                             memory_->SetInitialised(target, bytes, true);
                             watched_.NoteFill(target, bytes);
                             return Unit{};
                           });
  }

  CudaStatus Launch(const LaunchRequest& request) override {
    auto entry = kernels_.find(request.kernel);
    if (entry == kernels_.end()) return NoKernel();
    const Kernel& kernel = entry->second;
    const KernelLimits limits{.static_shared_bytes = kernel.program->static_shared_bytes,
                              .promised_threads = kernel.program->max_threads,
                              .argument_bytes = kernel.program->argument_bytes,
                              .registers = kernel.resources.registers,
                              .max_dynamic_shared = kernel.max_dynamic_shared};
    if (auto allowed = CheckLaunch(profile_, limits, request); !allowed) return allowed;
    return streams_.Submit(
        request.stream, "kernel " + kernel.program->plain_name,
        [this, request]() -> CudaStatus { return Execute(request); }, request.arguments.size());
  }

  // --- Streams and events.

  CudaResult<StreamId> CreateStream(ClientId client, StreamFlags flags) override {
    return streams_.Create(client, flags);
  }
  CudaStatus DestroyStream(ClientId client, StreamId stream) override {
    return streams_.Destroy(client, stream);
  }
  CudaResult<bool> QueryStream(StreamId stream) override { return streams_.Query(stream); }
  CudaStatus SynchronizeStream(StreamId stream) override { return AfterWork(streams_.Synchronize(stream)); }
  CudaStatus SynchronizeAll() override { return AfterWork(streams_.SynchronizeAll()); }
  CudaResult<EventId> CreateEvent(ClientId client) override { return streams_.CreateEvent(client); }
  CudaStatus DestroyEvent(ClientId client, EventId event) override {
    return streams_.DestroyEvent(client, event);
  }
  CudaStatus RecordEvent(EventId event, StreamId stream) override {
    return streams_.Record(event, stream, [this] { return seconds_; });
  }
  CudaStatus WaitEvent(StreamId stream, EventId event) override { return streams_.Wait(stream, event); }
  CudaResult<bool> QueryEvent(EventId event) override { return streams_.QueryEvent(event); }
  CudaStatus SynchronizeEvent(EventId event) override { return AfterWork(streams_.SynchronizeEvent(event)); }
  CudaResult<float> ElapsedMilliseconds(EventId start, EventId stop) override {
    return streams_.ElapsedMilliseconds(start, stop);
  }

  // --- Observation.

  void SetObservation(const ObservationOptions& options) override {
    observation_ = options;
    if (options.arrays) {
      watched_.Start(*memory_);
    } else {
      watched_.Stop();
    }
  }
  std::vector<PendingWork> ListPendingWork() override { return streams_.Pending(); }
  std::vector<Finding> TakeFindings() override {
    TellLeaks(std::nullopt);
    interrupted = false;
    return std::exchange(findings_, {});
  }
  std::vector<LaunchRecord> TakeLaunches() override {
    kept_accesses_ = 0;
    return std::exchange(launches_, {});
  }
  std::vector<ArrayWriters> ListArrayWriters() override { return watched_.ListWriters(); }
  std::vector<KernelProfile> TakeProfile() override { return counts_.Take(); }
  std::string TakePrinted() override { return std::exchange(printed_, {}); }
  void AddFinding(Finding finding) override { Fold(std::move(finding)); }

  void DropClient(ClientId client) override {
    streams_.DropClient(client);
    TellLeaks(client);
    std::erase_if(kernels_, [&](const auto& entry) {
      auto module = modules_.find(entry.second.module);
      return module == modules_.end() || module->second->client == client;
    });
    std::erase_if(modules_, [&](const auto& entry) { return entry.second->client == client; });
    memory_->FreeAllOf(client);
    error_.reset();
  }

 private:
  CudaStatus CopyInNow(DevicePointer target, std::span<const std::byte> bytes) {
    if (!memory_->AnyCardContains(target, bytes.size())) return OutOfRange(target, bytes.size());
    if (!bytes.empty()) std::memcpy(HostPointer(target), bytes.data(), bytes.size());
    memory_->SetInitialised(target, bytes.size(), true);
    watched_.NoteCopyIn(target, bytes.size());
    return Unit{};
  }

  static CudaFault NoKernel() {
    return Fault(CudaError::kInvalidDeviceFunction, "this kernel is not loaded");
  }

  CudaStatus OutOfRange(DevicePointer address, std::uint64_t bytes) const {
    const Region* region = memory_->Find(address);
    if (!region) {
      return Fault(CudaError::kInvalidValue, memory_->FindFreed(address)
                                                 ? "the memory was freed before"
                                                 : "the address is not device memory");
    }
    const std::string name = region->label.empty() ? "the allocation" : region->label;
    return Fault(CudaError::kInvalidValue, std::to_string(bytes) + " bytes from " +
                                               std::to_string(address - region->start) + " bytes into " +
                                               name + ", which has " + std::to_string(region->bytes));
  }

  static BlockShape Shape(const Kernel& kernel, std::uint32_t threads, std::uint32_t dynamic_shared_bytes) {
    return {threads, kernel.resources.registers, kernel.program->static_shared_bytes, dynamic_shared_bytes};
  }

  CudaResult<KernelInfo> Describe(KernelId id) const {
    const Kernel& kernel = kernels_.at(id);
    const Program& program = *kernel.program;
    KernelInfo info;
    info.id = id;
    for (const auto& parameter : program.parameters)
      info.parameters.push_back({parameter.offset, parameter.bytes});
    info.argument_bytes = program.argument_bytes;
    info.resources = kernel.resources;
    info.resources.kernel = program.plain_name;
    info.resources.shared_bytes = program.static_shared_bytes;
    const auto limit = static_cast<std::uint32_t>(profile_.max_threads_per_block);
    info.max_threads_per_block = program.max_threads ? std::min(limit, program.max_threads) : limit;
    info.ptx_version = static_cast<std::uint32_t>(profile_.major * 10 + profile_.minor);
    return info;
  }

  CudaStatus Execute(const LaunchRequest& request) {
    auto entry = kernels_.find(request.kernel);
    if (entry == kernels_.end()) return NoKernel();
    const Kernel& kernel = entry->second;
    GridRequest grid;
    grid.program = kernel.program.get();
    grid.grid = request.grid;
    grid.block = request.block;
    grid.dynamic_shared_bytes = request.dynamic_shared_bytes;
    grid.arguments = request.arguments;
    auto module = modules_.find(kernel.module);
    grid.client = module == modules_.end() ? 0 : module->second->client;
    grid.memory = memory_.get();
    grid.profile = &profile_;
    grid.cooperative = request.cooperative;
    if (request.cooperative) {
      auto workspace = GridWorkspace();
      if (!workspace) return workspace.error();
      grid.workspace = *workspace;
    }
    grid.host_threads = host_threads_;
    grid.threads_after = threads_after_;
    grid.recognise_patterns = recognise_patterns_;
    grid.observation = observation_;
    grid.interrupted = &interrupted;
    if (observation_.checks) {
      races_->StartLaunch(request.grid.Volume(), LeastStore(*kernel.program),
                          kernel.program->blocks_communicate || request.cooperative);
      grid.races = races_.get();
    }
    FootprintSum footprint;
    if (observation_.work) grid.footprint = &footprint;
    const std::uint64_t blocks = request.grid.Volume();
    if (observation_.sample_blocks && observation_.sample_blocks < blocks)
      grid.blocks_to_run = observation_.sample_blocks;
    const double scale =
        grid.blocks_to_run ? static_cast<double>(blocks) / static_cast<double>(grid.blocks_to_run) : 1;
    if (watched_.active()) {
      watched_.BeginLaunch();
      grid.arrays = &watched_;
    }
    AccessLog accesses;
    const bool keeps_accesses =
        observation_.accesses && observation_.counters && kept_accesses_ < kMaximumAccessSamples;
    if (keeps_accesses) grid.accesses = &accesses;
    GridOutcome outcome = engine_.run(grid);
    races_->EndLaunch();
    if (scale > 1) ScaleCounts(outcome.counts, scale);

    for (Finding& finding : outcome.findings) Fold(std::move(finding));
    if (printed_.size() < kMaximumPrinted)
      printed_.append(outcome.printed, 0, kMaximumPrinted - printed_.size());
    LaunchRecord record = SummariseLaunch(grid, outcome);
    FillResources(record, kernel, request);
    if (grid.blocks_to_run) record.sampled_blocks = grid.blocks_to_run;
    if (observation_.work && observation_.counters)
      record.work = WorkOf(grid, outcome, FindPaths(engine_, *kernel.program), footprint.sum(), scale);
    if (watched_.active()) record.arrays = watched_.EndLaunch();
    if (keeps_accesses) {
      record.accesses = accesses.Take(kMaximumAccessSamples - kept_accesses_, !outcome.completed);
      kept_accesses_ += record.accesses->size();
    }
    seconds_ += EstimateSeconds(profile_, record);
    if (observation_.profile) {
      counts_.Add(request.kernel, record, CountByInstruction(*kernel.program, outcome));
    }
    if (launches_.size() < kMaximumRecords) launches_.push_back(std::move(record));
    // A launch is asynchronous: what went wrong in it is said by the next call that waits.
    if (outcome.error != CudaError::kSuccess && !error_) error_ = Fault(outcome.error, outcome.error_message);
    return Unit{};
  }

  /// The least number of bytes, up to a word, that the kernel writes to global memory at once.
  static std::uint32_t LeastStore(const Program& program) {
    std::uint32_t least = 4;
    for (const Inst& inst : program.code) {
      if (inst.global_store_bytes) least = std::min<std::uint32_t>(least, inst.global_store_bytes);
    }
    return least;
  }

  /// Memory, zeroed, in which a cooperative grid counts who has come to grid.sync().
  CudaResult<DevicePointer> GridWorkspace() {
    constexpr std::uint64_t kBytes = 64;
    if (workspace_ == 0) {
      auto address = memory_->AddVariable(kNobody, "the grid's barrier", kBytes, 8, /*is_constant=*/false,
                                          AllocationKind::kDevice);
      if (!address) return address.error();
      workspace_ = *address;
    }
    std::memset(HostPointer(workspace_), 0, kBytes);
    return workspace_;
  }

  void FillResources(LaunchRecord& record, const Kernel& kernel, const LaunchRequest& request) const {
    const auto threads = static_cast<std::uint32_t>(request.block.Volume());
    const BlockShape shape = Shape(kernel, threads, request.dynamic_shared_bytes);
    record.registers = kernel.resources.registers;
    record.local_bytes = kernel.resources.local_bytes;
    if (!kernel.has_resources) return;  // without registers, occupancy is not known
    record.blocks_per_sm = ::warplings::BlocksPerMultiprocessor(profile_, shape);
    record.occupancy = Occupancy(profile_, shape);
  }

  CudaStatus AfterWork(CudaStatus status) {
    if (!status) return status;
    if (auto error = TakeError()) return *error;
    return Unit{};
  }
  std::optional<CudaFault> TakeError() { return std::exchange(error_, std::nullopt); }

  /// Word by word, so that what is copied is as initialised as its source.
  void CopyShadow(DevicePointer target, DevicePointer source, std::uint64_t bytes) {
    if ((target | source | bytes) & 3) {
      memory_->SetInitialised(target, bytes, true);
      return;
    }
    std::memmove(memory_->Shadow(target), memory_->Shadow(source), bytes / 4);
  }

  void AddUnsupported(const std::string& message, std::string kernel = {}, SourceLine where = {}) {
    Finding finding;
    finding.kind = FindingKind::kUnsupported;
    finding.kernel = std::move(kernel);
    finding.where = std::move(where);
    finding.message = message;
    Fold(std::move(finding));
  }

  /// What clients (the judge is none), or one of them, allocated since this was last told and still hold, in
  /// one warning: whoever takes the findings takes them at the end of a call or of a program.
  void TellLeaks(std::optional<ClientId> client) {
    std::uint64_t bytes = 0, count = 0;
    std::set<std::string_view> calls;
    memory_->ForEachMutableRegion([&](Region& region) {
      const bool theirs = region.client != 0 && (!client || region.client == *client);
      if (!theirs || region.is_variable || region.is_on_heap || std::exchange(region.is_told, true)) return;
      bytes += region.bytes;
      ++count;
      calls.insert(region.kind == AllocationKind::kManaged  ? "cudaMallocManaged"
                   : region.kind == AllocationKind::kPinned ? "cudaMallocHost"
                                                            : "cudaMalloc");
    });
    if (!count || !observation_.checks) return;
    Finding finding;
    finding.kind = FindingKind::kLeak;
    finding.severity = Severity::kWarning;
    finding.message = std::to_string(count) + (count == 1 ? " allocation" : " allocations") + " of " +
                      std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes") +
                      (count == 1 ? "" : " in all");
    finding.message += count == 1 ? " was never freed (" : " were never freed (";
    for (std::string_view call : calls)
      finding.message += std::string(call == *calls.begin() ? "" : ", ") + std::string(call);
    finding.message += ")";
    Fold(std::move(finding));
  }

  /// Launch after launch finds the same faults again: they are one finding with a count.
  void Fold(Finding finding) {
    for (Finding& known : findings_) {
      if (known.kind == finding.kind && known.kernel == finding.kernel && known.where == finding.where &&
          known.other == finding.other && known.object == finding.object && known.access == finding.access &&
          (finding.where.line || known.message == finding.message)) {
        known.count += finding.count;
        return;
      }
    }
    if (findings_.size() < kMaximumFindings) findings_.push_back(std::move(finding));
  }

  DeviceProfile profile_;
  std::unique_ptr<GlobalMemory> memory_;
  std::shared_ptr<RaceShadow> races_;  ///< All cards': kernels run one after another.
  const Engine& engine_;
  const unsigned host_threads_;
  const std::chrono::milliseconds threads_after_;
  const bool recognise_patterns_;
  Streams streams_;
  std::map<ModuleId, std::unique_ptr<LoadedModule>> modules_;
  std::map<KernelId, Kernel> kernels_;
  ModuleId next_module_ = 1;
  KernelId next_kernel_ = 1;
  ObservationOptions observation_;
  WatchedArrays watched_;
  std::vector<Finding> findings_;
  std::vector<LaunchRecord> launches_;
  std::size_t kept_accesses_ = 0;  ///< In `launches_`.
  vgpu::Profile counts_;
  std::string printed_;
  std::optional<CudaFault> error_;
  /// Owns what belongs to the device itself: no client has this number.
  static constexpr ClientId kNobody = ~ClientId{0};
  DevicePointer workspace_ = 0;  ///< Of cooperative launches; 0: there was none yet.
  double seconds_ = 0;           ///< The card's estimated time so far.
};

}  // namespace
}  // namespace vgpu

void InterruptKernels() {
  vgpu::interrupted = true;
}

Result<std::vector<std::unique_ptr<Device>>> MakeVirtualGpus(std::span<const DeviceProfile* const> profiles,
                                                             const VirtualGpuOptions& options) {
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
  std::vector<std::unique_ptr<Device>> cards;
  for (const DeviceProfile* profile : profiles) {
    const std::uint64_t all = options.memory_bytes ? options.memory_bytes : InstalledMemory() / 2;
    const std::uint64_t limit = std::min(all / profiles.size(), profile->global_memory_bytes);
    cards.push_back(std::make_unique<vgpu::VirtualGpu>(
        *profile, std::make_unique<vgpu::GlobalMemory>(limit, *space), shared_races, threads, options));
  }
  return cards;
}

Result<std::unique_ptr<Device>> MakeVirtualGpu(const DeviceProfile& profile,
                                               const VirtualGpuOptions& options) {
  const DeviceProfile* const profiles[] = {&profile};
  auto cards = MakeVirtualGpus(profiles, options);
  if (!cards) return cards.error();
  return std::move(cards->front());
}

}  // namespace warplings
