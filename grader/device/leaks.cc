// SPDX-License-Identifier: Apache-2.0
#include "grader/device/leaks.h"

#include <string>
#include <utility>

#include "grader/messages/findings.h"

namespace warplings {
namespace {

/// The runtime's functions that allocated it.
std::string Calls(const Ledger::Leaks& leaks) {
  std::string calls;
  for (const auto& [has_called, name] : {std::pair{leaks.device, "cudaMalloc"},
                                         {leaks.in_stream, "cudaMallocAsync"},
                                         {leaks.pinned, "cudaMallocHost/cudaHostRegister"},
                                         {leaks.managed, "cudaMallocManaged"},
                                         {leaks.graph, "cudaGraphAddMemAllocNode"},
                                         {leaks.array, "cudaMallocArray"}}) {
    if (!has_called) continue;
    if (!calls.empty()) calls += ", ";
    calls += name;
  }
  return calls;
}

}  // namespace

std::optional<Finding> FindingForLeaks(const Ledger::Leaks& leaks) {
  if (leaks.count == 0) return std::nullopt;
  Finding finding;
  finding.kind = FindingKind::kLeak;
  finding.severity = Severity::kWarning;
  const auto& row = leaks.count == 1 ? say::leak_of_one : say::leak_of_several;
  finding.message = row(say::Count(leaks.count, "allocation"), say::Count(leaks.bytes, "byte"), Calls(leaks));
  return finding;
}

}  // namespace warplings
