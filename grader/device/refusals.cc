// SPDX-License-Identifier: Apache-2.0
#include "grader/device/refusals.h"

#include <utility>

#include "grader/fatbin/device_names.h"
#include "grader/messages/findings.h"
#include "grader/messages/host_code.h"
#include "grader/messages/refusals.h"

namespace warplings {
namespace {

/// Names of runtime functions are ASCII; anything else is not shown. Empty: nothing is left.
std::string FunctionName(std::string_view hostile, std::size_t longest = 64) {
  std::string name;
  for (char c : hostile.substr(0, longest)) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (plain) name += c;
  }
  return name;
}

/// The name of a row of calls.h, with the driver API's function in place of the runtime's: "cuMemcpy to the
/// device". It stays as general, because the text is searched for a call that begins so.
std::string DriverName(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> kBeginnings[] = {
      {"cudaMalloc", "cuMemAlloc"}, {"cudaFree", "cuMemFree"}, {"cuda", "cu"}};
  for (const auto& [runtime, driver] : kBeginnings)
    if (name.starts_with(runtime)) return std::string(driver) + std::string(name.substr(runtime.size()));
  return std::string(name);
}

template <class Request>
bool Is(const protocol::CallRow& call) {
  return call.opcode == protocol::kOpcode<Request>;
}

FindingKind KindOf(const protocol::CallRow& call, CudaError code) {
  if (code == CudaError::kNotSupported || code == CudaError::kInvalidPtx) return FindingKind::kUnsupported;
  const bool launch = Is<protocol::Launch>(call) || Is<protocol::ValidateLaunch>(call) ||
                      Is<protocol::LoadModule>(call) || Is<protocol::FindKernel>(call);
  return launch ? FindingKind::kInvalidLaunch : FindingKind::kInvalidCall;
}

Message SizesInWords(const protocol::RefusedSizes& sizes) {
  const say::Count bytes(sizes.bytes, "byte"), room(sizes.variable_bytes, "byte");
  if (sizes.offset == 0) return say::variable_too_small(bytes, room);
  return say::variable_too_small_at(bytes, sizes.offset, room);
}

bool IsRemark(protocol::Refusal refusal) {
  return refusal == protocol::Refusal::kIsDeviceToDevice || refusal == protocol::Refusal::kIsDeviceToHost ||
         refusal == protocol::Refusal::kIsHostToDevice || refusal == protocol::Refusal::kWroteVariablesName ||
         refusal == protocol::Refusal::kReadVariablesName;
}

/// The name that the source has.
std::string VariableName(const protocol::ReportRefusal& report) {
  constexpr std::size_t kLongest = 512;  // Mangled.
  return fatbin::DemangledName(FunctionName(report.variable.name, kLongest));
}

const char* KindOfVariable(const protocol::ReportRefusal& report) {
  return report.variable.is_constant ? "__constant__" : "__device__";
}

Message Sentence(const protocol::ReportRefusal& report) {
  switch (report.refusal) {
    case protocol::Refusal::kUnknownKernel: return say::unknown_kernel();
    case protocol::Refusal::kUnknownSymbol: return say::unknown_symbol();
    case protocol::Refusal::kNullPointer: return say::null_pointer_passed();
    case protocol::Refusal::kWrongDirection: return say::wrong_direction();
    case protocol::Refusal::kUnsupportedCall: return say::unsupported_call();
    case protocol::Refusal::kWrongFree: return say::wrong_free();
    case protocol::Refusal::kUnfreedGraphMemory: return say::unfreed_graph_memory();
    case protocol::Refusal::kFreedGraphMemory: return say::freed_graph_memory();
    case protocol::Refusal::kOneInstanceOfGraph: return say::one_instance_of_graph();
    case protocol::Refusal::kBodyInstantiated: return say::body_instantiated();
    case protocol::Refusal::kUpdateFromInstance: return say::update_from_instance();
    case protocol::Refusal::kNodesOfMemoryStay: return say::nodes_of_memory_stay();
    case protocol::Refusal::kEndlessGraph: return say::endless_graph();
    case protocol::Refusal::kRange: return say::sizes_do_not_fit();
    case protocol::Refusal::kSymbolSize: return SizesInWords(report.sizes);
    case protocol::Refusal::kNotInitialised: return say::driver_not_initialised();
    case protocol::Refusal::kNoContext: return say::no_current_context();
    case protocol::Refusal::kUnknownContext: return say::no_such_context();
    case protocol::Refusal::kUnknownModule: return say::no_such_module();
    case protocol::Refusal::kUnknownFunction: return say::no_such_kernel();
    case protocol::Refusal::kMachineCode: return say::module_of_machine_code();
    case protocol::Refusal::kNoSuchFile: return say::module_file_not_read();
    case protocol::Refusal::kMisaligned: return say::fill_is_misaligned();
    case protocol::Refusal::kMixedArguments: return say::mixed_arguments();
    case protocol::Refusal::kTargetIsVariable:
    case protocol::Refusal::kSourceIsVariable:
      return say::variable_is_no_pointer(VariableName(report), KindOfVariable(report),
                                         FunctionName(report.call));
    case protocol::Refusal::kWroteVariablesName:
    case protocol::Refusal::kReadVariablesName:
    case protocol::Refusal::kIsDeviceToDevice:
    case protocol::Refusal::kIsDeviceToHost:
    case protocol::Refusal::kIsHostToDevice:
    case protocol::Refusal::kPastTargetBlock:
    case protocol::Refusal::kPastSourceBlock: break;
  }
  return say::unsupported_call();
}

}  // namespace

