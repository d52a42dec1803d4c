// SPDX-License-Identifier: Apache-2.0
#include "grader/device/leaks.h"

#include <string>
#include <utility>

namespace warplings {
namespace {

/// The runtime's functions that allocated it.
std::string Calls(const Ledger::Leaks& leaks) {
  std::string calls;
  for (const auto& [has_called, name] : {std::pair{leaks.device, "cudaMalloc"},
                                         {leaks.pinned, "cudaMallocHost"},
                                         {leaks.managed, "cudaMallocManaged"}}) {
    if (!has_called) continue;
    if (!calls.empty()) calls += ", ";
    calls += name;
  }
  return calls;
}

}  // namespace

std::optional<Finding> FindingForLeaks(const Ledger::Leaks& leaks) {
  if (leaks.count == 0) return std::nullopt;
  const bool one = leaks.count == 1;
  Finding finding;
  finding.kind = FindingKind::kLeak;
  finding.severity = Severity::kWarning;
  finding.message = std::to_string(leaks.count) + (one ? " allocation" : " allocations") + " of " +
                    std::to_string(leaks.bytes) + (leaks.bytes == 1 ? " byte" : " bytes") +
                    (one ? " was" : " in all were") + " never freed (" + Calls(leaks) + ")";
  return finding;
}

}  // namespace warplings
