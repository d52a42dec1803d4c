// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include "grader/messages/joining.h"
#include "grader/suite/evidence.h"

namespace warplings::recurs {

// What this chapter's recognisers look for in the same way. An exercise's Evidence has `test`, the test's
// name, and `result`.

/// The calls of tests that failed, then the others. A limit is graded in a test of its own, and the report
/// shows that test's numbers: so advice takes them from there.
template <class Evidence>
std::vector<const Evidence*> FailedFirst(std::span<const Evidence> all) {
  std::vector<const Evidence*> calls;
  for (const Evidence& e : all) calls.push_back(&e);
  std::ranges::stable_partition(calls, [](const Evidence* e) { return HasFailed(e->result); });
  return calls;
}

/// States the fact, about the first test that has such a finding, and shows the finding. False if there is
/// none.
template <class Evidence>
bool FindBy(std::span<const Evidence> all, const std::function<bool(const Finding&)>& is_it,
            const Message& what, std::vector<Fact>& found) {
  const Evidence* seen =
      FirstWith(all, [&](const Evidence& e) { return std::ranges::any_of(e.result.findings, is_it); });
  if (seen == nullptr) return false;
  ShowFinding(AddFact(found, say::of_test(seen->test, what)), seen->result, is_it);
  return true;
}

/// As FindBy, for what each test shows by itself, whether its values are wrong or not: the fact lists all
/// failed tests that have such a finding.
template <class Evidence>
bool FindInEach(std::span<const Evidence> all, const std::function<bool(const Finding&)>& is_it,
                const Message& what, std::vector<Fact>& found) {
  if (!FindBy(all, is_it, what, found)) return false;
  for (const Evidence& e : all) {
    if (HasFailed(e.result) && std::ranges::any_of(e.result.findings, is_it))
      found.back().tests.push_back(e.test);
  }
  return true;
}

/// As FindBy, for threads that return before a barrier. They do no harm unless something was theirs to do: a
/// place in shared memory was never stored, or values are wrong.
template <class Evidence>
bool FindReturns(std::span<const Evidence> all, const Message& what, std::vector<Fact>& found) {
  constexpr FindingKind kKind = FindingKind::kBarrierAfterExit;
  const Evidence* seen = FirstWith(all, [](const Evidence& e) {
    const bool lacks_values = HasFinding(e.result, FindingKind::kUninitialised, MemorySpace::kShared) ||
                              (e.result.wrong_count > 0 && !HasError(e.result));
    return lacks_values && HasFinding(e.result, kKind);
  });
  if (seen == nullptr) return false;
  ShowFinding(AddFact(found, say::of_test(seen->test, what)), seen->result, kKind);
  return true;
}

}  // namespace warplings::recurs
