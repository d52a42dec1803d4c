// SPDX-License-Identifier: Apache-2.0
#include "tests/chapters/04_occupancy/block_size_answers.h"

#include "grader/device/occupancy.h"

namespace warplings::pick_block_size {
namespace {

int Blocks(const Question& q, int threads) {
  const int bytes = q.shared_bytes + threads * q.shared_bytes_per_thread;
  return static_cast<int>(
      BlocksPerMultiprocessor(q.card, {.threads = static_cast<std::uint32_t>(threads),
                                       .registers = static_cast<std::uint32_t>(q.registers),
                                       .static_shared_bytes = static_cast<std::uint32_t>(bytes)}));
}

/// The size with the highest value; the last of several. A value of 0 is none.
template <class Value>
int Last(const DeviceProfile& card, const Value& value) {
  int best = 0, highest = 0;
  for (int threads = 32; threads <= card.max_threads_per_block; threads += 32) {
    const int each = value(threads);
    if (each > 0 && each >= highest) best = threads, highest = each;
  }
  return best;
}

int Warps(const Question& q, int threads) {
  return Blocks(q, threads) * (threads / 32);
}

int Smallest(const Question& q) {
  const int most = Warps(q, BestBlockSize(q));
  for (int threads = 32; threads <= q.card.max_threads_per_block && most > 0; threads += 32) {
    if (Warps(q, threads) == most) return threads;
  }
  return 0;
}

bool IsPowerOfTwo(int threads) {
  return (threads & (threads - 1)) == 0;
}

}  // namespace

int BestBlockSize(const Question& q) {
  return Last(q.card, [&](int threads) { return Warps(q, threads); });
}

std::vector<WrongIdea<Question, int>> WrongIdeas() {
  return {
      {"smallest_of_the_best", Smallest},
      {"most_blocks", [](const Question& q) { return Last(q.card, [&](int t) { return Blocks(q, t); }); }},
      // The smallest size with the most blocks: the same idea.
      {"most_blocks",
       [](const Question& q) { return Last(q.card, [&](int t) { return Blocks(q, t) * 1024 - t / 32; }); }},
      {"largest_block",
       [](const Question& q) { return Last(q.card, [&](int t) { return Blocks(q, t) > 0 ? 1 : 0; }); }},
      {"memory_of_a_thread_forgotten",
       [](const Question& q) {
         return BestBlockSize({q.card, q.registers, q.shared_bytes, 0});
       }},
      {"largest_size_left_out",
       [](const Question& q) {
         return Last(q.card, [&](int t) { return t < q.card.max_threads_per_block ? Warps(q, t) : 0; });
       }},
      // "As good as the best so far" holds for no warps, too.
      {"a_size_though_none_fits",
       [](const Question& q) {
         const int best = BestBlockSize(q);
         return best == 0 ? q.card.max_threads_per_block : best;
       }},
      {"powers_of_two_only",
       [](const Question& q) {
         return Last(q.card, [&](int t) { return IsPowerOfTwo(t) ? Warps(q, t) : 0; });
       }},
      {"registers_forgotten",
       [](const Question& q) {
         return BestBlockSize({q.card, 0, q.shared_bytes, q.shared_bytes_per_thread});
       }},
  };
}

std::string InWords(const Question& q) {
  return q.card.id + ", " + std::to_string(q.registers) + " registers, " + std::to_string(q.shared_bytes) +
         " B + " + std::to_string(q.shared_bytes_per_thread) + " B a thread";
}

std::string InWords(const Question& q, int threads) {
  if (threads == 0) return "0: none fits";
  const std::string size = std::to_string(threads);
  if (threads < 0 || threads > q.card.max_threads_per_block || threads % 32 != 0)
    return size + ": no such size";
  return size + ": " + std::to_string(Blocks(q, threads)) + " blocks, " + std::to_string(Warps(q, threads)) +
         " warps";
}

std::vector<Question> QuestionsFor(const DeviceProfile& card) {
  std::vector<Question> questions;
  for (const int registers : {16, 32, 33, 40, 50, 64, 72, 96, 168}) {
    questions.push_back({card, registers, 0, 0});
    questions.push_back({card, registers, 0, 8});
    questions.push_back({card, registers, 1024, 48});
  }
  questions.push_back({card, 32, 20'000, 0});
  questions.push_back({card, 24, 9000, 100});
  return questions;
}

std::vector<Question> ExtremeQuestions() {
  const DeviceProfile& t4 = *FindDeviceProfile("t4");
  return {
      {t4, 32, 65'537, 0}, {t4, 32, 65'536, 0}, {t4, 32, 60'000, 256}, {t4, 32, 0, 2048}, {t4, 32, 0, 2049}};
}

std::vector<Recognised> Recognise(const std::vector<Asked<Question, int>>& all) {
  const auto evidence = [](const Question& q, const int& answer) {
    return InWords(q) + ": " + InWords(q, answer) + "; right is " + InWords(q, BestBlockSize(q));
  };
  return ExplainAnswers<Question, int>(all, BestBlockSize, WrongIdeas(), evidence);
}

}  // namespace warplings::pick_block_size
