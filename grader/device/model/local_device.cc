// SPDX-License-Identifier: Apache-2.0
#include "grader/device/model/local_device.h"

#include <algorithm>
#include <utility>

#include "grader/device/occupancy.h"
#include "grader/messages/device.h"
#include "grader/messages/findings.h"
#include "grader/messages/refusals.h"
#include "grader/messages/report.h"

namespace warplings {
namespace {

CudaFault NoModule() {
  return {CudaError::kInvalidResourceHandle, "this module is not loaded"};
}
CudaFault NoKernel() {
  return {CudaError::kInvalidDeviceFunction, "this kernel is not loaded"};
}

/// The address of this process' memory, as Backend::Copy takes it.
std::uint64_t HostAddress(const std::byte* bytes) {
  return reinterpret_cast<std::uint64_t>(bytes);
}

}  // namespace

LocalDevice::LocalDevice(const DeviceProfile& profile, std::unique_ptr<Backend> backend,
                         PendingBudget pending)
    : profile_(profile),
      backend_(std::move(backend)),
      races_(std::make_shared<StreamRaces>([this](Finding finding) { AddFinding(std::move(finding)); })),
      streams_(pending) {}

void LocalDevice::JoinRaces(const LocalDevice& first) {
  races_ = first.races_;
  ordinal_ = races_->order().devices();
  races_->order().AddDevice();
}

void LocalDevice::BeginPeerCopy() {
  streams_.RunEarly();
  races_->EndAll(ordinal_);
}

// --- Modules ---------------------------------------------------------------------------------------

CudaResult<ModuleId> LocalDevice::LoadModule(ClientId client, std::span<const std::byte> fatbin) {
  auto module = backend_->Load(client, fatbin);
  if (!module) return module.error();
  modules_.emplace(next_module_, LoadedModule{client, std::move(*module), {}});
  return next_module_++;
}

LocalDevice::Modules::iterator LocalDevice::Unload(Modules::iterator entry) {
  for (const auto& [name, kernel] : entry->second.kernels) kernels_.erase(kernel);
  races_->ForgetAll();  // Its variables' addresses may come again.
  return modules_.erase(entry);
}

CudaStatus LocalDevice::UnloadModule(ClientId client, ModuleId module) {
  const auto entry = modules_.find(module);
  if (entry == modules_.end() || entry->second.client != client) return NoModule();
  Unload(entry);
  return Unit{};
}

CudaResult<KernelInfo> LocalDevice::FindKernel(ModuleId module, std::string_view name) {
  const auto entry = modules_.find(module);
  if (entry == modules_.end()) return NoModule();
  LoadedModule& loaded = entry->second;
  if (const auto known = loaded.kernels.find(name); known != loaded.kernels.end())
    return kernels_.at(known->second)->info;
  auto found = backend_->FindKernel(*loaded.module, name);
  if (!found) return found.error();
  (*found)->info.id = next_kernel_;
  const KernelInfo& info = kernels_.emplace(next_kernel_, std::move(*found)).first->second->info;
  loaded.kernels.emplace(name, next_kernel_++);
  return info;
}

CudaResult<VariableInfo> LocalDevice::FindVariable(ModuleId module, std::string_view name) {
  const auto entry = modules_.find(module);
  if (entry == modules_.end()) return NoModule();
  return backend_->FindVariable(*entry->second.module, name);
}

std::vector<KernelResources> LocalDevice::ListKernelResources(ClientId client) {
  std::vector<KernelResources> all;
  for (const auto& [id, loaded] : modules_) {
    if (loaded.client != client) continue;
    all.insert(all.end(), loaded.module->resources.begin(), loaded.module->resources.end());
  }
  return all;
}

Backend::Kernel* LocalDevice::GetKernel(KernelId id) {
  const auto entry = kernels_.find(id);
  return entry == kernels_.end() ? nullptr : entry->second.get();
}

CudaResult<std::uint32_t> LocalDevice::BlocksPerMultiprocessor(KernelId id, std::uint32_t block_threads,
                                                               std::uint32_t dynamic_shared_bytes) {
  const Backend::Kernel* kernel = GetKernel(id);
  if (kernel == nullptr) return NoKernel();
  return warplings::BlocksPerMultiprocessor(
      profile_,
      {block_threads, kernel->limits.registers, kernel->limits.static_shared_bytes, dynamic_shared_bytes});
}

CudaStatus LocalDevice::SetMaxDynamicShared(KernelId id, std::uint32_t bytes) {
  Backend::Kernel* kernel = GetKernel(id);
  if (kernel == nullptr) return NoKernel();
  if (std::uint64_t{bytes} + kernel->limits.static_shared_bytes > profile_.shared_bytes_per_block_optin) {
    return CudaFault{CudaError::kInvalidValue,
                     say::more_shared_memory_than_card(bytes, profile_.shared_bytes_per_block_optin)};
  }
  kernel->limits.max_dynamic_shared = bytes;
  backend_->NoteLimits(*kernel);
  return Unit{};
}

// --- Memory ----------------------------------------------------------------------------------------

CudaResult<Allocation> LocalDevice::Allocate(std::uint64_t bytes, AllocationKind kind) {
  if (bytes == 0) return CudaFault{CudaError::kInvalidValue, say::allocation_of_0_bytes()};
  auto reserved = backend_->Reserve(bytes, kind);
  if (reserved && kind == AllocationKind::kGraph) {
    if (auto withdrawn = backend_->SetPresent(reserved->address, false); !withdrawn) return withdrawn.error();
  }
  return reserved;
}

CudaStatus LocalDevice::Free(DevicePointer address) {
  const CudaStatus ran = streams_.SynchronizeAll();
  AddFindings(missing_waits_.TakeBeforeFree(address, races_->order()));
  races_->EndAll(ordinal_);
  CudaStatus waited = Wait(ran);
  CudaStatus released = Release(address);
  return waited ? released : waited;
}

CudaStatus LocalDevice::Release(DevicePointer address) {
  races_->Forget(address);
  return backend_->Release(address);
}

void LocalDevice::NoteAllocation(DevicePointer address, StreamId stream) {
  const Operation operation = Issue(stream);
  if (!operation) return;
  operation->what = "cudaMallocAsync";
  operation->role = StreamRaces::Role::kAllocates;
  NoteLifetime(operation, address);
}

CudaStatus LocalDevice::FreeInStream(DevicePointer address, StreamId stream, std::function<void()> freed) {
  const Operation operation = Issue(stream);
  if (operation) {
    operation->what = "cudaFreeAsync";
    operation->role = StreamRaces::Role::kFrees;
  }
  // Not named as pending work: a program may end without waiting for it.
  return streams_.Submit(stream, "", [=, this] {
    NoteLifetime(operation, address);
    CudaStatus released = Release(address);
    freed();
    return released;
  });
}

CudaStatus LocalDevice::ChangeGraphMemory(DevicePointer address, StreamId stream, bool present) {
  const Operation operation = Issue(stream);
  if (operation) {
    operation->what = present ? say::graph_allocates() : say::graph_frees();
    operation->role = present ? StreamRaces::Role::kAllocates : StreamRaces::Role::kFrees;
  }
  return streams_.Submit(stream, "", [=, this] {
    if (!present) {
      NoteLifetime(operation, address);
      races_->Forget(address);
      return backend_->SetPresent(address, false);
    }
    CudaStatus done = backend_->SetPresent(address, true);
    if (done) NoteLifetime(operation, address);
    return done;
  });
}

CudaStatus LocalDevice::SetPeerAccess(std::size_t device, bool on) {
  streams_.RunEarly();
  CudaStatus set = backend_->SetPeerAccess(device, on);
  if (set && on) races_->order().JoinDevices();
  return set;
}

CudaStatus LocalDevice::SetLabel(DevicePointer address, std::string_view label) {
  return backend_->SetLabel(address, label);
}

CudaStatus LocalDevice::MarkUninitialised(DevicePointer address, std::uint64_t bytes) {
  return backend_->MarkUninitialised(address, bytes);
}

// --- Work ------------------------------------------------------------------------------------------

LocalDevice::Operation LocalDevice::Issue(StreamId stream) {
  if (served_ != 0) return races_->Issue(Ordered(stream));
  races_->IssueUnchecked(Ordered(stream));
  return nullptr;
}

void LocalDevice::AwaitDefaultStream(StreamId stream) {
  if (stream == 0) races_->order().AwaitStream(Ordered(0));
}

bool LocalDevice::IsHostMemory(DevicePointer address) {
  return (races_->order().matters() || finds_missing_waits_) && IsOfHost(address);
}

bool LocalDevice::IsOfHost(DevicePointer address) {
  const auto array = backend_->FindArray(address);
  return array && array->is_host_memory;
}

void LocalDevice::NoteCopy(const Operation& operation, DevicePointer target, DevicePointer source,
                           std::uint64_t bytes) {
  if (!operation || bytes == 0) return;
  std::vector<ArrayAccesses> accesses;
  if (const auto array = target != 0 ? backend_->FindArray(target) : std::nullopt) {
    accesses.emplace_back().array = *array;
    accesses.back().written = accesses.back().changed = {{target, target + bytes}};
  }
  if (const auto array = source != 0 ? backend_->FindArray(source) : std::nullopt) {
    accesses.emplace_back().array = *array;
    accesses.back().read = {{source, source + bytes}};
  }
  races_->Note(operation, std::move(accesses));
}

void LocalDevice::NoteLifetime(const Operation& operation, DevicePointer address) {
  if (!operation) return;
  const auto array = backend_->FindArray(address);
  if (!array) return;
  std::vector<ArrayAccesses> accesses(1);
  accesses[0].array = *array;
  // No use of the memory may be unordered with it, neither a read nor a write.
  accesses[0].read = accesses[0].written =
      accesses[0].changed = {{array->start, array->start + array->bytes}};
  races_->Note(operation, std::move(accesses));
}

CudaStatus LocalDevice::CopyIn(DevicePointer target, std::span<const std::byte> source, StreamId stream) {
  const Operation operation = Issue(stream);
  if (operation) operation->what = say::copy_to_device();
  // cudaMemcpy returns when it has the bytes. That they arrive later than the call returns, as CUDA allows,
  // is left out: no card does so visibly.
  AwaitDefaultStream(stream);
  const auto copy = [this, target, operation](std::span<const std::byte> bytes) {
    CudaStatus copied =
        backend_->Copy(target, HostAddress(bytes.data()), bytes.size(), Backend::CopyKind::kToDevice);
    if (copied) NoteCopy(operation, target, 0, bytes.size());
    return copied;
  };
  // What runs at once needs no copy of its own.
  if (streams_.RunsAtOnce(stream)) return copy(source);
  // The bytes are taken now: a copy from pageable memory is staged before the call returns.
  return streams_.Submit(
      stream, say::pending_copy_to_device(source.size()),
      [copy, bytes = std::vector<std::byte>(source.begin(), source.end())] { return copy(bytes); },
      source.size());
}

CudaStatus LocalDevice::CopyOut(std::span<std::byte> target, DevicePointer source, StreamId stream) {
  const Operation operation = Issue(stream);
  if (operation) operation->what = say::copy_from_device();
  if (auto done = streams_.Synchronize(stream); !done) return done;
  CudaStatus copied =
      backend_->Copy(HostAddress(target.data()), source, target.size(), Backend::CopyKind::kToHost);
  if (copied) NoteCopy(operation, 0, source, target.size());
  races_->order().AwaitStream(Ordered(stream));
  return copied;
}

CudaStatus LocalDevice::CopyWithin(DevicePointer target, DevicePointer source, std::uint64_t bytes,
                                   StreamId stream, bool host_waits) {
  const bool to_host = IsHostMemory(target), from_host = IsHostMemory(source);
  const Operation operation = Issue(stream);
  if (operation) {
    operation->what = to_host == from_host ? say::copy_within_device()
                      : to_host            ? say::copy_from_device()
                                           : say::copy_to_device();
  }
  const StreamOrder::Issued place = to_host ? PlaceOf(operation, stream) : StreamOrder::Issued{};
  // cudaMemcpy waits if host memory takes part; between device memory it does not.
  if (host_waits && (to_host || from_host)) AwaitDefaultStream(stream);
  const bool begins_on_host = IsOfHost(source), ends_on_host = IsOfHost(target);
  const Message what = begins_on_host && ends_on_host ? say::pending_copy_within_host(bytes)
                       : begins_on_host               ? say::pending_copy_to_device(bytes)
                       : ends_on_host                 ? say::pending_copy_from_device(bytes)
                                                      : say::pending_copy_within_device(bytes);
  return streams_.Submit(stream, what, [=, this]() -> CudaStatus {
    CudaStatus copied = backend_->Copy(target, source, bytes, Backend::CopyKind::kWithinDevice);
    if (!copied) return copied;
    NoteCopy(operation, target, source, bytes);
    if (place.number != 0) NoteCopyToHost(place, target, source);
    return copied;
  });
}

CudaStatus LocalDevice::Fill(DevicePointer target, std::uint8_t value, std::uint64_t bytes, StreamId stream) {
  const Operation operation = Issue(stream);
  if (operation) operation->what = say::fill_of_memory();
  // cudaMemset waits if it fills host memory, and only then.
  if (IsHostMemory(target)) AwaitDefaultStream(stream);
  return streams_.Submit(stream, say::pending_fill(bytes), [=, this]() -> CudaStatus {
    CudaStatus filled = backend_->Fill(target, value, bytes);
    if (filled) NoteCopy(operation, target, 0, bytes);
    return filled;
  });
}

CudaStatus LocalDevice::RunKernel(const Operation& operation, const LaunchRequest& request) {
  // Its module may have been unloaded meanwhile.
  Backend::Kernel* launched = GetKernel(request.kernel);
  if (launched == nullptr) return NoKernel();
  if (!operation) return backend_->Launch(*launched, request);
  struct Recording {
    explicit Recording(Backend& its_backend) : backend(its_backend) { backend.RecordAccesses(&accesses); }
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;
    ~Recording() { backend.RecordAccesses(nullptr); }
    Backend& backend;
    LaunchAccesses accesses;
  } recording(*backend_);
  const CudaStatus status = backend_->Launch(*launched, request);
  operation->signals = recording.accesses.signals;
  operation->waits = recording.accesses.waits;
  races_->Note(operation, std::move(recording.accesses.arrays));
  return status;
}

StreamOrder::Issued LocalDevice::PlaceOf(const Operation& operation, StreamId stream) {
  if (!finds_missing_waits_ || served_ == 0) return {};
  return operation ? operation->issued : races_->order().Issue(Ordered(stream));
}

void LocalDevice::NoteHostArrays(const StreamOrder::Issued& place, const std::string& kernel) {
  if (place.number == 0) return;
  std::vector<DevicePointer> arrays = backend_->TakeHostArrays();
  if (!arrays.empty())
    missing_waits_.Note({say::in_kernel(kernel), kernel, place, std::move(arrays)}, races_->order());
}

void LocalDevice::NoteCopyToHost(const StreamOrder::Issued& place, DevicePointer target,
                                 DevicePointer source) {
  // Who frees what is copied before the copy was waited for has most likely looked at the result already.
  std::vector<DevicePointer> arrays;
  for (const DevicePointer address : {target, source}) {
    if (const auto array = backend_->FindArray(address)) arrays.push_back(array->start);
  }
  std::ranges::sort(arrays);
  missing_waits_.Note({say::copy_from_device(), "", place, std::move(arrays)}, races_->order());
}

void LocalDevice::AddFindings(std::vector<Finding> findings) {
  for (Finding& finding : findings) AddFinding(std::move(finding));
}

CudaStatus LocalDevice::CheckLaunch(const LaunchRequest& request) {
  const Backend::Kernel* kernel = GetKernel(request.kernel);
  if (kernel == nullptr) return NoKernel();
  return warplings::CheckLaunch(profile_, kernel->limits, request);
}

CudaStatus LocalDevice::Launch(const LaunchRequest& request) {
  const Backend::Kernel* kernel = GetKernel(request.kernel);
  if (kernel == nullptr) return NoKernel();
  if (auto allowed = CheckLaunch(request); !allowed) return allowed;
  const std::string& name = kernel->info.resources.kernel;
  const Operation operation = Issue(request.stream);
  if (operation) {
    operation->what = say::in_kernel(name);
    operation->kernel = name;
  }
  return streams_.Submit(
      request.stream, say::pending_kernel(name),
      [this, request, operation, place = PlaceOf(operation, request.stream), name] {
        CudaStatus ran = RunKernel(operation, request);
        NoteHostArrays(place, name);
        return ran;
      },
      request.arguments.size());
}

// --- Streams and events ----------------------------------------------------------------------------

CudaStatus LocalDevice::Wait(CudaStatus ran) {
  return ran ? backend_->Wait() : ran;
}

CudaResult<StreamId> LocalDevice::CreateStream(ClientId client, StreamFlags flags) {
  auto created = streams_.Create(client, flags);
  if (created) races_->order().Create(Ordered(*created), flags);
  return created;
}

CudaStatus LocalDevice::DestroyStream(ClientId client, StreamId stream) {
  CudaStatus destroyed = streams_.Destroy(client, stream);
  if (!streams_.Exists(stream)) races_->order().Destroy(Ordered(stream));
  return destroyed;
}

CudaResult<bool> LocalDevice::QueryStream(StreamId stream) {
  auto is_done = streams_.Query(stream);
  if (is_done && *is_done) races_->order().AwaitStream(Ordered(stream));
  return is_done;
}

CudaStatus LocalDevice::SynchronizeStream(StreamId stream) {
  const CudaStatus ran = streams_.Synchronize(stream);
  races_->order().AwaitStream(Ordered(stream));
  return Wait(ran);
}

CudaStatus LocalDevice::SynchronizeAll() {
  const CudaStatus ran = streams_.SynchronizeAll();
  races_->EndAll(ordinal_);
  return Wait(ran);
}

CudaResult<Streams::HostFunction> LocalDevice::SubmitHostFunction(StreamId stream) {
  auto submitted = streams_.SubmitHostFunction(stream);
  missing_waits_.Forget();  // The function may tell the program that the work before it is done.
  // A card may still be at the work before it. The program does not wait, so nothing is ordered by this.
  if (submitted && *submitted == 0) {
    if (auto done = backend_->Wait(); !done) return done.error();
  }
  return submitted;
}

CudaStatus LocalDevice::DestroyEvent(ClientId client, EventId event) {
  CudaStatus destroyed = streams_.DestroyEvent(client, event);
  if (destroyed) races_->order().Forget(Ordered(event));
  return destroyed;
}

CudaStatus LocalDevice::RecordEvent(EventId event, StreamId stream) {
  CudaStatus recorded = streams_.Record(event, stream, [this] { return backend_->Seconds(); });
  if (recorded) {
    missing_waits_.NoteRecord(Ordered(event));
    races_->order().Record(Ordered(event), Ordered(stream));
  }
  return recorded;
}

CudaStatus LocalDevice::WaitEvent(StreamId stream, EventId event) {
  races_->order().Wait(Ordered(stream), Ordered(event));
  return streams_.Wait(stream, event);
}

CudaResult<bool> LocalDevice::QueryEvent(EventId event) {
  auto is_reached = streams_.QueryEvent(event);
  if (is_reached && *is_reached) races_->order().AwaitEvent(Ordered(event));
  return is_reached;
}

CudaStatus LocalDevice::SynchronizeEvent(EventId event) {
  const CudaStatus ran = streams_.SynchronizeEvent(event);
  races_->order().AwaitEvent(Ordered(event));
  return Wait(ran);
}

CudaResult<float> LocalDevice::ElapsedMilliseconds(EventId start, EventId stop) {
  auto elapsed = streams_.ElapsedMilliseconds(start, stop);
  const bool is_asked = elapsed || elapsed.error().code == CudaError::kNotReady;
  if (is_asked && finds_missing_waits_ && missing_waits_.IsTimeTooEarly(Ordered(stop), races_->order()))
    return CudaFault{CudaError::kNotReady, say::event_not_reached()};
  if (elapsed) {  // The host has seen that both were reached.
    races_->order().AwaitEvent(Ordered(start));
    races_->order().AwaitEvent(Ordered(stop));
  }
  return elapsed;
}

// --- Time ------------------------------------------------------------------------------------------

CudaStatus LocalDevice::BeginTiming() {
  if (auto done = SynchronizeAll(); !done) return done;
  return backend_->BeginTiming();
}

CudaResult<Timing> LocalDevice::EndTiming() {
  // Work that a live run left on streams of its own belongs to its time.
  const CudaStatus done = streams_.SynchronizeAll();
  races_->EndAll(ordinal_);
  if (!done) return done.error();
  return backend_->EndTiming();
}

CudaResult<Timing> Backend::EndTiming() {
  if (auto done = Wait(); !done) return done.error();
  return Timing{};
}

// --- Observation -----------------------------------------------------------------------------------

void LocalDevice::SetObservation(const ObservationOptions& options) {
  races_->Enable(options.checks);
  finds_missing_waits_ = options.checks && options.missing_waits;
  backend_->SetObservation(options);
}

/// Whether two findings about pointers of the host are about two of the kernel's arguments.
static bool AreOfTwoArguments(const Finding& a, const Finding& b) {
  const auto& row = say::argument_outside_memory;
  return row.Made(a.message) && row.Made(b.message) &&
         a.message.arguments().at(2).number != b.message.arguments().at(2).number;
}

void Observed::Add(Finding finding) {
  for (Finding& known : findings) {
    if (known.kind == finding.kind && known.kernel == finding.kernel && known.where == finding.where &&
        known.other == finding.other && known.object == finding.object && known.access == finding.access &&
        (finding.where.line || known.message == finding.message) && !AreOfTwoArguments(known, finding)) {
      // One pair that writes different values makes the line's race an error: that pair is the example.
      finding.count += known.count;
      known.count = finding.count;
      if (finding.severity > known.severity) known = std::move(finding);
      return;
    }
  }
  if (findings.size() < kMaximumFindings) findings.push_back(std::move(finding));
}

bool Observed::Add(LaunchRecord record) {
  if (launches.size() == kMaximumLaunches) return false;
  kept_lines_ += record.lines.size();
  if (kept_lines_ > kMaximumLines) {
    const auto first = std::ranges::find(launches, record.kernel, &LaunchRecord::kernel);
    if (first != launches.end()) {
      const std::size_t before = first->lines.size();
      AddLines(first->lines, record.lines);
      kept_lines_ += first->lines.size() - before;
      kept_lines_ -= record.lines.size();
      record.lines = std::vector<LineCounts>();  // clear() would keep the memory.
    }
  }
  launches.push_back(std::move(record));
  return true;
}

std::vector<LaunchRecord> Observed::TakeLaunches() {
  kept_lines_ = 0;
  return std::exchange(launches, {});
}

Observed& LocalDevice::Complete(Observed::Part part) {
  backend_->Complete(part);
  return backend_->observed;
}

std::vector<Finding> LocalDevice::TakeFindings() {
  AddFindings(missing_waits_.TakeAtEnd(races_->order()));
  return std::exchange(Complete(Observed::Part::kFindings).findings, {});
}
std::vector<LaunchRecord> LocalDevice::TakeLaunches() {
  return Complete(Observed::Part::kLaunches).TakeLaunches();
}
std::vector<ArrayWriters> LocalDevice::ListArrayWriters() {
  return std::exchange(Complete(Observed::Part::kArrayWriters).array_writers, {});
}
std::vector<KernelProfile> LocalDevice::TakeProfile() {
  return std::exchange(Complete(Observed::Part::kProfile).profile, {});
}
std::string LocalDevice::TakePrinted() {
  return std::exchange(Complete(Observed::Part::kPrinted).printed, {});
}

void LocalDevice::DropClient(ClientId client) {
  AddFindings(missing_waits_.TakeAtEnd(races_->order()));
  for (const StreamId stream : streams_.DropClient(client)) {
    races_->order().AwaitStream(Ordered(stream));  // Nothing of it runs any more.
    races_->order().Destroy(Ordered(stream));
  }
  races_->order().ForgetEvents([this](EventId event) {
    return StreamOrder::DeviceOf(event) == ordinal_ && !streams_.HasEvent(event - Ordered(0));
  });
  // A kernel that still runs uses the client's memory. Its error belongs to a client that is gone.
  static_cast<void>(backend_->Wait().ok());
  for (auto entry = modules_.begin(); entry != modules_.end();) {
    entry = entry->second.client == client ? Unload(entry) : std::next(entry);
  }
  backend_->FreeHeapOf(client);
  backend_->EndPeerAccess();
}

}  // namespace warplings
