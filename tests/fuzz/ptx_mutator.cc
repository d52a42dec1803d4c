// SPDX-License-Identifier: Apache-2.0
// How libFuzzer changes PTX: half of the time byte by byte, else as one who knows that it has lines, words
// and instructions. New instructions are spelled from the interpreter's own table, so that what it learns,
// the fuzzer learns.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "grader/virtual_gpu/isa/engine.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace warplings::fuzz {
namespace {

using Random = std::minstd_rand;

std::size_t Below(Random& random, std::size_t limit) {
  return limit == 0 ? 0 : random() % limit;
}

template <class Container>
auto& Pick(Random& random, Container& values) {
  return values[Below(random, std::size(values))];
}

/// One spelling of a form: "{a|b}" is one of them, "[a|b]" perhaps one of them.
std::string SpellForm(Random& random, std::string_view form) {
  std::string opcode;
  while (!form.empty()) {
    const std::size_t open = form.find_first_of("{[");
    opcode += form.substr(0, open);
    if (open == form.npos) break;
    const bool is_optional = form[open] == '[';
    const std::size_t close = form.find_first_of("}]", open);
    std::string_view choices = form.substr(open + 1, close - open - 1);
    form.remove_prefix(std::min(form.size(), close == form.npos ? form.npos : close + 1));
    if (is_optional && Below(random, 3) != 0) continue;
    const auto bars = static_cast<std::size_t>(std::count(choices.begin(), choices.end(), '|'));
    for (std::size_t skip = Below(random, bars + 1); skip > 0; --skip) {
      choices.remove_prefix(choices.find('|') + 1);
    }
    opcode += choices.substr(0, choices.find('|'));
  }
  return opcode;
}

constexpr std::string_view kAnyOperand[] = {
    "%r1",         "%r2",        "%rd1",     "%rd2",      "%rs1",     "%f1",        "%fd1",
    "%p1",         "!%p1",       "_",        "0",         "-1",       "0f3F800000", "0d3FF0000000000000",
    "4294967296",  "%tid.x",     "%clock64", "[%rd1]",    "[%rd1+8]", "[%r1+-4]",   "[param0]",
    "[retval0+0]", "{%r1, %r2}", "%p1|%p2",  "$L__BB0_2", "{_, %r1}"};
constexpr std::string_view kNarrow[] = {"%rs1", "%rs2", "%h1", "7"};
constexpr std::string_view kWord[] = {"%r1", "%r2", "%r3", "%f1", "%f2", "31", "0fBF800000", "%laneid"};
constexpr std::string_view kWide[] = {"%rd1", "%rd2", "%rd3", "%fd1", "0d4000000000000000"};

std::string_view OfType(Random& random, ptx::Type type) {
  const std::uint32_t bytes = ptx::TypeBytes(type);
  if (bytes == 1 || bytes == 2) return Pick(random, kNarrow);
  return bytes == 8 ? Pick(random, kWide) : Pick(random, kWord);
}

std::string Vector(Random& random, ptx::Type type, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "{" : ", ") + std::string(OfType(random, type));
  return text + "}";
}

/// What often fits a role of the instruction table, and sometimes anything.
std::string SpellOperand(Random& random, const vgpu::OperandRole& operand) {
  using vgpu::Role;
  if (Below(random, 12) == 0) return std::string(Pick(random, kAnyOperand));
  switch (operand.role) {
    case Role::kAddress:
    case Role::kSourceAddress: return Below(random, 2) == 0 ? "[%rd1]" : "[%rd2+16]";
    case Role::kDestinationPredicate:
    case Role::kSourcePredicate: return "%p1";
    case Role::kVote: return "!%p2";
    case Role::kDestinationPredicates: return "%p1|%p2";
    case Role::kLabel: return "$L__BB0_2";
    case Role::kConstant: return "4";
    case Role::kCopySize: return "16";
    case Role::kClock: return "%clock64";
    case Role::kDestinationList:
    case Role::kSourceList:
    case Role::kSourceParts:
    case Role::kDestinationParts: return Vector(random, operand.type, operand.count);
    case Role::kDestinationVector:
    case Role::kSourceVector:
      return Below(random, 2) == 0 ? std::string(OfType(random, operand.type))
                                   : Vector(random, operand.type, 2);
    default: return std::string(OfType(random, operand.type));
  }
}

std::string SpellInstruction(Random& random) {
  const auto& rows = vgpu::BestEngine().rows;
  const auto& row = rows[Below(random, rows.size())];
  std::string text = (Below(random, 6) == 0 ? "@%p1 " : "") + SpellForm(random, row.form);
  bool is_first = true;
  for (const vgpu::OperandRole& operand : row.operands) {
    if (operand.role == vgpu::Role::kCarry) continue;
    text += (is_first ? " " : ", ") + SpellOperand(random, operand);
    is_first = false;
  }
  return text + ";\n";
}

std::vector<std::string> Lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    lines.emplace_back(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  return lines;
}

/// Where words begin and end: names, numbers and directives.
std::vector<std::pair<std::size_t, std::size_t>> Words(std::string_view text) {
  constexpr std::string_view kOfWords = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$%.";
  std::vector<std::pair<std::size_t, std::size_t>> words;
  for (std::size_t at = text.find_first_of(kOfWords); at != text.npos;) {
    const std::size_t end = std::min(text.find_first_not_of(kOfWords, at), text.size());
    words.emplace_back(at, end - at);
    at = text.find_first_of(kOfWords, end);
  }
  return words;
}

std::string ExchangeWords(Random& random, const std::string& text) {
  constexpr std::string_view kNumbers[] = {"0",
                                           "1",
                                           "255",
                                           "65536",
                                           "2147483647",
                                           "4294967295",
                                           "4294967296",
                                           "1099511627776",
                                           "0xFFFFFFFFFFFFFFFF"};
  const auto words = Words(text);
  if (words.empty()) return text;
  const auto [at, length] = Pick(random, words);
  const auto [from, taken] = Pick(random, words);
  const bool is_number = text[at] >= '0' && text[at] <= '9';
  const std::string by =
      is_number && Below(random, 2) == 0 ? std::string(Pick(random, kNumbers)) : text.substr(from, taken);
  return std::string(text).replace(at, length, by);
}

std::string Mutate(Random& random, const std::string& text) {
  if (Below(random, 3) == 0) return ExchangeWords(random, text);
  std::vector<std::string> lines = Lines(text);
  if (lines.empty()) return SpellInstruction(random);
  const auto at = lines.begin() + static_cast<std::ptrdiff_t>(Below(random, lines.size()));
  switch (Below(random, 4)) {
    case 0: lines.erase(at); break;
    case 1: lines.insert(at, std::string(Pick(random, lines))); break;
    case 2: *at = SpellInstruction(random); break;
    default: lines.insert(at, SpellInstruction(random));
  }
  std::string changed;
  for (const std::string& line : lines) changed += line;
  return changed;
}

}  // namespace
}  // namespace warplings::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  warplings::fuzz::Random random(seed);
  if (random() % 2 == 0) return LLVMFuzzerMutate(data, size, max_size);
  const std::string text =
      warplings::fuzz::Mutate(random, std::string(reinterpret_cast<const char*>(data), size));
  const std::size_t bytes = std::min(text.size(), max_size);
  std::memcpy(data, text.data(), bytes);
  return bytes;
}
