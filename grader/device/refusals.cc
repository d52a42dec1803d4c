// SPDX-License-Identifier: Apache-2.0
#include "grader/device/refusals.h"

namespace warplings {
namespace {

/// Names of runtime functions are ASCII; anything else is not shown.
std::string FunctionName(std::string_view hostile) {
  constexpr std::size_t kLongest = 64;
  std::string name;
  for (char c : hostile.substr(0, kLongest)) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (plain) name += c;
  }
  return name.empty() ? "A runtime call" : name;
}

template <class Request>
bool Is(const protocol::CallRow& call) {
  return call.opcode == protocol::kOpcode<Request>;
}

FindingKind KindOf(const protocol::CallRow& call, CudaError code) {
  if (code == CudaError::kNotSupported || code == CudaError::kInvalidPtx) return FindingKind::kUnsupported;
  const bool launch =
      Is<protocol::Launch>(call) || Is<protocol::LoadModule>(call) || Is<protocol::FindKernel>(call);
  return launch ? FindingKind::kInvalidLaunch : FindingKind::kInvalidCall;
}

std::string_view Sentence(protocol::Refusal refusal) {
  switch (refusal) {
    case protocol::Refusal::kUnknownKernel:
      return "the function is not a kernel of this program's loaded modules.";
    case protocol::Refusal::kUnknownSymbol: return "the symbol is not a __device__ or __constant__ variable.";
    case protocol::Refusal::kNullPointer: return "a null pointer was passed with a size that is not zero.";
    case protocol::Refusal::kWrongDirection:
      return "the copy's direction does not fit its pointers (device memory is not host memory).";
    case protocol::Refusal::kUnsupportedCall: return "Warplings does not support this call.";
    case protocol::Refusal::kWrongFree:
      return "the memory is to be freed by the function that goes with its allocation (cudaFree for "
             "cudaMalloc and "
             "cudaMallocManaged, cudaFreeHost for cudaMallocHost and cudaHostAlloc).";
    case protocol::Refusal::kRange: return "sizes, offsets or pitches do not fit each other.";
  }
  return "refused.";
}

}  // namespace

std::optional<Finding> FindingForRefusal(const protocol::CallRow& call, const CudaFault& fault,
                                         std::string kernel) {
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
  finding.message = std::string(call.name) + " was refused: " + fault.message;
  return finding;
}

Finding FindingForRefusal(protocol::Refusal refusal, std::string_view call) {
  Finding finding;
  finding.kind = FindingKind::kInvalidCall;
  if (refusal == protocol::Refusal::kUnsupportedCall) finding.kind = FindingKind::kUnsupported;
  if (refusal == protocol::Refusal::kUnknownKernel) finding.kind = FindingKind::kInvalidLaunch;
  finding.message = FunctionName(call) + " was refused: " + std::string(Sentence(refusal));
  return finding;
}

}  // namespace warplings