std::optional<Finding> FindingForRefusal(const protocol::CallRow& call, const CudaFault& fault,
                                         std::string kernel, bool of_driver) {
  switch (fault.code) {
    case CudaError::kSuccess:
    case CudaError::kMemoryAllocation:
    case CudaError::kNotReady:
    case CudaError::kIllegalAddress:
    case CudaError::kLaunchTimeout:
    case CudaError::kAssert:
    case CudaError::kLaunchFailure: return std::nullopt;
    default: break;
  }
  // What a device cannot load it has noted itself, with the line that it is about.
  const bool loads = Is<protocol::LoadModule>(call) || Is<protocol::FindKernel>(call);
  const bool noted = fault.code == CudaError::kInvalidPtx || fault.code == CudaError::kInvalidKernelImage ||
                     fault.code == CudaError::kNoKernelImageForDevice;
  if (loads && noted) return std::nullopt;
  Finding finding;
  finding.kind = KindOf(call, fault.code);
  finding.kernel = std::move(kernel);
  const std::string name = of_driver ? DriverName(call.name) : std::string(call.name);
  finding.message = say::refused(name, fault.message);
  return finding;
}

/// Of a copy that was done, but with host memory.
Message CopyByName(const protocol::ReportRefusal& report) {
  const auto& row = report.refusal == protocol::Refusal::kWroteVariablesName ? say::variable_written_by_name
                                                                             : say::variable_read_by_name;
  return row(VariableName(report), KindOfVariable(report), FunctionName(report.call));
}

/// Of a copy that was done, in another direction than the program said.
Message OtherDirection(const std::string& call, protocol::Refusal remark) {
  const bool from_host = remark == protocol::Refusal::kIsHostToDevice;
  const bool to_host = remark == protocol::Refusal::kIsDeviceToHost;
  if (!from_host && !to_host) {
    if (call.starts_with("cudaMemcpyToSymbol"))
      return say::other_direction_of_variable(call, say::from_host_to_device());
    if (call.starts_with("cudaMemcpyFromSymbol"))
      return say::other_direction_of_variable(call, say::from_device_to_host());
    return say::other_direction_in_device(call);
  }
  const auto memory = [](bool of_host) { return of_host ? say::host_memory() : say::device_memory(); };
  const char* const fitting = from_host ? "cudaMemcpyHostToDevice" : "cudaMemcpyDeviceToHost";
  return say::other_direction(call, memory(from_host), memory(to_host), fitting);
}

/// Of a copy that was shortened, because it passes the end of a block of the host's heap.
Message CopyPastBlock(const protocol::ReportRefusal& report) {
  const bool is_read = report.refusal == protocol::Refusal::kPastSourceBlock;
  const auto& [bytes, offset, block] = report.sizes;
  const say::Count copied(bytes, "byte");
  const std::string call = FunctionName(report.call);
  if (offset == 0)
    return is_read ? say::copies_past_source_block(call, copied, block)
                   : say::copies_past_target_block(call, copied, block);
  return is_read ? say::copies_past_source_block_at(call, copied, block, offset)
                 : say::copies_past_target_block_at(call, copied, block, offset);
}

Finding FindingForRefusal(const protocol::ReportRefusal& report) {
  Finding finding;
  finding.kind = FindingKind::kInvalidCall;
  if (report.refusal == protocol::Refusal::kPastTargetBlock ||
      report.refusal == protocol::Refusal::kPastSourceBlock) {
    finding.message = CopyPastBlock(report);
    return finding;
  }
  if (IsRemark(report.refusal)) {
    finding.severity = Severity::kWarning;
    const bool is_by_name = report.refusal == protocol::Refusal::kWroteVariablesName ||
                            report.refusal == protocol::Refusal::kReadVariablesName;
    finding.message =
        is_by_name ? CopyByName(report) : OtherDirection(FunctionName(report.call), report.refusal);
    return finding;
  }
  if (report.refusal == protocol::Refusal::kUnsupportedCall ||
      report.refusal == protocol::Refusal::kMachineCode)
    finding.kind = FindingKind::kUnsupported;
  if (report.refusal == protocol::Refusal::kEndlessGraph) finding.kind = FindingKind::kEndlessLoop;
  if (report.refusal == protocol::Refusal::kUnknownKernel) finding.kind = FindingKind::kInvalidLaunch;
  const std::string name = FunctionName(report.call);
  finding.message =
      name.empty() ? say::runtime_call_refused(Sentence(report)) : say::refused(name, Sentence(report));
  return finding;
}

CudaFault InvalidRequest(std::string message) {
  return {CudaError::kInvalidValue, std::move(message)};
}

CudaFault InvalidHandle(Message what) {
  return {CudaError::kInvalidResourceHandle, std::move(what)};
}

CudaFault NotSealed() {
  return {CudaError::kUnknown, "The device's shared memory is not sealed."};
}

}  // namespace warplings
