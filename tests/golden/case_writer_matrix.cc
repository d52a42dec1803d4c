// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/case_forms.h"
#include "tests/golden/case_writer.h"

namespace warplings::vgpu {

CaseWriter::RegisterList CaseWriter::MakeList(const OperandRole& role, bool source) {
  RegisterList list;
  list.width = Width(role.type);
  for (int i = 0; i < role.count; ++i) {
    list.registers.push_back(source ? Source(list.width) : Fresh(list.width));
    list.text += (i ? ", " : "{") + list.registers.back();
  }
  list.text += "}";
  return list;
}

void CaseWriter::KeepFolded(const std::vector<std::string>& registers, int width) {
  const std::string sum = Fresh(64), whole = Fresh(64);
  after_ += "  mov.b64 " + sum + ", 0;\n";
  for (const std::string& reg : registers) {
    if (width == 32) after_ += "  cvt.u64.u32 " + whole + ", " + reg + ";\n";
    after_ += "  mad.lo.u64 " + sum + ", " + sum + ", 1000003, " + (width == 32 ? whole : reg) + ";\n";
  }
  Keep(sum, 64);
}

std::string CaseWriter::MatrixAddress() {
  const std::string lane = Fresh(32), wide = Fresh(64), at = Fresh(64);
  if (HasWord(opcode_, ".global")) {
    body_ += "  and.b32 " + lane + ", %w60, 31;\n  mul.wide.u32 " + wide + ", " + lane + ", 32;\n  sub.s64 " +
             at + ", %q0, " + wide + ";\n";
    return "[" + at + "]";
  }
  const std::string slot = Slot(".shared"), first = Fresh(32);
  FillSlot(".shared", slot);
  body_ += "  and.b32 " + lane + ", " + slot + ", 1023;\n  sub.u32 " + first + ", " + slot + ", " + lane +
           ";\n  bar.warp.sync 0xffffffff;\n";
  if (opcode_.starts_with("ldmatrix")) {
    const std::string row = Fresh(32);
    body_ +=
        "  and.b32 " + lane + ", %w60, 31;\n  mad.lo.u32 " + row + ", " + lane + ", 32, " + first + ";\n";
    return "[" + row + "]";
  }
  if (HasWord(opcode_, ".shared") || HasWord(opcode_, ".shared::cta")) return "[" + first + "]";
  body_ += "  cvt.u64.u32 " + wide + ", " + first + ";\n  cvta.shared.u64 " + at + ", " + wide + ";\n";
  return "[" + at + "]";
}

std::optional<std::string> CaseWriter::WriteMatrixLoad() {
  const std::string address = MatrixAddress();
  const RegisterList list = MakeList(row_.operands[0], false);
  body_ += "  " + std::string(opcode_) + " " + list.text + ", " + address + ";\n";
  KeepFolded(list.registers, list.width);
  body_ += after_;
  return Module();
}

std::optional<std::string> CaseWriter::WriteMatrixStore() {
  if (HasWord(opcode_, ".global")) return std::nullopt;  // the results have no room for a matrix
  const std::string address = MatrixAddress();
  const RegisterList list = MakeList(row_.operands[1], true);
  body_ +=
      "  " + std::string(opcode_) + " " + address + ", " + list.text + ";\n  bar.warp.sync 0xffffffff;\n";
  std::vector<std::string> words;
  for (int i = 0; i < 4; ++i) {
    words.push_back(Fresh(64));
    body_ += "  ld.shared.u64 " + words.back() + ", [%w56+" + std::to_string(8 * i) + "];\n";
  }
  KeepFolded(words, 64);
  body_ += after_;
  return Module();
}

std::optional<std::string> CaseWriter::WriteMatrixProduct() {
  std::string operands;
  std::vector<RegisterList> lists;
  for (const OperandRole& role : row_.operands) {
    lists.push_back(MakeList(role, role.role == Role::kSourceList));
    operands += (operands.empty() ? " " : ", ") + lists.back().text;
  }
  body_ += "  " + std::string(opcode_) + operands + ";\n";
  const RegisterList& result = lists[0];
  if (result.width == 32) {
    const std::string pair = Fresh(64);
    after_ += "  mov.b64 " + pair + ", {" + result.registers[0] + ", " + result.registers[1] + "};\n";
    Keep(pair, 64);
  } else {
    Keep(result.registers[0], 64);
  }
  KeepFolded(result.registers, result.width);
  body_ += after_;
  return Module();
}

}  // namespace warplings::vgpu
