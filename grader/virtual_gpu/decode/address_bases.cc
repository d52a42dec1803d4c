// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/decode/address_bases.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace warplings::vgpu {
namespace {

/// Passes over the code. Each carries a base over all instructions in their order, and a loop needs a second
/// one; hostile code must not need more.
constexpr int kMostPasses = 8;
constexpr std::size_t kMostBases = 64;

/// Whether the result of an instruction may be an address in the same array as an operand is.
bool MayKeepArray(std::string_view opcode) {
  constexpr std::array<std::string_view, 6> kKinds = {"mov.", "add.", "sub.", "cvta.", "cvt.u64.", "selp."};
  return std::ranges::any_of(kKinds, [&](std::string_view kind) { return opcode.starts_with(kind); });
}

class BaseSearch {
 public:
  BaseSearch(ProgramBuilder& builder, const ptx::Function& function, const RegisterFlow& flow)
      : builder_(builder), function_(function), flow_(flow), of_register_(function.registers.size(), 0) {}

  std::vector<std::uint64_t> Run() {
    bool has_changed = true;
    for (int pass = 0; pass < kMostPasses && has_changed; ++pass) {
      has_changed = false;
      for (std::size_t at = 0; at < function_.instructions.size(); ++at) has_changed |= Carry(at);
    }
    std::vector<std::uint64_t> found;
    for (const ptx::Instruction& instruction : function_.instructions) {
      std::uint64_t bases = 0;
      for (const ptx::Operand& operand : instruction.operands) {
        if (operand.kind == ptx::OperandKind::kAddress) bases |= Of(operand);
      }
      found.push_back(bases);
    }
    return found;
  }

 private:
  /// From an instruction's operands into what it sets; whether that is new.
  bool Carry(std::size_t at) {
    const ptx::Instruction& instruction = function_.instructions[at];
    if (instruction.operands.size() < 2) return false;
    std::uint64_t bases = 0;
    if (instruction.opcode.starts_with("ld.param.")) {
      bases = OfParameter(instruction.operands[1]);
    } else if (instruction.opcode.starts_with("mad.")) {
      bases = Of(instruction.operands.back());  // The product is an offset.
    } else if (MayKeepArray(instruction.opcode)) {
      for (std::size_t i = 1; i < instruction.operands.size(); ++i) bases |= Of(instruction.operands[i]);
    }
    bool is_new = false;
    for (std::int32_t reg : flow_.defines[at]) {
      std::uint64_t& known = of_register_[static_cast<std::size_t>(reg)];
      is_new |= (bases & ~known) != 0;
      known |= bases;
    }
    return is_new;
  }

  std::uint64_t Of(const ptx::Operand& operand) {
    if (operand.index >= 0 &&
        (operand.kind == ptx::OperandKind::kRegister || operand.kind == ptx::OperandKind::kAddress))
      return of_register_[static_cast<std::size_t>(operand.index)];
    const bool is_named =
        operand.kind == ptx::OperandKind::kSymbol || operand.kind == ptx::OperandKind::kAddress;
    if (!is_named || operand.name.empty()) return 0;
    if (const auto shared = builder_.shared.find(operand.name); shared != builder_.shared.end())
      return BitOf({AddressBase::Kind::kShared, shared->second});
    if (const auto variable = builder_.symbols.find(operand.name); variable != builder_.symbols.end())
      return BitOf({AddressBase::Kind::kVariable, variable->second});
    return 0;
  }

  /// Also of a pointer that is a member of a struct. A number in the same place is no address of an array.
  std::uint64_t OfParameter(const ptx::Operand& operand) {
    if (!function_.is_entry || operand.kind != ptx::OperandKind::kAddress || operand.offset < 0) return 0;
    const auto parameter = builder_.parameters.find(operand.name);
    if (parameter == builder_.parameters.end()) return 0;
    return BitOf(
        {AddressBase::Kind::kArgument, parameter->second + static_cast<std::uint64_t>(operand.offset)});
  }

  std::uint64_t BitOf(const AddressBase& base) {
    std::vector<AddressBase>& known = builder_.program->address_bases;
    const auto found = std::ranges::find(known, base);
    if (found == known.end() && known.size() == kMostBases) return 0;
    const auto number = static_cast<std::size_t>(found - known.begin());
    if (found == known.end()) known.push_back(base);
    return std::uint64_t{1} << number;
  }

  ProgramBuilder& builder_;
  const ptx::Function& function_;
  const RegisterFlow& flow_;
  std::vector<std::uint64_t> of_register_;
};

}  // namespace

std::vector<std::uint64_t> FindAddressBases(ProgramBuilder& builder, const ptx::Function& function,
                                            const RegisterFlow& flow) {
  return BaseSearch(builder, function, flow).Run();
}

}  // namespace warplings::vgpu
