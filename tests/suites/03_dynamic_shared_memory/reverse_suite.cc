// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 3's reverse. Each test is one call on fresh values, no two of them alike, so that every
// element says where it came from.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "chapters/03_dynamic_shared_memory/reverse.h"
#include "grader/messages/joining.h"
#include "grader/messages/judging.h"
#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "grader/suite/judge.h"
#include "tests/suites/03_dynamic_shared_memory/messages.h"
#include "tests/suites/03_dynamic_shared_memory/reverse_evidence.h"
#include "tests/suites/common/contrast.h"
#include "tests/suites/common/explain_linear.h"
#include "tests/suites/common/messages.h"

namespace warplings::reverse {
namespace {

std::vector<Evidence>& AllEvidence() {
  static std::vector<Evidence> all;
  return all;
}

/// Distinct, so that no two places can be mistaken for each other; far from 0 and from what small indices
/// are; odd, and beyond 2^24, so that no float holds one of them.
std::vector<int> DistinctValues(RandomValues& random, int n) {
  constexpr int kLeast = (1 << 24) + 1, kMost = 2'000'000'000;
  const auto steps = static_cast<std::uint32_t>((kMost - kLeast) / (n + 1) / 2);
  std::vector<int> values;
  int value = kLeast;
  for (int i = 0; i < n; ++i) {
    value += 2 * (1 + static_cast<int>(random.Below(steps)));
    values.push_back(random.Below(2) == 0 ? value : -value);
  }
  for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[random.Below(i)]);
  return values;
}

class Reverse : public testing::Test {
 protected:
  void CheckStatic(const Message& title, int n) { Check(title, n, kStaticPiece, false); }
  void CheckDynamic(const Message& title, int n, int piece) { Check(title, n, piece, true); }

 private:
  /// A thread moves a sixteenth of a piece and two elements more at most, so that 32 threads can share one;
  /// each element takes it 40 instructions at most.
  static DeviceWork WorkOf(int n, int piece) {
    DeviceWork work;
    work.output = "out";
    work.is_a_move = true;
    work.least_bytes = static_cast<std::uint64_t>(n) * sizeof(int);
    work.most_words_by_a_thread = static_cast<std::uint64_t>((piece + 15) / 16 + 2);
    work.most_of_a_warp = 400 + 40 * work.most_words_by_a_thread;
    return work;
  }

  void Check(const Message& title, int n, int piece, bool use_dynamic) {
    RandomValues random = TestRandom();
    Evidence e;
    e.test = testing::UnitTest::GetInstance()->current_test_info()->name();
    e.n = n;
    e.piece = piece;
    e.use_dynamic = use_dynamic;
    e.in = DistinctValues(random, n);
    // An empty array still has an address; what lies there must stay as it is.
    const std::size_t allocated = n > 0 ? e.in.size() : 4;
    std::vector<int> in = e.in;
    in.resize(allocated);
    // One block of one thread that reverses everything needs fewer than 32 instructions an element.
    const std::uint64_t budget = 100'000 + 32 * static_cast<std::uint64_t>(n);
    const CallReport report =
        Session().Call({InputArray("in", in, OtherElements::AnyValue()), OutputArray<int>("out", allocated)},
                       budget, [&](Worker& worker, std::span<const DevicePointer> p) {
                         return worker.Call(p[0], p[1], n, piece, use_dynamic);
                       });
    e.result = ResultOf(title, report);
    if (report.contents.size() == 2) Compare(e, ValuesOf<int>(report.contents[1]));
    CheckMemory(e);
    if (n > 0) RequireDeviceWork(e.result, report, WorkOf(n, piece));
    if (use_dynamic) NameBytesOfPiece(e.result, std::int64_t{piece} * 4);
    if (Message step = StepOfTile(e); !step.empty()) e.result.next_step = std::move(step);
    RecordResult(e.result);
    AllEvidence().push_back(std::move(e));
  }

  void Compare(Evidence& e, std::vector<int> out) {
    const int poison = static_cast<int>(Poison());
    std::vector<int> expected = Reversed(e.in, e.piece);
    expected.resize(out.size(), poison);
    Comparison comparison;
    comparison.element_count = out.size();
    for (std::size_t i = 0; i < out.size(); ++i) {
      const char state = out[i] == expected[i] ? '.' : out[i] == poison ? '-' : 'w';
      const Message right =
          expected[i] == poison ? say::reverse_untouched() : Message(std::to_string(expected[i]));
      AddCell(comparison, state, English(right),
              out[i] == poison ? English(say::holds_nothing()) : std::to_string(out[i]));
      if (out[i] == expected[i]) continue;
      ++comparison.wrong_count;
      if (comparison.wrong.size() >= Comparison::kMaxListed) continue;
      comparison.wrong.push_back({"out[" + std::to_string(i) + "]", right,
                                  out[i] == poison ? "-" : std::to_string(out[i]),
                                  out[i] == poison ? say::reverse_never_written() : Message()});
    }
    out.resize(e.in.size());
    e.out = std::move(out);
    AddComparison(e.result, comparison, "out");
  }

