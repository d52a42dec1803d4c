// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/same_cause.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "grader/messages/findings.h"
#include "grader/messages/refusals.h"

namespace warplings {
namespace {

/// How many findings follow from each one that is left.
std::vector<std::size_t> Followers(const std::vector<Finding>& findings) {
  std::vector<std::size_t> followers;
  for (const LeadingFinding& each : WithoutFollowers(findings)) followers.push_back(each.followers);
  return followers;
}

using Counts = std::vector<std::size_t>;

TEST(SameCause, ReadsAndWritesThroughOneHostPointer) {
  const auto access = [](const Message& verb, int argument, const std::string& kernel = "inc") {
    Finding finding;
    finding.kernel = kernel;
    finding.message = say::argument_outside_memory(verb, say::Count(4, "byte"), argument);
    return finding;
  };
  EXPECT_EQ(Followers({access(say::reads(), 1), access(say::writes(), 1)}), Counts{1});
  EXPECT_EQ(Followers({access(say::reads(), 1), access(say::writes(), 2)}), (Counts{0, 0}));
  EXPECT_EQ(Followers({access(say::reads(), 1), access(say::reads(), 1, "dec")}), (Counts{0, 0}));
}

TEST(SameCause, RacesWithOneOperationThatAStreamDoesNotAwait) {
  const auto race = [](const Message& what, int stream, const Message& awaited, int other) {
    Finding finding;
    finding.kind = FindingKind::kRaceBetweenStreams;
    finding.message = say::race_of_streams_read(what, say::numbered_stream(stream), say::one_byte(0),
                                                Message("a"), awaited, say::numbered_stream(other));
    return finding;
  };
  const Message copy = say::copy_to_device(), back = say::copy_from_device();
  const Finding first = race(Message("kernel scale"), 2, copy, 1);
  EXPECT_EQ(Followers({first, race(back, 2, copy, 1), race(back, 2, copy, 1)}), Counts{2});
  EXPECT_EQ(Followers({first, race(copy, 1, back, 2)}), (Counts{0, 0})) << "the other stream waits";
  EXPECT_EQ(Followers({first, race(back, 2, Message("kernel fill"), 1)}), (Counts{0, 0}))
      << "for another kernel";
  EXPECT_EQ(Followers({first, race(back, 3, copy, 1)}), (Counts{0, 0})) << "a third stream";
}

TEST(SameCause, AReadOfWhatAnotherStreamStillCopies) {
  Finding race, read;
  race.kind = FindingKind::kRaceBetweenStreams;
  race.kernel = read.kernel = "k";
  race.object = read.object = say::argument(1);
  race.other_access = Access::kWrite;
  read.kind = FindingKind::kUninitialised;
  read.space = MemorySpace::kGlobal;
  EXPECT_EQ(Followers({race, read}), Counts{1});
  Finding other = read;
  other.object = say::argument(2);
  EXPECT_EQ(Followers({race, other}), (Counts{0, 0})) << "another array";
  race.other_access = Access::kRead;
  EXPECT_EQ(Followers({race, read}), (Counts{0, 0})) << "what comes later fills it";
}

TEST(SameCause, AnAllocationThatIsTooSmall) {
  const auto refused = [](const std::string& call, int bytes) {
    Finding finding;
    finding.kind = FindingKind::kInvalidCall;
    finding.message =
        say::refused(call, say::larger_than_allocation(say::Count(bytes, "byte"), say::Count(64, "byte")));
    return finding;
  };
  const auto access = [](FindingKind kind, int offset, int object_bytes = 64) {
    Finding finding;
    finding.kind = kind;
    finding.kernel = "k";
    finding.space = MemorySpace::kGlobal;
    finding.object_bytes = object_bytes;
    finding.offset_bytes = offset;
    return finding;
  };
  const Finding there = refused("cudaMemcpy to the device", 256);
  EXPECT_EQ(Followers({there, access(FindingKind::kOutOfBounds, 64), access(FindingKind::kUninitialised, 0),
                       refused("cudaMemcpy to the host", 256)}),
            Counts{3});
  EXPECT_EQ(Followers({there, access(FindingKind::kOutOfBounds, 256)}), (Counts{0, 0}))
      << "past the copy, too";
  EXPECT_EQ(Followers({there, access(FindingKind::kOutOfBounds, 128, 128)}), (Counts{0, 0}))
      << "another array";
  EXPECT_EQ(Followers({there, refused("cudaMemcpy to the host", 128)}), (Counts{0, 0})) << "another size";
}

TEST(SameCause, OneBarrier) {
  Finding divergent, after_exit;
  divergent.kind = FindingKind::kDivergentBarrier;
  after_exit.kind = FindingKind::kBarrierAfterExit;
  after_exit.severity = Severity::kWarning;
  divergent.where = after_exit.where = {"a.cu", 3};
  EXPECT_EQ(Followers({divergent, after_exit}), Counts{1});
  EXPECT_EQ(Followers({after_exit, divergent}), (Counts{0, 0}));
  after_exit.where.line = 4;
  EXPECT_EQ(Followers({divergent, after_exit}), (Counts{0, 0}));
}

}  // namespace
}  // namespace warplings
