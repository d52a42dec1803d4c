// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/case_forms.h"
#include "tests/golden/instruction_cases.h"

namespace warplings::vgpu {
namespace {

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t Next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

constexpr std::uint64_t kIntEdges[] = {0,
                                       1,
                                       2,
                                       31,
                                       32,
                                       33,
                                       63,
                                       64,
                                       0x7f,
                                       0x80,
                                       0xff,
                                       0x7fff,
                                       0x8000,
                                       0xffff,
                                       0x7fffffff,
                                       0x80000000,
                                       0xffffffff,
                                       0x7fffffffffffffff,
                                       0x8000000000000000,
                                       0xffffffffffffffff};
constexpr std::uint64_t kFloatEdges[] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00001, 0x00000001,
    0x807fffff, 0x00800000, 0x7f7fffff, 0x3f000000, 0x40490fdb, 0x4f000000, 0xcf000000, 0x5f000000};
constexpr std::uint64_t kDoubleEdges[] = {
    0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000,
    0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000001, 0x0000000000000001,
    0x800fffffffffffff, 0x0010000000000000, 0x7fefffffffffffff, 0x3fe0000000000000,
    0x400921fb54442d18, 0x41e0000000000000, 0xc3e0000000000000, 0x380fffffe0000000};

std::uint64_t RandomFloat(Random& random) {
  // Half of them of ordinary size, so that sums and products neither overflow nor vanish.
  const std::uint64_t bits = random.Next();
  if (bits & (std::uint64_t{1} << 40)) return bits & 0xffffffffu;
  return (bits & 0x807fffffu) | ((120 + (bits >> 41) % 16) << 23);
}
std::uint64_t RandomDouble(Random& random) {
  const std::uint64_t bits = random.Next();
  if (bits & 1) return random.Next();
  return (bits & 0x800fffffffffffffu) | ((1015 + (bits >> 52) % 16) << 52);
}
/// Four elements of 16 bits.
constexpr std::uint64_t kHalfEdges[] = {0x0000, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e01, 0x0001,
                                        0x83ff, 0x0400, 0x7bff, 0xfbff, 0x3800, 0x4248, 0x0200, 0xfd01};
constexpr std::uint64_t kBrainEdges[] = {0x0000, 0x8000, 0x3f80, 0xbf80, 0x7f80, 0xff80, 0x7fc1, 0x0001,
                                         0x807f, 0x0080, 0x7f7f, 0xff7f, 0x3f00, 0x4049, 0x0040, 0xff81};
/// What f16 and bf16 round: ties, the least and the greatest values, and their neighbours.
constexpr std::uint64_t kNarrowingEdges[] = {
    0x00000000, 0x80000000, 0x3f800000, 0x7f800000, 0xff800000, 0x7fc00001, 0x00000001, 0x33000000,
    0xb3000001, 0x33c00000, 0x38800000, 0x387fe000, 0xb87ff000, 0x477fe000, 0x477ff000, 0xc77fefff,
    0x3f801000, 0x3f803000, 0x3f808000, 0xbf818000, 0x7f7f7fff, 0x7f7f8000, 0xff7fffff, 0x00008000};

std::uint64_t RandomHalves(Random& random, bool is_brain) {
  std::uint64_t four = 0;
  for (int i = 0; i < 4; ++i) {
    const std::uint64_t bits = random.Next();
    const std::uint64_t ordinary = is_brain ? (bits & 0x807f) | ((123 + (bits >> 41) % 8) << 7)
                                            : (bits & 0x83ff) | ((11 + (bits >> 41) % 8) << 10);
    four = four << 16 | (bits >> 40 & 1 ? bits & 0xffff : ordinary);
  }
  return four;
}
/// Single precision in half precision's range, every fourth halfway between two f16.
std::uint64_t RandomNarrowing(Random& random) {
  const std::uint64_t bits = random.Next();
  const std::uint64_t value = (bits & 0x807fffffu) | ((98 + (bits >> 41) % 50) << 23);
  return bits >> 62 ? value : (value & ~std::uint64_t{0x1fff}) | 0x1000;
}
std::uint64_t RandomInt(Random& random) {
  const std::uint64_t bits = random.Next();
  return bits >> (random.Next() & 63);
}

/// The ordinary ones are neither infinite nor NaN, nor so large that a product would be: what f64's NaNs and
/// tf32's overflows become in a matrix is not specified.
enum class OperandKind { kInt, kFloat, kDouble, kHalf, kBrain, kNarrowing, kOrdinaryFloat, kOrdinaryDouble };

OperandKind KindOf(std::string_view opcode) {
  const auto words = WordsOf(opcode);
  const std::string_view last = words.back();
  auto is = [](std::string_view word, std::string_view type) {
    return word == type || (word.starts_with(type) && word.ends_with("x2"));
  };
  if (opcode.starts_with("cvt")) {
    // Of a conversion the source's type counts, unless it is to a narrow one.
    const std::string_view to = words.size() > 2 ? words[words.size() - 2] : last;
    if (is(last, ".f16")) return OperandKind::kHalf;
    if (is(last, ".bf16")) return OperandKind::kBrain;
    if (last == ".f32" && (is(to, ".f16") || is(to, ".bf16") || to == ".tf32"))
      return OperandKind::kNarrowing;
    return last == ".f64" ? OperandKind::kDouble : last == ".f32" ? OperandKind::kFloat : OperandKind::kInt;
  }
  for (std::string_view word : words) {
    if (is(word, ".f16")) return OperandKind::kHalf;
    if (is(word, ".bf16")) return OperandKind::kBrain;
  }
  if (opcode.starts_with("wmma") || opcode.starts_with("mma")) {
    if (HasWord(opcode, ".f64")) return OperandKind::kOrdinaryDouble;
    if (HasWord(opcode, ".tf32")) return OperandKind::kOrdinaryFloat;
  }
  if (HasWord(opcode, ".f64")) return OperandKind::kDouble;
  return HasWord(opcode, ".f32") ? OperandKind::kFloat : OperandKind::kInt;
}

std::span<const std::uint64_t> EdgesOf(OperandKind kind) {
  switch (kind) {
    case OperandKind::kFloat: return kFloatEdges;
    case OperandKind::kDouble: return kDoubleEdges;
    case OperandKind::kHalf: return kHalfEdges;
    case OperandKind::kBrain: return kBrainEdges;
    case OperandKind::kNarrowing: return kNarrowingEdges;
    case OperandKind::kOrdinaryFloat: return std::span(kFloatEdges).first(4);
    case OperandKind::kOrdinaryDouble: return std::span(kDoubleEdges).first(4);
    case OperandKind::kInt: break;
  }
  return kIntEdges;
}

std::uint64_t Draw(OperandKind kind, Random& random) {
  switch (kind) {
    case OperandKind::kFloat: return RandomFloat(random);
    case OperandKind::kDouble: return RandomDouble(random);
    case OperandKind::kHalf: return RandomHalves(random, false);
    case OperandKind::kBrain: return RandomHalves(random, true);
    case OperandKind::kNarrowing: return RandomNarrowing(random);
    case OperandKind::kOrdinaryFloat: return RandomFloat(random) & 0xbfffffffu;
    case OperandKind::kOrdinaryDouble: return RandomDouble(random) & 0xbfffffffffffffffu;
    case OperandKind::kInt: break;
  }
  return RandomInt(random);
}

std::uint64_t DrawEdge(OperandKind kind, Random& random) {
  const std::span<const std::uint64_t> edges = EdgesOf(kind);
  std::uint64_t value = edges[random.Next() % edges.size()];
  if (kind != OperandKind::kHalf && kind != OperandKind::kBrain) return value;
  for (int i = 0; i < 3; ++i) value = value << 16 | edges[random.Next() % edges.size()];
  return value;
}

}  // namespace

std::vector<std::uint64_t> CaseOperands(std::string_view opcode) {
  const OperandKind kind = KindOf(opcode);
  std::uint64_t seed = 0xcbf29ce484222325u;
  for (char c : opcode) seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  Random random(seed);
  std::vector<std::uint64_t> operands;
  for (std::uint32_t thread = 0; thread < kCaseThreads; ++thread) {
    for (std::uint32_t k = 0; k < kCaseOperands; ++k) {
      const bool edge = thread < kCaseThreads / 2 ? random.Next() % 8 != 0 : random.Next() % 8 == 0;
      operands.push_back(edge ? DrawEdge(kind, random) : Draw(kind, random));
    }
  }
  return operands;
}

}  // namespace warplings::vgpu