  /// The contract says where the tile lies and how large it is.
  void CheckMemory(Evidence& e) {
    if (e.n == 0) {
      if (e.result.launches.empty()) return;
      AddVerdict(e.result, Verdict::kWrongResult,
                 say::reverse_launched_for_nothing(e.result.launches.front().kernel),
                 say::reverse_what_first());
      return;
    }
    const std::uint32_t wanted = e.use_dynamic ? static_cast<std::uint32_t>(e.piece) * sizeof(int) : 0;
    if (!e.result.launches.empty() && TotalCounts(e.result).shared_load_requests == 0) {
      AddVerdict(e.result, Verdict::kWrongResult, say::reverse_reads_no_shared(), say::reverse_use_shared());
    }
    for (const LaunchRecord& launch : e.result.launches) {
      if (launch.dynamic_shared_bytes != wanted) {
        AddVerdict(e.result, Verdict::kWrongResult,
                   say::reverse_passed_bytes(say::Count(launch.dynamic_shared_bytes, "byte"), wanted),
                   e.use_dynamic
                       ? say::reverse_bytes_of_piece(say::Count(launch.dynamic_shared_bytes, "byte"), wanted)
                   : launch.static_shared_bytes == 0 ? say::reverse_needs_fixed_array(launch.kernel)
                                                     : say::reverse_size_in_declaration());
      }
      if (e.use_dynamic && launch.static_shared_bytes > 0) {
        AddVerdict(e.result, Verdict::kWrongResult,
                   say::reverse_also_fixed(say::Count(launch.static_shared_bytes, "byte")),
                   launch.static_shared_bytes < kStaticPiece * sizeof(int)
                       ? say::reverse_fixed_beside(say::Count(launch.static_shared_bytes, "byte"))
                       : say::reverse_which_has_a_size());
      }
    }
    CheckTraffic(e);
  }

  /// Each element goes into shared memory and out again, 32 words in a wavefront without conflicts at most,
  /// as vectors, too; and a block has one piece.
  static void CheckTraffic(Evidence& e) {
    if (e.result.verdict != Verdict::kPassed) return;
    const Counts counts = TotalCounts(e.result);
    const auto least = static_cast<std::uint64_t>((e.n + 31) / 32);
    const std::uint64_t stored = counts.shared_store_wavefronts - counts.shared_store_conflicts;
    const std::uint64_t loaded = counts.shared_load_wavefronts - counts.shared_load_conflicts;
    if (stored < least) {
      AddVerdict(e.result, Verdict::kWrongResult,
                 stored == 0 ? say::reverse_stores_nothing(e.n)
                             : say::reverse_stores_too_little(Times(stored), e.n, least),
                 say::reverse_find_load());
    } else if (loaded < least) {
      AddVerdict(e.result, Verdict::kWrongResult,
                 loaded == 0 ? say::reverse_loads_nothing(e.n)
                             : say::reverse_loads_too_little(Times(loaded), e.n, least),
                 say::reverse_find_store());
    }
    std::uint64_t blocks = 0;
    for (const LaunchRecord& launch : e.result.launches) blocks += launch.grid.Volume();
    const auto pieces = static_cast<std::uint64_t>((e.n + e.piece - 1) / e.piece);
    if (blocks == pieces) return;
    AddVerdict(e.result, Verdict::kWrongResult,
               say::reverse_blocks(say::Count(blocks, "block"), say::Count(pieces, "piece")),
               say::reverse_block_a_piece(say::Count(blocks, "block"), say::Count(pieces, "piece")));
  }

