// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/isa/form.h"

#include <algorithm>
#include <array>

namespace warplings::vgpu {
namespace {

constexpr std::uint32_t Compare(std::uint32_t code) {
  return code << mods::kCompareShift;
}
constexpr std::uint32_t Mode(std::uint32_t code) {
  return code << mods::kModeShift;
}

/// What a word of an opcode means to the handlers. Words that are not listed choose nothing (types, cache
/// hints, scopes). Where a word means different things, `mnemonic` says in which instructions.
struct Word {
  std::string_view mnemonic;
  std::string_view word;
  std::uint32_t bits;
};
constexpr Word kWords[] = {
    {"", ".ftz", mods::kFtz},
    {"", ".sat", mods::kSat},
    {"", ".rz", mods::kRoundZero},
    {"", ".rm", mods::kRoundDown},
    {"", ".rp", mods::kRoundUp},
    {"", ".rni", mods::kInteger},
    {"", ".rzi", mods::kInteger | mods::kRoundZero},
    {"", ".rmi", mods::kInteger | mods::kRoundDown},
    {"", ".rpi", mods::kInteger | mods::kRoundUp},
    {"", ".approx", mods::kApprox},
    {"", ".v2", 1u << mods::kVectorShift},
    {"", ".v4", 2u << mods::kVectorShift},
    {"", ".volatile", mods::kStrong | mods::kVolatile},
    {"", ".relaxed", mods::kStrong},
    {"", ".acquire", mods::kStrong | mods::kOrders},
    {"", ".release", mods::kStrong | mods::kOrders},
    {"", ".acq_rel", mods::kOrders},
    {"", ".nc", mods::kReadOnly},
    {"", ".L2::cache_hint", mods::kCachePolicy},
    {"", ".to", mods::kToSpace},
    {"", ".wrap", mods::kWrap},
    // Comparisons, in the order of semantics.h; lo, ls, hi, hs are the unsigned lt, le, gt, ge.
    {"", ".eq", Compare(0)},
    {"", ".ne", Compare(1)},
    {"", ".lt", Compare(2)},
    {"", ".lo", Compare(2)},
    {"", ".le", Compare(3)},
    {"", ".ls", Compare(3)},
    {"", ".gt", Compare(4)},
    {"", ".hi", Compare(4)},
    {"", ".ge", Compare(5)},
    {"", ".hs", Compare(5)},
    {"", ".equ", Compare(6)},
    {"", ".neu", Compare(7)},
    {"", ".ltu", Compare(8)},
    {"", ".leu", Compare(9)},
    {"", ".gtu", Compare(10)},
    {"", ".geu", Compare(11)},
    {"", ".num", Compare(12)},
    {"", ".nan", Compare(13)},
    {"setp", ".and", 1u << mods::kBoolShift},
    {"setp", ".or", 2u << mods::kBoolShift},
    {"setp", ".xor", 3u << mods::kBoolShift},
    // Atomic operations, in the order of memory_access.h.
    {"atom", ".add", Mode(0)},
    {"atom", ".min", Mode(1)},
    {"atom", ".max", Mode(2)},
    {"atom", ".and", Mode(3)},
    {"atom", ".or", Mode(4)},
    {"atom", ".xor", Mode(5)},
    {"atom", ".exch", Mode(6)},
    {"atom", ".cas", Mode(7)},
    {"atom", ".inc", Mode(8)},
    {"atom", ".dec", Mode(9)},
    {"red", ".add", Mode(0)},
    {"red", ".min", Mode(1)},
    {"red", ".max", Mode(2)},
    {"red", ".and", Mode(3)},
    {"red", ".or", Mode(4)},
    {"red", ".xor", Mode(5)},
    {"red", ".inc", Mode(8)},
    {"red", ".dec", Mode(9)},
    {"shfl", ".up", Mode(0)},
    {"shfl", ".down", Mode(1)},
    {"shfl", ".bfly", Mode(2)},
    {"shfl", ".idx", Mode(3)},
    {"vote", ".all", Mode(0)},
    {"vote", ".any", Mode(1)},
    {"vote", ".uni", Mode(2)},
    // Where a word chooses the state space, in the order of StateSpace.
    {"ldu", ".global", Mode(1)},
    // Matrices: what does not lie by rows, and the spaces of matrix.h.
    {"wmma", ".col", mods::kWrap},
    {"wmma", ".global", Mode(1)},
    {"wmma", ".shared", Mode(2)},
    {"wmma", ".shared::cta", Mode(2)},
    {"wmma", ".satfinite", mods::kSat},
    {"mma", ".satfinite", mods::kSat},
    {"ldmatrix", ".trans", mods::kWrap},
    {"ldmatrix", ".shared", Mode(2)},
    {"ldmatrix", ".shared::cta", Mode(2)},
    // Barriers, in the order of warp_ops.h.
    {"bar", ".arrive", Mode(1)},
    {"bar", ".or", Mode(2)},
    {"barrier", ".arrive", Mode(1)},
    {"barrier", ".aligned", mods::kAligned},
    {"barrier", ".or", Mode(2)},
    // Scopes of fences.
    {"membar", ".gl", mods::kBeyondBlock},
    {"membar", ".sys", mods::kBeyondBlock},
    {"fence", ".cluster", mods::kBeyondBlock},
    {"fence", ".gpu", mods::kBeyondBlock},
    {"fence", ".sys", mods::kBeyondBlock},
    {"fma", ".relu", Mode(1)},
    {"cvt", ".relu", Mode(1)},
    {"cvt", ".rna", Mode(1)},
    {"min", ".relu", Mode(1)},
    {"max", ".relu", Mode(1)},
    {"min", ".NaN", Mode(1)},
    {"max", ".NaN", Mode(1)},
    {"min", ".xorsign.abs", Mode(2)},
    {"max", ".xorsign.abs", Mode(2)},
    {"dp2a", ".hi", Mode(1)},
    {"vabsdiff2", ".add", Mode(1)},
    {"vabsdiff4", ".add", Mode(1)},
    // Channels, borders and queries, in the order of textures.h.
    {"tld4", ".g", Mode(1)},
    {"tld4", ".b", Mode(2)},
    {"tld4", ".a", Mode(3)},
    {"suld", ".clamp", Mode(1)},
    {"suld", ".zero", Mode(2)},
    {"sust", ".clamp", Mode(1)},
    {"sust", ".zero", Mode(2)},
    {"txq", ".height", Mode(1)},
    {"txq", ".depth", Mode(2)},
    {"txq", ".array_size", Mode(3)},
    {"suq", ".height", Mode(1)},
    {"suq", ".depth", Mode(2)},
    {"suq", ".array_size", Mode(3)},
    // Modes of prmt and kinds of testp, in the order of packed_integers.h.
    {"prmt", ".f4e", Mode(0)},
    {"prmt", ".b4e", Mode(1)},
    {"prmt", ".rc8", Mode(2)},
    {"prmt", ".ecl", Mode(3)},
    {"prmt", ".ecr", Mode(4)},
    {"prmt", ".rc16", Mode(5)},
    {"testp", ".finite", Mode(0)},
    {"testp", ".infinite", Mode(1)},
    {"testp", ".number", Mode(2)},
    {"testp", ".notanumber", Mode(3)},
    {"testp", ".normal", Mode(4)},
    {"testp", ".subnormal", Mode(5)},
};

std::uint32_t BitsOf(std::string_view mnemonic, std::string_view word) {
  // What a word means in this instruction goes before what it means elsewhere.
  std::uint32_t bits = 0;
  for (const Word& entry : kWords) {
    if (entry.word != word) continue;
    if (entry.mnemonic == mnemonic) return entry.bits;
    if (entry.mnemonic.empty()) bits = entry.bits;
  }
  return bits;
}

bool AtWordEnd(std::string_view rest) {
  return rest.empty() || rest.front() == '.';
}

std::optional<std::uint32_t> Match(std::string_view mnemonic, std::string_view form,
                                   std::string_view opcode) {
  while (!form.empty() && form.front() != '[' && form.front() != '{') {
    if (opcode.empty() || opcode.front() != form.front()) return std::nullopt;
    form.remove_prefix(1);
    opcode.remove_prefix(1);
  }
  if (form.empty()) return opcode.empty() ? std::optional<std::uint32_t>(0) : std::nullopt;

  const bool optional = form.front() == '[';
  const std::size_t end = form.find(optional ? ']' : '}');
  std::string_view choices = form.substr(1, end - 1);
  const std::string_view after = form.substr(end + 1);
  while (!choices.empty()) {
    const std::size_t bar = std::min(choices.find('|'), choices.size());
    const std::string_view word = choices.substr(0, bar);
    choices.remove_prefix(std::min(bar + 1, choices.size()));
    if (!opcode.starts_with(word) || !AtWordEnd(opcode.substr(word.size()))) continue;
    if (auto rest = Match(mnemonic, after, opcode.substr(word.size()))) return *rest | BitsOf(mnemonic, word);
  }
  return optional ? Match(mnemonic, after, opcode) : std::nullopt;
}

}  // namespace

std::optional<std::uint32_t> MatchForm(std::string_view form, std::string_view opcode) {
  // Most rows of the table differ in the first two letters, which every mnemonic has.
  if (opcode.size() < 2 || opcode[0] != form[0] || opcode[1] != form[1]) return std::nullopt;
  return Match(opcode.substr(0, opcode.find('.')), form, opcode);
}

}  // namespace warplings::vgpu
