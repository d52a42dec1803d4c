// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/core/finding.h"
#include "grader/core/test_result.h"
#include "grader/suite/suite_messages.h"

namespace warplings {

// Questions about one test's result, with which suites arrive at facts.

/// True if there was a launch and every launch ran to its end. Otherwise neither findings nor counts of the
/// test are reliable.
bool Completed(const TestResult& test);

/// True if the function came to its end: it did not crash, and no limit stopped it. What it left undone is a
/// mistake of its own only then.
bool Returned(const TestResult& test);

bool HasFinding(const TestResult& test, FindingKind kind);
bool HasFinding(const TestResult& test, FindingKind kind, MemorySpace space);
/// True for a race in which both threads store. A barrier does not help there: two threads use the same
/// location for different values.
bool BothStore(const Finding& finding);

/// True for a race with an asynchronous copy, for which its thread has to wait: a barrier does not.
bool IsOfAsyncCopy(const Finding& finding);

/// True if the test has a race in shared memory that a barrier would fix: one thread reads what another one
/// stores.
bool ReadsTooEarlyOrStoresOver(const TestResult& test);

/// The same of one finding: a race between a store into shared memory and a read of it.
bool NeedsABarrier(const Finding& finding);

/// What the source has between the line that stores into shared memory and the one that reads, of a test's
/// races between the two. A loop over phases stores tiles and then reads them: a barrier in between that
/// always runs leaves only the way from the read of one phase to the store of the next. Lines of functions
/// that are called may stand in another order than they run.
enum class RaceBarrier {
  kNone,            ///< No barrier.
  kAlways,          ///< One that runs as often as any other barrier.
  kSometimes,       ///< One that another one runs more often than.
  kStoreComesLast,  ///< The store stands behind the read.
  kUnknown,         ///< No line is known, or the races differ.
};
RaceBarrier BarrierOfRaces(const TestResult& test);

/// The lines of a race between a store and a read; 0 where one is unknown.
struct RacingLines {
  int store = 0, read = 0;
};
RacingLines LinesOfRace(const Finding& finding);

/// Of a race between a store and a read in different passes of a loop, what to say of it; empty of any other
/// race. In the source a barrier that always runs, and more than once, stands between the two lines, so that
/// it orders them within a pass:
///  - the read comes last: the next pass stores over what is still read; or, where `findings` of the same
///    test say that nobody had written what was read, a later pass stores it;
///  - the store comes last: the next pass reads it.
Message RaceOfPasses(const Finding& finding, std::span<const LaunchRecord> launches,
                     std::span<const Finding> findings);

/// Of a fact that such a race shows: says which lines race.
void NameRaceOfPasses(Fact& fact, const TestResult& test);

/// True for a launch or a call that was refused for the reason with this id: say::no_blocks.id.
bool Refused(const Finding& finding, std::string_view reason);

/// Whether it says that a block has more threads than a block can have.
bool HasTooManyThreads(const Finding& finding);

bool HasError(const TestResult& test);  ///< Any finding of severity error.

/// Accesses outside the array called `label`, counted per thread.
std::uint64_t CountOutside(const TestResult& test, std::string_view label, Access access);

/// Sum over all launches.
Counts TotalCounts(const TestResult& test);
Counts TotalCounts(std::span<const LaunchRecord> launches);

/// In how many different streams the call's kernels ran; the default stream counts as one.
std::size_t StreamsOf(const TestResult& test);

/// Shared-memory conflicts per request, loads and stores together; 0 without a request.
double ConflictsPerRequest(const Counts& counts);

/// The first failed test for which `predicate` holds, or else the first such test that did not fail; null if
/// there is none. Failed tests are preferred because a report names the test as an example of what is wrong.
template <class Evidence, class Predicate>
const Evidence* FirstWith(std::span<const Evidence> all, const Predicate& predicate) {
  const auto failed = std::ranges::find_if(
      all, [&](const Evidence& each) { return HasFailed(each.result) && predicate(each); });
  if (failed != all.end()) return &*failed;
  const auto found = std::ranges::find_if(all, predicate);
  return found == all.end() ? nullptr : &*found;
}

/// "12.8"
std::string OneDecimal(double value);

/// States a fact unless `found` has it already, and returns it. It explains what fails as the test that it
/// names does; if that test passed, exceeded limits only. Its id is that of the message's row: in
/// "TEST: MESSAGE", of the message behind the test.
Fact& AddFact(std::vector<Fact>& found, const Message& message);

/// The same with an id of its own: for a model that reproduces the answers, where several models are said in
/// the same words.
Fact& AddFact(std::vector<Fact>& found, std::string id, const Message& message);

/// Says which finding shows a fact, for a report to show it, too: the first of the test's for which `is_it`
/// is true. Does nothing if the fact has a finding already.
void ShowFinding(Fact& fact, const TestResult& test, const std::function<bool(const Finding&)>& is_it);
void ShowFinding(Fact& fact, const TestResult& test, FindingKind kind);

/// For ShowFinding: findings of accesses outside the array, as CountOutside counts them.
std::function<bool(const Finding&)> Outside(std::string label, Access access);
/// For ShowFinding: findings of this kind in shared memory.
std::function<bool(const Finding&)> InShared(FindingKind kind);

/// Like AddFact, but the fact explains only `test`, or the tests of several calls of this function. For tests
/// that fail in the same way for different reasons. If all these tests passed, it is about a limit of every
/// call (EveryCall): it explains the limit's test, and no test that fails in another way.
Fact& AddFactOf(std::vector<Fact>& found, const Message& message, const std::string& test);
Fact& AddFactOf(std::vector<Fact>& found, std::string id, const Message& message, const std::string& test);

}  // namespace warplings
