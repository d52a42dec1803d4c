// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/exec/case_forms.h"

#include <algorithm>

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

bool IsLegal(std::string_view opcode) {
  const bool has_bool = HasWord(opcode, ".and") || HasWord(opcode, ".or") || HasWord(opcode, ".xor");
  if (opcode.starts_with("setp")) {
    // lo, ls, hi, hs are for unsigned types; .b types are only compared for equality.
    const bool is_unsigned_word =
        HasWord(opcode, ".lo") || HasWord(opcode, ".ls") || HasWord(opcode, ".hi") || HasWord(opcode, ".hs");
    const bool is_equality = HasWord(opcode, ".eq") || HasWord(opcode, ".ne");
    const bool is_bits = HasWord(opcode, ".b16") || HasWord(opcode, ".b32") || HasWord(opcode, ".b64");
    const bool is_unsigned = HasWord(opcode, ".u16") || HasWord(opcode, ".u32") || HasWord(opcode, ".u64");
    if (is_unsigned_word && !is_unsigned) return false;
    if (is_bits && !is_equality) return false;
    return has_bool ? HasWord(opcode, ".eq") || HasWord(opcode, ".lt") || HasWord(opcode, ".geu") : true;
  }
  if (opcode.starts_with("set.")) {
    const bool is_unsigned_word =
        HasWord(opcode, ".lo") || HasWord(opcode, ".ls") || HasWord(opcode, ".hi") || HasWord(opcode, ".hs");
    const auto words = WordsOf(opcode);
    if (is_unsigned_word && words.back() != ".u32") return false;
    if (words.back() == ".b32" && !HasWord(opcode, ".eq") && !HasWord(opcode, ".ne")) return false;
    return true;
  }
  if (opcode.starts_with("cvt.")) {
    const auto words = WordsOf(opcode);
    const std::string_view to = words[words.size() - 2], from = words.back();
    auto is_float = [](std::string_view type) {
      return type.starts_with(".f") || type.starts_with(".bf") || type == ".tf32";
    };
    const bool to_float = is_float(to), from_float = is_float(from);
    const bool rounds_to_int = HasWord(opcode, ".rni") || HasWord(opcode, ".rzi") ||
                               HasWord(opcode, ".rmi") || HasWord(opcode, ".rpi");
    const bool rounds =
        HasWord(opcode, ".rn") || HasWord(opcode, ".rz") || HasWord(opcode, ".rm") || HasWord(opcode, ".rp");
    if (from_float && !to_float && !rounds_to_int) return false;  // a rounding is required
    if (!from_float && to_float && !rounds) return false;
    if (HasWord(opcode, ".ftz") && to != ".f32" && from != ".f32") return false;
    if (!to_float && !from_float && HasWord(opcode, ".sat")) return CanOverflow(to, from);
    return true;
  }
  if (opcode.starts_with("wmma"))
    return opcode.find(".rn.") == std::string_view::npos || !opcode.ends_with(".rn");
  if (opcode.starts_with("add") || opcode.starts_with("sub") || opcode.starts_with("mul")) return true;
  if (opcode.starts_with("mad") && (HasWord(opcode, ".f32") || HasWord(opcode, ".f64"))) {
    return HasWord(opcode, ".rn") || HasWord(opcode, ".rz") || HasWord(opcode, ".rm") ||
           HasWord(opcode, ".rp");
  }
  if (opcode.find(".v4") != std::string_view::npos &&
      (opcode.find("64") != std::string_view::npos && opcode.substr(opcode.size() - 2) == "64")) {
    return false;  // more than 16 bytes
  }
  return true;
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
