// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/case_forms.h"

#include <algorithm>
#include <initializer_list>

namespace warplings::vgpu {
namespace {

/// Groups whose words say nothing about the value: one opcode without them stands for all.
bool IsHint(std::string_view choices) {
  static constexpr std::string_view kHints[] = {
      ".cta|.cluster|.gpu|.sys", ".ca|.cg",           ".nc",
      ".L1::evict_normal",       ".L2::evict_normal", ".L2::evict_first",
      ".L2::cache_hint",         ".L2::64B",          ".weak|.volatile",
      ".relaxed|.acquire",       ".release.cta",      ".acquire.cta"};
  return std::any_of(std::begin(kHints), std::end(kHints),
                     [&](std::string_view hint) { return choices.starts_with(hint); });
}

void Expand(std::string_view form, std::string& opcode, std::vector<std::string>& all) {
  const std::size_t length = opcode.size();
  const std::size_t group = form.find_first_of("[{");
  opcode.append(form.substr(0, std::min(group, form.size())));
  if (group == std::string_view::npos) {
    all.push_back(opcode);
    opcode.resize(length);
    return;
  }
  const bool optional = form[group] == '[';
  const std::size_t end = form.find(optional ? ']' : '}', group);
  std::string_view choices = form.substr(group + 1, end - group - 1);
  const std::string_view after = form.substr(end + 1);
  const bool hint = optional && IsHint(choices);
  if (optional) Expand(after, opcode, all);
  while (!choices.empty() && !hint) {
    const std::size_t bar = std::min(choices.find('|'), choices.size());
    const std::size_t before = opcode.size();
    opcode.append(choices.substr(0, bar));
    Expand(after, opcode, all);
    opcode.resize(before);
    choices.remove_prefix(std::min(bar + 1, choices.size()));
  }
  opcode.resize(length);
}

/// Whether some value of integer type `from` does not fit into `to`; only then .sat is allowed.
bool CanOverflow(std::string_view to, std::string_view from) {
  auto bits = [](std::string_view type) { return std::stoi(std::string(type.substr(2))); };
  if (from[1] == 's' && to[1] == 'u') return true;
  return from[1] == to[1] ? bits(from) > bits(to) : bits(from) >= bits(to);
}

}  // namespace

std::vector<std::string_view> WordsOf(std::string_view opcode) {
  std::vector<std::string_view> words;
  while (!opcode.empty()) {
    const std::size_t dot = std::min(opcode.find('.', 1), opcode.size());
    words.push_back(opcode.substr(0, dot));
    opcode.remove_prefix(dot);
  }
  return words;
}
bool HasWord(std::string_view opcode, std::string_view word) {
  const auto words = WordsOf(opcode);
  return std::find(words.begin(), words.end(), word) != words.end();
}

namespace {

bool HasOneOf(std::string_view opcode, std::initializer_list<std::string_view> choices) {
  return std::ranges::any_of(choices, [&](std::string_view word) { return HasWord(opcode, word); });
}

// lo, ls, hi, hs are for unsigned types; .b types are only compared for equality.
bool IsLegalSetp(std::string_view opcode) {
  if (HasOneOf(opcode, {".lo", ".ls", ".hi", ".hs"}) && !HasOneOf(opcode, {".u16", ".u32", ".u64"}))
    return false;
  if (HasOneOf(opcode, {".b16", ".b32", ".b64"}) && !HasOneOf(opcode, {".eq", ".ne"})) return false;
  return !HasOneOf(opcode, {".and", ".or", ".xor"}) || HasOneOf(opcode, {".eq", ".lt", ".geu"});
}
bool IsLegalSet(std::string_view opcode) {
  const std::string_view type = WordsOf(opcode).back();
  if (HasOneOf(opcode, {".lo", ".ls", ".hi", ".hs"}) && type != ".u32") return false;
  return type != ".b32" || HasOneOf(opcode, {".eq", ".ne"});
}

bool IsFloat(std::string_view type) {
  return type.starts_with(".f") || type.starts_with(".bf") || type == ".tf32";
}
/// Between integers and floats a rounding is required.
bool IsLegalCvt(std::string_view opcode) {
  const auto words = WordsOf(opcode);
  const std::string_view to = words[words.size() - 2], from = words.back();
  const bool to_float = IsFloat(to), from_float = IsFloat(from);
  if (from_float && !to_float && !HasOneOf(opcode, {".rni", ".rzi", ".rmi", ".rpi"})) return false;
  if (!from_float && to_float && !HasOneOf(opcode, {".rn", ".rz", ".rm", ".rp"})) return false;
  if (HasWord(opcode, ".ftz") && to != ".f32" && from != ".f32") return false;
  return to_float || from_float || !HasWord(opcode, ".sat") || CanOverflow(to, from);
}

}  // namespace

bool IsLegal(std::string_view opcode) {
  if (opcode.starts_with("setp")) return IsLegalSetp(opcode);
  if (opcode.starts_with("set.")) return IsLegalSet(opcode);
  if (opcode.starts_with("cvt.")) return IsLegalCvt(opcode);
  if (opcode.starts_with("wmma"))
    return opcode.find(".rn.") == std::string_view::npos || !opcode.ends_with(".rn");
  if (opcode.starts_with("add") || opcode.starts_with("sub") || opcode.starts_with("mul")) return true;
  if (opcode.starts_with("mad") && HasOneOf(opcode, {".f32", ".f64"}))
    return HasOneOf(opcode, {".rn", ".rz", ".rm", ".rp"});
  // Four elements of 64 bits are more than 16 bytes.
  return opcode.find(".v4") == std::string_view::npos || !opcode.ends_with("64");
}

int MinimumSm(std::string_view opcode) {
  static constexpr std::string_view kHopper[] = {".bf16", ".bf16x2", ".u16x2", ".s16x2"};
  for (std::string_view word : kHopper) {
    if (HasWord(opcode, word)) return 90;
  }
  const bool is_hopper = opcode.starts_with("elect") || opcode.find("try_wait") != std::string_view::npos ||
                         opcode.starts_with("fence.proxy") || opcode.starts_with("fence.mbarrier") ||
                         opcode.ends_with("rn.tf32.f32") || opcode.ends_with("rz.tf32.f32") ||
                         opcode.find("cluster") != std::string_view::npos ||
                         HasWord(opcode, ".xorsign");  // sm_86
  return is_hopper ? 90 : 80;
}

std::vector<std::string> ExpandForm(std::string_view form) {
  std::vector<std::string> all;
  std::string opcode;
  Expand(form, opcode, all);
  return all;
}

}  // namespace warplings::vgpu
