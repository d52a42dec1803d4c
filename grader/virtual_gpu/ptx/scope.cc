// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/ptx/scope.h"

#include <algorithm>
#include <charconv>

namespace warplings::ptx {
namespace {

/// PTX ISA 9.0, "Special Registers". Those with components are listed in kVectorSpecials.
constexpr std::string_view kScalarSpecials[] = {
    "%laneid",
    "%warpid",
    "%nwarpid",
    "%smid",
    "%nsmid",
    "%gridid",
    "%is_explicit_cluster",
    "%cluster_ctarank",
    "%cluster_nctarank",
    "%lanemask_eq",
    "%lanemask_le",
    "%lanemask_lt",
    "%lanemask_ge",
    "%lanemask_gt",
    "%clock",
    "%clock_hi",
    "%clock64",
    "%globaltimer",
    "%globaltimer_lo",
    "%globaltimer_hi",
    "%reserved_smem_offset_begin",
    "%reserved_smem_offset_end",
    "%reserved_smem_offset_cap",
    "%total_smem_size",
    "%aggr_smem_size",
    "%dynamic_smem_size",
    "%current_graph_exec",
};
constexpr std::string_view kVectorSpecials[] = {
    "%tid", "%ntid", "%ctaid", "%nctaid", "%clusterid", "%nclusterid", "%cluster_ctaid", "%cluster_nctaid",
};
/// Families with a number at the end, and how many of them there are.
struct NumberedSpecial {
  std::string_view prefix;
  unsigned count;
};
constexpr NumberedSpecial kNumberedSpecials[] = {
    {"%envreg", 32},
    {"%pm", 8},
    {"%reserved_smem_offset_", 2},
};

template <class List>
bool Contains(const List& list, std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

/// The number at the end of "%r12", without leading zeros; `prefix_size` becomes 2.
std::optional<std::uint32_t> TrailingNumber(std::string_view name, std::size_t& prefix_size) {
  prefix_size = name.find_last_not_of("0123456789") + 1;
  const std::string_view digits = name.substr(prefix_size);
  if (digits.empty() || (digits.size() > 1 && digits[0] == '0')) return std::nullopt;
  std::uint32_t number = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), number).ec != std::errc())
    return std::nullopt;
  return number;
}

bool IsNumberedSpecial(std::string_view name) {
  std::size_t prefix_size = 0;
  const auto number = TrailingNumber(name, prefix_size);
  if (!number) return false;
  return std::ranges::any_of(kNumberedSpecials, [&](const NumberedSpecial& row) {
    return row.prefix == name.substr(0, prefix_size) && *number < row.count;
  });
}

}  // namespace

bool IsSpecialRegister(std::string_view name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) {
    return Contains(kScalarSpecials, name) || Contains(kVectorSpecials, name) || IsNumberedSpecial(name);
  }
  const std::string_view component = name.substr(dot + 1);
  return Contains(kVectorSpecials, name.substr(0, dot)) && component.size() == 1 &&
         std::string_view("xyzw").find(component[0]) != std::string_view::npos;
}

void Scopes::Open() {
  scopes_.emplace_back().parent = current_;
  current_ = static_cast<ScopeId>(scopes_.size() - 1);
  ++depth_;
}

bool Scopes::Close() {
  if (current_ == 0) return false;
  current_ = At(current_).parent;
  --depth_;
  return true;
}

bool Scopes::DeclareRegister(std::string_view name, std::int32_t index) {
  return scopes_[static_cast<std::size_t>(current_)].registers.emplace(name, index).second;
}

bool Scopes::DeclareRegisters(std::string_view prefix, std::int32_t first, std::uint32_t count) {
  return scopes_[static_cast<std::size_t>(current_)].ranges.emplace(prefix, Range{first, count}).second;
}

bool Scopes::DeclareLabel(std::string_view name, std::int32_t instruction) {
  return scopes_[static_cast<std::size_t>(current_)].labels.emplace(name, instruction).second;
}

std::optional<std::string> Scopes::DeclareName(std::string_view name) {
  auto& names = scopes_[static_cast<std::size_t>(current_)].names;
  if (names.contains(name)) return std::nullopt;
  const std::uint32_t use = ++uses_[std::string(name)];
  // '#' begins no PTX identifier, so that the name cannot meet one from the text.
  std::string unique(name);
  if (use > 1) unique += "#" + std::to_string(use);
  names.emplace(name, unique);
  return unique;
}

std::int32_t Scopes::FindRegister(std::string_view name) const {
  std::size_t prefix_size = 0;
  const auto number = TrailingNumber(name, prefix_size);
  for (ScopeId id = current_; id >= 0; id = At(id).parent) {
    const Scope& scope = At(id);
    if (const auto found = scope.registers.find(name); found != scope.registers.end()) return found->second;
    if (!number) continue;
    const auto range = scope.ranges.find(name.substr(0, prefix_size));
    if (range != scope.ranges.end() && *number < range->second.count) {
      return range->second.first + static_cast<std::int32_t>(*number);
    }
  }
  return -1;
}

std::int32_t Scopes::FindLabel(std::string_view name, ScopeId scope) const {
  for (ScopeId id = scope; id >= 0; id = At(id).parent) {
    const auto found = At(id).labels.find(name);
    if (found != At(id).labels.end()) return found->second;
  }
  return -1;
}

const std::string* Scopes::FindName(std::string_view name, ScopeId scope) const {
  for (ScopeId id = scope; id >= 0; id = At(id).parent) {
    const auto found = At(id).names.find(name);
    if (found != At(id).names.end()) return &found->second;
  }
  return nullptr;
}

}  // namespace warplings::ptx
