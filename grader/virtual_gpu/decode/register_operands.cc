// SPDX-License-Identifier: Apache-2.0
// Plain registers, predicates, constants and special registers.
#include <cstring>

#include "grader/messages/ptx.h"
#include "grader/virtual_gpu/decode/operand_binder.h"
#include "grader/virtual_gpu/decode/special_registers.h"

namespace warplings::vgpu {
namespace {

/// Converts an immediate to the operand's type: to a float if the type is one, however it is spelled.
std::uint64_t ImmediateBits(const ptx::Operand& operand, ptx::Type type) {
  const bool wants_single = type == ptx::Type::kF32;
  const bool wants_double = type == ptx::Type::kF64;
  double value = 0;
  if (operand.is_float && operand.is_double) std::memcpy(&value, &operand.bits, sizeof value);
  if (operand.is_float && !operand.is_double) {
    float single;
    const auto bits = static_cast<std::uint32_t>(operand.bits);
    std::memcpy(&single, &bits, sizeof single);
    value = single;
  }
  if (wants_single && operand.is_float && operand.is_double) {
    const auto single = static_cast<float>(value);
    std::uint32_t bits;
    std::memcpy(&bits, &single, sizeof bits);
    return bits;
  }
  if (wants_double && operand.is_float && !operand.is_double) {
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }
  return operand.bits;
}

}  // namespace

ptx::Type OperandBinder::RegisterType(const ptx::Operand& operand) const {
  return function_.registers[static_cast<std::size_t>(operand.index)].type;
}

std::uint8_t OperandBinder::WidthOf(const ptx::Operand& operand, ptx::Type type) const {
  if (operand.kind == ptx::OperandKind::kRegister) {
    return static_cast<std::uint8_t>(LaneBytes(RegisterType(operand)));
  }
  return static_cast<std::uint8_t>(LaneBytes(type));
}

MaybeRefusal OperandBinder::BindRegister(const ptx::Operand& operand, std::uint32_t bytes, bool any_width,
                                         OperandRef& ref) const {
  const ptx::Type type = RegisterType(operand);
  if (type == ptx::Type::kPred) return Refusal{say::is_a_predicate(function_.RegisterName(operand.index))};
  if (any_width ? LaneBytes(type) < bytes || LaneBytes(type) > 8 : LaneBytes(type) != bytes) {
    return Refusal{say::has_wrong_width(function_.RegisterName(operand.index))};
  }
  ref = frame_.registers[static_cast<std::size_t>(operand.index)];
  return std::nullopt;
}

MaybeRefusal OperandBinder::BindDestination(const ptx::Operand& operand, ptx::Type type,
                                            OperandRef& ref) const {
  if (operand.kind == ptx::OperandKind::kSink) {
    ref = frame_.scratch;
    return std::nullopt;
  }
  if (operand.kind != ptx::OperandKind::kRegister) return Refusal{say::register_expected()};
  return BindRegister(operand, LaneBytes(type), false, ref);
}

MaybeRefusal OperandBinder::BindAnyWidth(const ptx::Operand& operand, ptx::Type type, OperandRef& ref) {
  if (operand.kind == ptx::OperandKind::kRegister) return BindRegister(operand, LaneBytes(type), true, ref);
  return BindSource(operand, type, ref);
}

MaybeRefusal OperandBinder::BindPredicate(const ptx::Operand& operand, OperandRef& ref, bool is_destination) {
  if (operand.kind == ptx::OperandKind::kSink && is_destination) {
    ref = kNoOperand;
    return std::nullopt;
  }
  if (operand.kind == ptx::OperandKind::kImmediate && !is_destination) {
    ref = builder_.Constant(operand.bits ? kAllLanes : 0, sizeof(Mask));
    return std::nullopt;
  }
  if (operand.kind != ptx::OperandKind::kRegister || RegisterType(operand) != ptx::Type::kPred) {
    return Refusal{say::predicate_expected()};
  }
  ref = frame_.registers[static_cast<std::size_t>(operand.index)];
  return std::nullopt;
}

MaybeRefusal OperandBinder::BindSource(const ptx::Operand& operand, ptx::Type type, OperandRef& ref) {
  switch (operand.kind) {
    case ptx::OperandKind::kRegister: return BindRegister(operand, LaneBytes(type), false, ref);
    case ptx::OperandKind::kImmediate:
      ref = builder_.Constant(ImmediateBits(operand, type), LaneBytes(type));
      return std::nullopt;
    case ptx::OperandKind::kSpecial: return BindSpecial(operand, type, ref);
    case ptx::OperandKind::kSymbol: {
      if (auto local = frame_.local_addresses.find(operand.name);
          local != frame_.local_addresses.end() && LaneBytes(type) == 8) {
        ref = local->second;
        return std::nullopt;
      }
      const auto value = SymbolValue(operand.name);
      if (!value) return builder_.NoAddress(operand.name);
      ref = builder_.Constant(*value + static_cast<std::uint64_t>(operand.offset), LaneBytes(type));
      return std::nullopt;
    }
    default: return Refusal{say::register_or_constant_expected()};
  }
}

MaybeRefusal OperandBinder::BindSpecial(const ptx::Operand& operand, ptx::Type type, OperandRef& ref) {
  if (auto reserved = builder_.shared.find(operand.name);
      reserved != builder_.shared.end() && LaneBytes(type) == 4) {
    ref = builder_.Constant(reserved->second, 4);
    return std::nullopt;
  }
  if (const auto special = SpecialNamed(operand.name)) {
    if (LaneBytes(type) != 4) return Refusal{say::has_32_bits(operand.name)};
    ref = builder_.SpecialLanes(*special);
    return std::nullopt;
  }
  return Refusal{say::special_register_not_supported(operand.name)};
}

MaybeRefusal OperandBinder::BindClock(const OperandRole& role, const ptx::Operand& operand, Binding& to) {
  if (operand.kind != ptx::OperandKind::kSpecial) return Refusal{say::register_expected()};
  const std::string& name = operand.name;
  const bool is_low = name == "%clock" || name == "%globaltimer_lo";
  const bool is_high = name == "%clock_hi" || name == "%globaltimer_hi";
  const bool is_whole = name == "%clock64" || name == "%globaltimer";
  if (LaneBytes(role.type) == 8 ? !is_whole : !is_low && !is_high) {
    return Refusal{say::special_register_not_supported(name)};
  }
  to.inst.imm = is_high ? 32 : 0;
  return std::nullopt;
}

std::optional<std::uint64_t> OperandBinder::SymbolValue(const std::string& name) const {
  if (function_.is_entry) {
    if (auto at = builder_.parameters.find(name); at != builder_.parameters.end()) return at->second;
  }
  if (auto at = builder_.shared.find(name); at != builder_.shared.end()) return at->second;
  if (auto at = builder_.symbols.find(name); at != builder_.symbols.end()) return at->second;
  return std::nullopt;
}

}  // namespace warplings::vgpu
