// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/03_dynamic_shared_memory/reverse_evidence.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "grader/messages/joining.h"
#include "grader/messages/product_facts.h"
#include "grader/messages/refusals.h"
#include "grader/suite/evidence.h"
#include "tests/suites/03_dynamic_shared_memory/messages.h"

namespace warplings::reverse {
namespace {

using All = std::span<const Evidence>;
using Found = std::vector<Fact>;

Message In(const Evidence& e, const Message& what) {
  return say::reverse_in(e.test, e.n, e.piece, what);
}

bool HasShared(const Evidence& e, FindingKind kind) {
  return HasFinding(e.result, kind, MemorySpace::kShared);
}

/// True when something was launched, and every launch passed `bytes`.
bool Passed(const Evidence& e, std::uint32_t bytes) {
  return !e.result.launches.empty() && std::ranges::all_of(e.result.launches, [&](const LaunchRecord& l) {
    return l.dynamic_shared_bytes == bytes;
  });
}

bool IsRight(const Evidence& e) {
  return e.out == Reversed(e.in, e.piece) && !HasError(e.result);
}

/// With a barrier between store and load, only the loop of such a block over its pieces is left.
bool HasSeveralPiecesABlock(const Evidence& e) {
  std::uint64_t blocks = 0;
  for (const LaunchRecord& launch : e.result.launches) blocks += launch.grid.Volume();
  return blocks < static_cast<std::uint64_t>((e.n + e.piece - 1) / e.piece);
}

void FindBytes(All all, Found& found) {
  const Evidence* outside = FirstWith(
      all, [](const Evidence& e) { return e.use_dynamic && HasShared(e, FindingKind::kOutOfBounds); });
  if (outside == nullptr) return;
  // A kernel with an array of a fixed size may have left that one.
  const auto has_fixed = [](const Evidence& e) {
    return std::ranges::any_of(e.result.launches,
                               [](const LaunchRecord& l) { return l.static_shared_bytes > 0; });
  };
  const auto each_passed = [&](const auto& bytes) {
    return std::ranges::all_of(all, [&](const Evidence& e) {
      return !e.use_dynamic || e.result.launches.empty() ||
             (!has_fixed(e) && Passed(e, static_cast<std::uint32_t>(bytes(e))));
    });
  };
  Message what;
  if (each_passed([](const Evidence&) { return 0; })) {
    what = say::reverse_no_bytes();
  } else if (each_passed([](const Evidence& e) { return e.piece; })) {
    what = say::reverse_elements_as_bytes(outside->piece);
  }
  if (what.empty()) return;
  Fact& fact = AddFact(found, In(*outside, what));
  ShowFinding(fact, outside->result, InShared(FindingKind::kOutOfBounds));
}

void FindLastPiece(All all, Found& found) {
  const auto unwritten = [](const Evidence& e) { return HasShared(e, FindingKind::kUninitialised); };
  const Evidence* first = FirstWith(all, unwritten);
  const bool elsewhere =
      FirstWith(all, [&](const Evidence& e) { return unwritten(e) && e.n % e.piece == 0; }) != nullptr;
  if (first == nullptr || elsewhere) return;
  // In the block of the last piece, thread t reads place piece - 1 - t: other empty places have other causes,
  // such as a whole piece with too few threads.
  const bool from_the_end = std::ranges::any_of(first->result.findings, [&](const Finding& finding) {
    const auto place =
        static_cast<std::int64_t>(first->piece) - 1 - static_cast<std::int64_t>(finding.thread.x);
    return finding.kind == FindingKind::kUninitialised &&
           finding.block.x == static_cast<std::uint32_t>(first->n / first->piece) &&
           finding.offset_bytes == place * static_cast<std::int64_t>(sizeof(int));
  });
  if (!from_the_end) return;
  Fact& fact = AddFact(found, In(*first, say::reverse_reads_unloaded()));
  ShowFinding(fact, first->result, FindingKind::kUninitialised);
}

void FindWholeArray(All all, Found& found) {
  const auto is_whole = [](const Evidence& e) { return e.out == Reversed(e.in, std::max(1, e.n)); };
  const Evidence* wrong = FirstWith(all, [](const Evidence& e) {
    return e.n > e.piece && !e.out.empty() && e.out != Reversed(e.in, e.piece);
  });
  if (wrong == nullptr) return;
  const bool always =
      std::ranges::all_of(all, [&](const Evidence& e) { return e.n == 0 || e.out.empty() || is_whole(e); });
  if (always) AddFact(found, In(*wrong, say::reverse_whole_array()));
}

/// Of a race in which two lines store the same tile element: the thread and the one at the other end of the
/// piece, if the element is one of these two.
std::optional<std::pair<int, int>> EndsOfPair(const Evidence& e, const Finding& finding) {
  const bool has_two_lines = finding.other && *finding.other != finding.where;
  if (!BothStore(finding) || finding.space != MemorySpace::kShared || !has_two_lines) return std::nullopt;
  const int start = static_cast<int>(finding.block.x) * e.piece;
  const int thread = static_cast<int>(finding.thread.x), other = std::min(e.piece, e.n - start) - 1 - thread;
  const auto element = finding.offset_bytes / static_cast<std::int64_t>(sizeof(int));
  if (element != thread && element != other) return std::nullopt;
  return std::pair(std::min(thread, other), std::max(thread, other));
}

/// A piece that is reversed in place by all of its threads: each pair is swapped by the thread at either end,
/// and the second swap undoes the first. So wherever `out` is wrong, it holds the element of `in`.
void FindSwappedTwice(All all, Found& found) {
  const bool swapped = std::ranges::all_of(all, [](const Evidence& e) {
    const std::vector<int> right = Reversed(e.in, e.piece);
    for (std::size_t i = 0; i < e.out.size(); ++i) {
      if (e.out[i] != right[i] && e.out[i] != e.in[i]) return false;
    }
    return true;
  });
  if (!swapped) return;
  for (const Evidence& e : all) {
    for (const Finding& finding : e.result.findings) {
      const auto pair = EndsOfPair(e, finding);
      if (!pair) continue;
      Fact& fact = AddFact(found, In(e, say::reverse_swapped_twice(pair->first, pair->second)));
      ShowFinding(fact, e.result, [&](const Finding& each) { return EndsOfPair(e, each) == pair; });
      return;
    }
  }
}

template <class Type>
int Through(int value) {
  return static_cast<int>(static_cast<Type>(value));
}

/// A type that does not hold every int, and what is left of one that went through it.
struct NarrowType {
  const MessageRow<>* evidence;  ///< "each wrong element is the right value converted to a short"
  int (*through)(int);
};
constexpr NarrowType kNarrowTypes[] = {
    {&say::reverse_as_float, Through<float>},
    {&say::reverse_as_short, Through<std::int16_t>},
    {&say::reverse_as_unsigned_short, Through<std::uint16_t>},
    {&say::reverse_as_signed_char, Through<std::int8_t>},
    {&say::reverse_as_unsigned_char, Through<std::uint8_t>},
};

void FindNarrowType(All all, Found& found) {
  const auto is_wrong = [](const Evidence& e) { return !e.out.empty() && e.out != Reversed(e.in, e.piece); };
  const Evidence* wrong = FirstWith(all, is_wrong);
  if (wrong == nullptr) return;
  for (const NarrowType& type : kNarrowTypes) {
    const auto went_through = [&](const Evidence& e) {
      const std::vector<int> right = Reversed(e.in, e.piece);
      return e.out.size() == right.size() && std::ranges::equal(e.out, right, [&](int actual, int wanted) {
               return actual == wanted || actual == type.through(wanted);
             });
    };
    if (!std::ranges::all_of(all, [&](const Evidence& e) { return !is_wrong(e) || went_through(e); }))
      continue;
    AddFact(found, In(*wrong, (*type.evidence)()));
    return;
  }
}

/// Whatever else is wrong: a launch that is refused for its bytes or its threads is refused with elements,
/// too.
void FindEmptyGrid(All all, Found& found) {
  const auto refused = [](const Evidence& e) { return HasFinding(e.result, FindingKind::kInvalidLaunch); };
  if (std::ranges::any_of(all, [&](const Evidence& e) { return e.n > 0 && refused(e); })) return;
  // A block without threads is refused, too, and has another number to look at.
  const auto has_no_blocks = [](const Evidence& e) {
    return std::ranges::any_of(e.result.findings,
                               [](const Finding& finding) { return Refused(finding, say::no_blocks.id); });
  };
  for (const Evidence& e : all) {
    if (has_no_blocks(e)) AddFactOf(found, In(e, say::reverse_refused()), e.test);
  }
}

/// Only where everything else is right: where the elements lie is not the first problem otherwise. Calls
/// without elements say nothing of that.
void FindWrongMemory(All all, Found& found) {
  if (all.empty() || !std::ranges::all_of(all, [](const Evidence& e) { return e.n == 0 || IsRight(e); }))
    return;
  const auto is_unshared = [](const Evidence& e) {
    return e.n > 0 && TotalCounts(e.result).shared_load_requests == 0;
  };
  const Evidence* unshared = FirstWith(all, is_unshared);
  // Somebody who copies pieces of one element, say, has a tile for the others.
  const bool never = std::ranges::all_of(all, [&](const Evidence& e) {
    return e.n == 0 || e.use_dynamic != (unshared != nullptr && unshared->use_dynamic) || is_unshared(e);
  });
  if (unshared != nullptr && never) {
    AddFact(found, In(*unshared, say::reverse_unshared()));
    return;
  }
  // Large enough for every piece: a variable beside the piece is no array for it.
  constexpr std::uint64_t kLargestPiece = 1024 * sizeof(int);
  const Evidence* fixed = FirstWith(all, [](const Evidence& e) {
    return e.use_dynamic && std::ranges::any_of(e.result.launches, [](const LaunchRecord& l) {
             return l.static_shared_bytes >= kLargestPiece;
           });
  });
  if (fixed != nullptr) {
    AddFact(found, In(*fixed, say::reverse_fixed_array()));
  }
}

/// Of the piece that the finding's block has; 0 or less where it has none.
std::int64_t LengthIn(const Evidence& e, const Finding& finding) {
  return std::min<std::int64_t>(e.piece, e.n - std::int64_t{finding.block.x} * e.piece);
}

bool HasBytesOfPiece(const Evidence& e, const LaunchRecord& launch) {
  return e.use_dynamic && launch.static_shared_bytes == 0 &&
         launch.dynamic_shared_bytes == static_cast<std::uint64_t>(e.piece) * sizeof(int);
}

/// An index outside a dynamic array of the right size. Where a block has a thread for each element, the
/// thread's number says whether it has one.
Message StepOfOutside(const Evidence& e, const LaunchRecord& launch, const Finding& finding) {
  const std::int64_t element = finding.offset_bytes / static_cast<std::int64_t>(sizeof(int));
  const say::Thread thread{finding.thread.x, finding.thread.y, finding.thread.z};
  const say::Thread block{finding.block.x, finding.block.y, finding.block.z};
  const int line = finding.where.line;
  const int last = e.piece - 1;
  if (launch.block.Volume() < static_cast<std::uint64_t>(std::min(e.n, e.piece)))
    return say::reverse_index_outside(line, element, last, e.piece, thread, block);
  const std::uint64_t number =
      finding.thread.x +
      std::uint64_t{launch.block.x} * (finding.thread.y + std::uint64_t{launch.block.y} * finding.thread.z);
  const std::int64_t length = std::max<std::int64_t>(0, LengthIn(e, finding));
  if (number < static_cast<std::uint64_t>(length))
    return say::reverse_index_of_element(line, element, last, e.piece, thread, block);
  return say::reverse_index_without_element(line, element, last, e.piece, thread, block,
                                            say::Count(length, "element"));
}

}  // namespace

std::vector<int> Reversed(const std::vector<int>& in, int piece) {
  std::vector<int> out = in;
  for (std::size_t start = 0; start < out.size(); start += static_cast<std::size_t>(piece)) {
    const std::size_t end = std::min(out.size(), start + static_cast<std::size_t>(piece));
    std::reverse(out.begin() + static_cast<std::ptrdiff_t>(start),
                 out.begin() + static_cast<std::ptrdiff_t>(end));
  }
  return out;
}

bool IsOfALaterRound(const Evidence& e, const Finding& finding) {
  const bool is_race = NeedsABarrier(finding);
  const bool is_unwritten = finding.kind == FindingKind::kUninitialised;
  if (finding.space != MemorySpace::kShared || e.result.launches.empty() || !(is_race || is_unwritten))
    return false;
  const RaceBarrier barrier = BarrierOfRaces(e.result);
  if (is_race && barrier != RaceBarrier::kAlways && barrier != RaceBarrier::kSometimes) return false;
  const auto threads = static_cast<std::int64_t>(e.result.launches.front().block.Volume());
  const auto element = finding.offset_bytes / static_cast<std::int64_t>(sizeof(int));
  return threads < std::min(e.n, e.piece) && element >= threads;
}

std::vector<Fact> FactsOf(std::span<const Evidence> evidence) {
  Found found;
  // A race also finds elements that nobody has written *yet*.
  const bool two_store = std::ranges::any_of(
      evidence, [](const Evidence& e) { return std::ranges::any_of(e.result.findings, BothStore); });
  // Two that store one place have a wrong index, which a barrier does not mend.
  if (const Evidence* e =
          FirstWith(evidence, [](const Evidence& each) { return ReadsTooEarlyOrStoresOver(each.result); });
      e != nullptr && !two_store) {
    const bool of_next_piece =
        HasSeveralPiecesABlock(*e) && BarrierOfRaces(e->result) == RaceBarrier::kAlways;
    const bool of_later_round =
        !of_next_piece && std::ranges::any_of(e->result.findings, [&](const Finding& finding) {
          return NeedsABarrier(finding) && IsOfALaterRound(*e, finding);
        });
    // No barrier between these two lines mends that.
    if (of_later_round) return found;
    Fact& fact =
        AddFact(found, In(*e, of_next_piece ? say::reverse_race_of_next_piece() : say::reverse_race()));
    ShowFinding(fact, e->result, NeedsABarrier);
    if (!of_next_piece) NameRaceOfPasses(fact, e->result);
  } else if (two_store) {
    FindSwappedTwice(evidence, found);
    FindEmptyGrid(evidence, found);
    return found;
  }
  if (found.empty()) FindBytes(evidence, found);
  if (found.empty()) FindLastPiece(evidence, found);
  if (found.empty()) FindWholeArray(evidence, found);
  if (found.empty()) FindNarrowType(evidence, found);
  if (found.empty()) FindWrongMemory(evidence, found);
  FindEmptyGrid(evidence, found);
  return found;
}

Message StepOfTile(const Evidence& e) {
  if (!e.result.advised || e.result.launches.empty()) return {};
  const LaunchRecord& launch = e.result.launches.front();
  const Finding& finding = e.result.findings[*e.result.advised];
  constexpr std::int64_t kBytes = sizeof(int);
  if (finding.space != MemorySpace::kShared || finding.where.line == 0 || finding.offset_bytes % kBytes != 0)
    return {};
  const int line = finding.where.line;
  const std::int64_t element = finding.offset_bytes / kBytes;
  const say::Count threads(launch.block.Volume(), "thread");
  if (finding.kind == FindingKind::kOutOfBounds && finding.access_bytes == kBytes &&
      HasBytesOfPiece(e, launch))
    return StepOfOutside(e, launch, finding);
  const bool is_later = IsOfALaterRound(e, finding);
  if (finding.kind == FindingKind::kUninitialised) {
    if (is_later) return say::reverse_not_stored_yet(line, element, threads, e.piece);
    const bool is_of_piece = element >= 0 && element < LengthIn(e, finding);
    // Which piece a block takes is up to the kernel: all have that many elements, or there is no other.
    const bool is_sure = !HasSeveralPiecesABlock(e) && (e.n % e.piece == 0 || e.n < e.piece);
    const std::int64_t length = LengthIn(e, finding);
    if (!is_of_piece && is_sure && length > 0) {
      return say::reverse_reads_past_piece(line, element,
                                           say::Thread{finding.block.x, finding.block.y, finding.block.z},
                                           say::Count(length, "element"), length - 1,
                                           say::Thread{finding.thread.x, finding.thread.y, finding.thread.z});
    }
    if (!is_of_piece) return {};
    // A full block has each thread that its warps have.
    return launch.block.Volume() % 32 == 0 ? say::reverse_never_stored(line, element)
                                           : say::reverse_never_stored_by_part(line, element, threads);
  }
  if (!is_later) return {};
  const auto [store, load] = LinesOfRace(finding);
  return store > 0 ? say::reverse_stored_in_later_round(load, element, store, threads, e.piece) : Message();
}

std::vector<Message> FactsOfBlocksThatStartAtThreads(const ProbeResult& probed, int n, int piece,
                                                     int threads) {
  if (threads < 1 || threads >= piece) return {};
  std::uint64_t never = 0;
  std::string first;
  for (const FoundFormula& found : probed.formulas) {
    const int i = static_cast<int>(found.element);
    bool is_covered = false, is_explained = false;
    for (int start = 0; start <= i && start / threads * piece < n; start += threads) {
      const int length = std::min(piece, n - start);
      if (i >= start + length) continue;
      is_covered = true;
      const ElementIndex held = start + length - 1 - (i - start);
      is_explained =
          is_explained || (found.before_times == 0 && found.constant == 0 && found.terms.size() == 1 &&
                           found.terms[0].a == held && found.terms[0].times == 1);
    }
    if (!found.known || (is_covered ? !is_explained : !found.IsUntouched())) return {};
    if (is_covered) continue;
    if (never == 0) first = "out[" + std::to_string(i) + "]";
    ++never;
  }
  if (never < 2) return {};
  return {say::linear_some_not_stored(never, "out", first),
          say::cause_and_remedy(say::reverse_blocks_start_at_threads(threads, piece),
                                say::reverse_where_does_block_1_start())};
}

void NameBytesOfPiece(TestResult& result, std::int64_t wanted) {
  for (Finding& finding : result.findings) {
    if (!Refused(finding, say::shared_memory_without_attribute.id)) continue;
    const std::vector<Argument> said = finding.message.arguments();
    const std::vector<Argument>& bytes = said.at(1).inner.at(0).arguments();
    const std::int64_t needed = bytes.at(0).number, most = bytes.at(1).number;
    if (wanted <= most)
      finding.message = say::refused(said.at(0).text, say::reverse_too_many_bytes(needed, wanted));
  }
}

}  // namespace warplings::reverse
