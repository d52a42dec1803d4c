// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "grader/virtual_gpu/ptx/module.h"

namespace warplings::vgpu {

/// The role of an operand in its instruction. The comments of Inst say in which field the decoder stores
/// each.
enum class Role : std::uint8_t {
  kDestination,              ///< Stored in Inst::op, from index 0.
  kDestinationAndPredicate,  ///< "d|p"; "|p" may be absent.
  kWideDestination,          ///< The register may be wider than the type; values are extended.
  kDestinationVector,        ///< Two or four registers, by the opcode's .v2 or .v4.
  kDestinationParts,         ///< "{a, b}": the pieces of one wider value.
  kDestinationList,          ///< "{a, b, …}" of a matrix instruction; stored in Program::operand_lists.
  kDestinationPredicate,
  kDestinationPredicates,  ///< "p|q"; "|q" may be absent.
  kSource,                 ///< Stored in Inst::op, from index 1.
  kWideSource,             ///< The register may be wider than the type; its low bits are used.
  kWholeSource,            ///< The value that is unpacked; comes after its parts and is stored in op[4].
  kSourceVector,
  kSourceParts,
  kSourceList,
  kSourcePredicate,
  kMembers,        ///< The member mask of a ….sync.
  kVote,           ///< The predicate of each thread for a barrier's reduction.
  kAddress,        ///< "[a]"; the type is that of the data at the address.
  kSourceAddress,  ///< "[b]" of a copy.
  kTexture,        ///< "[t, {x, y}]": an object and its coordinates, or "[t]"; the list is stored in op[4].
  kIgnored,        ///< A level of detail or a gradient: read and not used.
  kCopySize,       ///< The number of bytes that a copy moves.
  kCachePolicy,    ///< Affects only timing, not values.
  kConstant,
  kClock,   ///< "%clock" and the like.
  kLabel,   ///< The target of a branch.
  kLabels,  ///< The name of a list of labels.
  kCall,    ///< Results, function and arguments of a call.
  kCarry,   ///< The condition code CC.CF, which is implicit in PTX.
};

/// One operand of a row: "?src.b32" is {kSource, optional, 1, b32}, "src_parts2.b16" {kSourceParts, 2, b16}.
struct OperandRole {
  Role role = Role::kSource;
  bool optional = false;
  std::uint8_t count = 1;
  ptx::Type type = ptx::Type::kNone;
};

/// The operands of a row in the order in which PTX writes them. Rows give them as text, "dst.b32 src.b32
/// ?src_pred": [?]ROLE[COUNT][.TYPE], where ? marks an optional operand. The text is parsed at compile time:
/// an unknown word is a compile error.
class Operands {
 public:
  constexpr Operands() = default;
  constexpr Operands(const char* text) : text_(text) {  // NOLINT(google-explicit-constructor)
    for (std::string_view rest = text; !rest.empty();) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      roles_[size_++] = Parse(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

  constexpr const OperandRole* begin() const { return roles_.data(); }
  constexpr const OperandRole* end() const { return roles_.data() + size_; }
  constexpr std::size_t size() const { return size_; }
  constexpr const OperandRole& operator[](std::size_t i) const { return roles_[i]; }
  constexpr bool Has(Role role) const {
    for (const OperandRole& one : *this) {
      if (one.role == role) return true;
    }
    return false;
  }
  constexpr std::string_view text() const { return text_; }

 private:
  struct Name {
    std::string_view name;
    Role role;
  };
  static constexpr Name kNames[] = {{"dst", Role::kDestination},
                                    {"dst|pred", Role::kDestinationAndPredicate},
                                    {"wide_dst", Role::kWideDestination},
                                    {"dst_vector", Role::kDestinationVector},
                                    {"dst_parts", Role::kDestinationParts},
                                    {"dst_list", Role::kDestinationList},
                                    {"dst_pred", Role::kDestinationPredicate},
                                    {"dst_pred|pred", Role::kDestinationPredicates},
                                    {"src", Role::kSource},
                                    {"wide_src", Role::kWideSource},
                                    {"src_whole", Role::kWholeSource},
                                    {"src_vector", Role::kSourceVector},
                                    {"src_parts", Role::kSourceParts},
                                    {"src_list", Role::kSourceList},
                                    {"src_pred", Role::kSourcePredicate},
                                    {"members", Role::kMembers},
                                    {"vote", Role::kVote},
                                    {"address", Role::kAddress},
                                    {"src_address", Role::kSourceAddress},
                                    {"texture", Role::kTexture},
                                    {"ignored", Role::kIgnored},
                                    {"copy_size", Role::kCopySize},
                                    {"policy", Role::kCachePolicy},
                                    {"constant", Role::kConstant},
                                    {"clock", Role::kClock},
                                    {"label", Role::kLabel},
                                    {"labels", Role::kLabels},
                                    {"call", Role::kCall},
                                    {"carry", Role::kCarry}};

  static constexpr OperandRole Parse(std::string_view word) {
    OperandRole operand;
    operand.optional = word.front() == '?';
    if (operand.optional) word.remove_prefix(1);
    const std::size_t dot = std::min(word.find('.'), word.size());
    std::string_view name = word.substr(0, dot);
    if (name.back() >= '0' && name.back() <= '9') {
      operand.count = static_cast<std::uint8_t>(name.back() - '0');
      name.remove_suffix(1);
    }
    if (dot < word.size()) operand.type = TypeNamed(word.substr(dot + 1));
    for (const Name& known : kNames) {
      if (known.name != name) continue;
      operand.role = known.role;
      return operand;
    }
    throw "no operand has this role";
  }

  static constexpr ptx::Type TypeNamed(std::string_view name) {
    for (std::size_t row = 1; row < ptx::kTypes.size(); ++row) {
      if (ptx::kTypes[row].name == name) return static_cast<ptx::Type>(row);
    }
    throw "there is no such type";
  }

  const char* text_ = "";
  std::array<OperandRole, 5> roles_{};
  std::uint8_t size_ = 0;
};

}  // namespace warplings::vgpu
