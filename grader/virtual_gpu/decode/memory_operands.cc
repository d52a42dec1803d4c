// SPDX-License-Identifier: Apache-2.0
// Addresses, and the values of loads and stores.
#include "grader/messages/ptx.h"
#include "grader/virtual_gpu/decode/operand_binder.h"

namespace warplings::vgpu {

MaybeRefusal OperandBinder::BindAddress(const OperandRole& role, const ptx::Operand& operand, Binding& to) {
  const bool is_plain = operand.kind == ptx::OperandKind::kAddress && operand.elements.empty();
  if (!is_plain) return Refusal{say::address_expected()};
  Inst& inst = to.inst;
  inst.imm = operand.offset;
  NoteAccess(role, to);
  // Its handler relies on bounds that were checked here, and only a slot has bounds that are known here.
  const bool names_slot = operand.index < 0 && frame_.slots.contains(operand.name);
  const bool stores_parameter = inst.access == Access::kWrite && to.row.memory.space == StateSpace::kParam;
  if (stores_parameter && !names_slot) {
    return Refusal{say::only_parameters_by_name()};
  }
  if (operand.index >= 0) {
    const std::uint32_t bytes = LaneBytes(RegisterType(operand));
    if (bytes != 4 && bytes != 8) return Refusal{say::address_register_width()};
    inst.address_bytes = static_cast<std::uint8_t>(bytes);
    return BindRegister(operand, bytes, false, inst.address);
  }
  inst.address_bytes = 8;
  if (auto slot = frame_.slots.find(operand.name); slot != frame_.slots.end())
    return BindSlot(slot->second, role.type, inst);
  if (auto local = frame_.local_addresses.find(operand.name); local != frame_.local_addresses.end()) {
    inst.address = local->second;
    return std::nullopt;
  }
  std::uint64_t base = 0;
  if (!operand.name.empty()) {
    const auto value = SymbolValue(operand.name);
    if (!value) return builder_.NoAddress(operand.name);
    base = *value;
  }
  inst.address = builder_.Constant(base, 8);
  return std::nullopt;
}

void OperandBinder::NoteAccess(const OperandRole& role, Binding& to) {
  to.inst.access = to.row.memory.access;
  if (to.inst.access == Access::kNone) return;
  const auto bytes = static_cast<std::uint8_t>(ptx::TypeBytes(role.type));
  const StateSpace space = to.row.SpaceWith(to.inst.mods);
  const bool is_generic = space == StateSpace::kGeneric;
  if (is_generic || space == StateSpace::kShared) to.inst.shared_access_bytes = bytes;
  const bool may_be_global = is_generic || space == StateSpace::kGlobal;
  if (may_be_global && to.inst.access != Access::kRead) to.inst.global_store_bytes = bytes;
  to.inst.may_read_padding = to.inst.access == Access::kRead && !ptx::IsFloat(role.type);
}

MaybeRefusal OperandBinder::BindSourceAddress(const OperandRole&, const ptx::Operand& operand, Binding& to) {
  Inst& inst = to.inst;
  OperandRef& ref = to.NextSource();
  if (operand.kind != ptx::OperandKind::kAddress) return Refusal{say::address_expected()};
  const auto fits = [](std::int64_t offset) { return offset == static_cast<std::int32_t>(offset); };
  if (!fits(operand.offset) || !fits(inst.imm)) return Refusal{say::address_offset_too_large()};
  inst.imm = static_cast<std::int64_t>((static_cast<std::uint64_t>(operand.offset) << 32) |
                                       static_cast<std::uint32_t>(inst.imm));
  if (operand.index >= 0) {
    const std::uint32_t bytes = LaneBytes(RegisterType(operand));
    if (bytes != 4 && bytes != 8) return Refusal{say::address_register_width()};
    inst.source_bytes = static_cast<std::uint8_t>(bytes);
    return BindRegister(operand, bytes, false, ref);
  }
  const auto value = operand.name.empty() ? std::uint64_t{0} : SymbolValue(operand.name);
  if (!value) return builder_.NoAddress(operand.name);
  inst.source_bytes = 8;
  ref = builder_.Constant(*value, 8);
  return std::nullopt;
}

MaybeRefusal OperandBinder::BindSlot(const FrameSlot& slot, ptx::Type type, Inst& inst) {
  const std::uint64_t count = std::uint64_t{1} << ((inst.mods & mods::kVectorMask) >> mods::kVectorShift);
  const std::uint64_t bytes = count * ptx::TypeBytes(type);
  if (inst.imm < 0 || static_cast<std::uint64_t>(inst.imm) + bytes > slot.bytes) {
    return Refusal{say::access_leaves_parameter()};
  }
  inst.mods |= mods::kFrame;
  inst.address = builder_.SlotAddresses(slot);
  return std::nullopt;
}

MaybeRefusal OperandBinder::BindVector(const ptx::Operand& operand, ptx::Type type, bool is_load,
                                       Inst& inst) {
  const std::size_t count = std::size_t{1} << ((inst.mods & mods::kVectorMask) >> mods::kVectorShift);
  const bool is_vector = operand.kind == ptx::OperandKind::kVector;
  if (is_vector ? operand.elements.size() != count : count != 1)
    return Refusal{say::wrong_number_of_elements()};
  inst.register_bytes = static_cast<std::uint8_t>(LaneBytes(type));
  std::uint8_t width = 0;  // The lanes of all elements are read or written alike.
  for (std::size_t i = 0; i < count; ++i) {
    const ptx::Operand& element = is_vector ? operand.elements[i] : operand;
    if (element.kind == ptx::OperandKind::kSink && is_load) continue;
    if (is_load && element.kind != ptx::OperandKind::kRegister) return Refusal{say::register_expected()};
    if (width != 0 && width != WidthOf(element, type)) return Refusal{say::elements_differ_in_width()};
    inst.register_bytes = width = WidthOf(element, type);
    if (auto refusal = BindAnyWidth(element, type, inst.op[i])) return refusal;
  }
  return std::nullopt;
}

MaybeRefusal OperandBinder::BindDestinationVector(const OperandRole& role, const ptx::Operand& operand,
                                                  Binding& to) {
  if (operand.kind != ptx::OperandKind::kPair) return BindVector(operand, role.type, true, to.inst);
  // Only a texture's fetch has a predicate beside its vector.
  if (!to.row.operands.Has(Role::kTexture)) return Refusal{say::register_expected()};
  if (auto refusal = BindVector(operand.elements[0], role.type, true, to.inst)) return refusal;
  return BindPredicate(operand.elements[1], to.inst.predicate, true);
}

MaybeRefusal OperandBinder::BindSourceVector(const OperandRole& role, const ptx::Operand& operand,
                                             Binding& to) {
  return BindVector(operand, role.type, false, to.inst);
}

MaybeRefusal OperandBinder::BindTexture(const OperandRole& role, const ptx::Operand& operand, Binding& to) {
  const bool is_object =
      operand.kind == ptx::OperandKind::kAddress && operand.index >= 0 && operand.offset == 0;
  if (!is_object || operand.elements.size() != (role.count ? 1 : 0))
    return Refusal{say::texture_object_expected()};
  Inst& inst = to.inst;
  inst.access = to.row.memory.access;
  for (const OperandRole& data : to.row.operands) {
    if (data.role == Role::kSourceVector)
      inst.global_store_bytes = static_cast<std::uint8_t>(ptx::TypeBytes(data.type));
  }
  if (auto refusal = BindRegister(operand, sizeof(std::uint64_t), false, inst.address)) return refusal;
  return role.count ? BindList(operand.elements[0], role, false, inst.op[4]) : std::nullopt;
}

MaybeRefusal OperandBinder::BindIgnored(const OperandRole& role, const ptx::Operand& operand, Binding&) {
  OperandRef unused;
  return BindList(operand, role, false, unused);
}

MaybeRefusal OperandBinder::BindCopySize(const OperandRole&, const ptx::Operand& operand, Binding& to) {
  const bool fits = operand.kind == ptx::OperandKind::kImmediate &&
                    (operand.bits == 4 || operand.bits == 8 || operand.bits == 16);
  if (!fits) return Refusal{say::size_expected()};
  to.inst.register_bytes = to.inst.shared_access_bytes = static_cast<std::uint8_t>(operand.bits);
  return std::nullopt;
}

MaybeRefusal OperandBinder::BindCachePolicy(const OperandRole& role, const ptx::Operand& operand,
                                            Binding& to) {
  if (!(to.inst.mods & mods::kCachePolicy)) return Refusal{say::too_many_operands()};
  OperandRef unused;
  return BindSource(operand, role.type, unused);
}

}  // namespace warplings::vgpu