  static say::Count Times(std::uint64_t count) { return say::Count(count, "time"); }
};

TEST_F(Reverse, StaticNothingToDo) {
  CheckStatic(say::reverse_static_empty(), 0);
}

TEST_F(Reverse, StaticOneElement) {
  CheckStatic(say::reverse_static_one(), 1);
}

TEST_F(Reverse, StaticOneWarpAndAPart) {
  CheckStatic(say::reverse_static_part(), 37);
}

TEST_F(Reverse, StaticOneShortOfAPiece) {
  CheckStatic(say::reverse_static_one_short(), 255);
}

TEST_F(Reverse, StaticExactlyOnePiece) {
  CheckStatic(say::reverse_static_one_piece(), 256);
}

TEST_F(Reverse, StaticLastPieceHasOneElement) {
  CheckStatic(say::reverse_static_second_of_one(), 257);
}

TEST_F(Reverse, StaticPiecesKeepTheirPlaces) {
  CheckStatic(say::reverse_static_whole_pieces(), 768);
}

/// Far more than a grid has that is bounded by a number.
TEST_F(Reverse, StaticManyPieces) {
  CheckStatic(say::reverse_static_many(263'000, 1028), 263'000);
}

TEST_F(Reverse, DynamicNothingToDo) {
  CheckDynamic(say::reverse_dynamic_empty(), 0, 32);
}

TEST_F(Reverse, DynamicPiecesOfOne) {
  CheckDynamic(say::reverse_dynamic_pieces_of_one(), 5, 1);
}

TEST_F(Reverse, DynamicPictureOfTheContract) {
  CheckDynamic(say::reverse_dynamic_picture(), 7, 3);
}

TEST_F(Reverse, DynamicPieceWiderThanTheArray) {
  CheckDynamic(say::reverse_dynamic_wide_piece(), 50, 64);
}

TEST_F(Reverse, DynamicPrimes) {
  CheckDynamic(say::reverse_dynamic_pieces(1009, 101), 1009, 101);
}

TEST_F(Reverse, DynamicLargestBlock) {
  CheckDynamic(say::reverse_dynamic_largest_block(2048, 1024), 2048, 1024);
}

TEST_F(Reverse, DynamicManyPieces) {
  CheckDynamic(say::reverse_dynamic_many(40'000, 1082, 37), 40'000, 37);
}

TEST_F(Reverse, DynamicAnyPiece) {
  RandomValues random(SeedOfTest(Session().seed(), "Reverse.DynamicAnyPiece.shape"));
  const int piece = 33 + static_cast<int>(random.Below(600));
  const int n = 2 * piece + 1 + static_cast<int>(random.Below(static_cast<std::uint64_t>(piece - 1)));
  CheckDynamic(say::reverse_dynamic_random(n, piece), n, piece);
}

const bool graded =
    GradedBy({.shared = MoveGrading(),
              .header = {"out is right for every n and every piece.",
                         "There are exactly ceil(n / piece) blocks; if n is 0, nothing is launched.",
                         "Each element is stored to shared memory and loaded from there.",
                         "Each launch asks for exactly 4 x piece bytes of dynamic shared memory if "
                         "use_dynamic is true, and for none if it is false.",
                         "If use_dynamic is true, the kernel has no shared array of a fixed size."},
              .page = {"The kernel loads each element of `in` at least once.",
                       "No thread stores more than e elements of `out`.",
                       "No warp executes more than 400 + 40 x e instructions.",
                       "Warps store at least ceil(n / 32) wavefronts to shared memory.",
                       "Warps load at least ceil(n / 32) wavefronts from shared memory."}});

/// Threads that swap pairs leave out the element that has no partner.
std::vector<Message> MiddleNotStored(const ProbeResult& probed, int n, int piece) {
  std::vector<Message> facts;
  for (const FoundFormula& found : probed.formulas) {
    const int i = static_cast<int>(found.element), start = i / piece * piece;
    const int length = std::min(piece, n - start);
    const bool is_middle = length % 2 != 0 && i == start + length / 2;
    if (!found.known || found.IsUntouched() != is_middle) return {};
    if (is_middle && facts.empty())
      facts = {say::reverse_middle_not_stored("out[" + std::to_string(i) + "]"),
               say::reverse_who_stores_middle()};
  }
  return facts;
}

LinearProbe ProbeOf(int n, int piece, bool use_dynamic) {
  const auto place = [](std::size_t i) { return "[" + std::to_string(i) + "]"; };
  const auto count = static_cast<std::size_t>(n);
  LinearProbe probe;
  probe.contract = {use_dynamic ? say::dynamic_version(n, piece) : say::static_version(n, piece),
                    "in",
                    "out",
                    count,
                    place,
                    place,
                    [n, piece](std::size_t e) {
                      const int i = static_cast<int>(e), start = i / piece * piece;
                      return std::vector<ElementIndex>{start + std::min(n, start + piece) - 1 - i};
                    }};
  probe.output_count = count;
  probe.is_of_integers = true;
  probe.own_facts = [=](const ProbeResult& probed, std::span<const LaunchRecord> launches) {
    std::vector<Message> middle = MiddleNotStored(probed, n, piece);
    if (!middle.empty() || launches.size() != 1) return middle;
    return FactsOfBlocksThatStartAtThreads(probed, n, piece, static_cast<int>(launches.front().block.x));
  };
  probe.entry = [=](Worker& worker, DevicePointer in, DevicePointer out,
                    std::span<const DevicePointer> /*kept*/) {
    return worker.Call(in, out, n, piece, use_dynamic);
  };
  return probe;
}

/// The static version first: one piece that is not full, and a second one; then pieces of other sizes.
std::vector<Explained> ExplainMoves() {
  std::vector<LinearTest> tests;
  for (const Evidence& e : AllEvidence()) {
    LinearTest& test = tests.emplace_back(e.test, &e.result);
    if (e.n > 0) test.probe = ProbeOf(e.n, e.piece, e.use_dynamic);
  }
  const LinearProbe probes[] = {ProbeOf(10, kStaticPiece, false), ProbeOf(300, kStaticPiece, false),
                                ProbeOf(7, 3, true), ProbeOf(40, 33, true)};
  return ExplainLinearCalls(tests, probes);
}

/// What may tell the calls that fail from those that are right.
const CallTraits<Evidence>& TraitsOfPieces() {
  using E = Evidence;
  static const CallTraits<Evidence> traits = {
      .traits = {{say::dynamic_is_asked_for("use_dynamic"), [](const E& e) { return e.use_dynamic; }},
                 {say::static_is_asked_for("use_dynamic"), [](const E& e) { return !e.use_dynamic; }},
                 {say::side_is("n", 0), [](const E& e) { return e.n == 0; }},
                 {say::side_is("piece", 1), [](const E& e) { return e.piece == 1; }},
                 {say::size_is_no_multiple_of_other("n", "piece"),
                  [](const E& e) { return e.n % e.piece != 0; }},
                 {say::size_is_above_other("n", "piece"), [](const E& e) { return e.n > e.piece; }},
                 {say::size_is_at_most_other("n", "piece"), [](const E& e) { return e.n <= e.piece; }},
                 {say::side_is_no_multiple("piece", 32), [](const E& e) { return e.piece % 32 != 0; }},
                 {say::side_is_above("piece", 32), [](const E& e) { return e.piece > 32; }},
                 {say::side_is_above("piece", 256), [](const E& e) { return e.piece > 256; }},
                 {say::side_is_odd("piece"), [](const E& e) { return e.piece % 2 != 0; }},
                 // Where tests with a few elements cannot tell the two apart, 32 need not play a part.
                 {say::reverse_long_pieces(say::Count(1, "element")),
                  [](const E& e) { return std::min(e.n, e.piece) > 1; }},
                 {say::reverse_long_pieces(say::Count(32, "element")),
                  [](const E& e) { return std::min(e.n, e.piece) > 32; }},
                 {say::reverse_last_piece_is_odd(),
                  [](const E& e) { return e.n > 0 && ((e.n - 1) % e.piece + 1) % 2 != 0; }},
                 {say::reverse_last_piece_is_no_multiple(32),
                  [](const E& e) { return e.n > 0 && ((e.n - 1) % e.piece + 1) % 32 != 0; }}},
      // A piece of one element is its own reverse: such a call says nothing about longer ones.
      .is_apart = [](const E& e) { return e.n == 0 || std::min(e.n, e.piece) == 1; },
      .among_others = say::reverse_any_elements()};
  return traits;
}

/// The first failing test's advice says already that it is about the static version.
bool SpeaksOfStaticVersion() {
  for (const Evidence& e : AllEvidence()) {
    if (e.n == 0 || e.result.verdict == Verdict::kPassed) continue;
    const Message& step = e.result.next_step;
    return say::reverse_size_in_declaration.Made(step) || say::reverse_needs_fixed_array.Made(step);
  }
  return false;
}

const bool explains = ExplainWith([] {
  std::vector<Explained> explained = ExplainMoves();
  if (SpeaksOfStaticVersion()) return explained;
  return WithContrast(std::move(explained), std::span<const Evidence>(AllEvidence()), TraitsOfPieces());
});

const bool states_facts = StateFactsWith([] { return FactsOf(AllEvidence()); });

}  // namespace
}  // namespace warplings::reverse
