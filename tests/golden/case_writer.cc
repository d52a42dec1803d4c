// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/case_writer.h"

#include <algorithm>

#include "tests/golden/case_forms.h"
#include "tests/golden/instruction_cases.h"

namespace warplings::vgpu {

std::optional<std::string> CaseWriter::Write() {
  // No card has been asked for its values yet; rows_without_cases_test.cc has a case of its own.
  if (opcode_.starts_with("vabsdiff2")) return std::nullopt;
  if (opcode_.starts_with("ld.") || opcode_.starts_with("ldu.") || opcode_.starts_with("st."))
    return WriteCopy();
  if (opcode_.starts_with("atom") || opcode_.starts_with("red.")) return WriteAtomic();
  if (ReadsOrLeavesCarry(row_)) return WriteWithCarry();
  if (opcode_.find("mbarrier") != std::string_view::npos) return WriteMemoryBarrier();
  if (opcode_.starts_with("cp.async.ca") || opcode_.starts_with("cp.async.cg")) return WriteAsyncCopy();
  if (row_.control == Control::kBarrier) return WriteBarrier();
  if (opcode_.starts_with("wmma.load") || opcode_.starts_with("ldmatrix")) return WriteMatrixLoad();
  if (opcode_.starts_with("wmma.store")) return WriteMatrixStore();
  if (opcode_.starts_with("wmma.mma") || opcode_.starts_with("mma.")) return WriteMatrixProduct();
  for (const OperandRole& role : row_.operands) {
    if (role.optional && !WantsOptional()) continue;
    if (!AddRole(role)) return std::nullopt;
  }
  std::string operands;
  for (const std::string& operand : operands_) operands += (operands.empty() ? " " : ", ") + operand;
  body_ += "  " + std::string(opcode_) + operands + ";\n" + after_;
  return Module();
}

bool CaseWriter::ReadsOrLeavesCarry(const InstructionRow& row) {
  return row.operands.Has(Role::kCarry);
}

std::optional<std::string> CaseWriter::WriteWithCarry() {
  const bool borrows = opcode_.starts_with("sub");
  std::string operands;
  for (const OperandRole& role : row_.operands) {
    if (role.role == Role::kCarry) continue;
    operands += operands.empty() ? " " : ", ";
    operands += role.role == Role::kDestination ? Destination(Width(role.type)) : Source(Width(role.type));
  }
  const std::string a = Source(32), b = Source(32), ignored = Fresh(32), carry = Fresh(32);
  body_ += std::string("  ") + (borrows ? "sub" : "add") + ".cc.u32 " + ignored + ", " + a + ", " + b + ";\n";
  body_ += "  " + std::string(opcode_) + operands + ";\n";
  body_ += std::string("  ") + (borrows ? "subc" : "addc") + ".u32 " + carry + ", 0, 0;\n";
  Keep(carry, 32);
  body_ += after_;
  return Module();
}

bool CaseWriter::WantsOptional() const {
  return HasWord(opcode_, ".and") || HasWord(opcode_, ".or") || HasWord(opcode_, ".xor");
}

bool CaseWriter::WantsByteRegister(const OperandRole& role) const {
  return HasWord(opcode_, ".bf16") && ptx::TypeBytes(role.type) == 1;
}

int CaseWriter::Width(ptx::Type type) {
  return static_cast<int>(std::max(2u, ptx::TypeBytes(type))) * 8;
}

std::string CaseWriter::Fresh(int width) {
  if (next_ == 56) next_ = 64;  // those between hold addresses
  return (width == 16 ? "%h" : width == 32 ? "%w" : "%q") + std::to_string(next_++);
}

std::string CaseWriter::Source(int width) {
  const std::string whole = Fresh(64);
  body_ += "  ld.global.u64 " + whole + ", [%q0+" + std::to_string(8 * (used_++ % kCaseOperands)) + "];\n";
  if (width == 64) return whole;
  const std::string cut = Fresh(width);
  body_ += "  cvt.u" + std::to_string(width) + ".u64 " + cut + ", " + whole + ";\n";
  return cut;
}

std::string CaseWriter::LoadedSource() {
  const std::string value = Fresh(32);
  body_ += "  ld.global.b32 " + value + ", [%q0+" + std::to_string(8 * (used_++ % kCaseOperands)) + "];\n";
  return value;
}

std::string CaseWriter::SourcePredicate() {
  const std::string value = Source(32), bit = Fresh(32);
  const std::string predicate = "%p" + std::to_string(next_++ % 8);
  body_ += "  and.b32 " + bit + ", " + value + ", 1;\n  setp.ne.u32 " + predicate + ", " + bit + ", 0;\n";
  return predicate;
}

void CaseWriter::Keep(const std::string& reg, int width) {
  std::string whole = reg;
  if (width != 64) {
    whole = Fresh(64);
    after_ += "  cvt.u64.u" + std::to_string(width) + " " + whole + ", " + reg + ";\n";
  }
  after_ += "  st.global.u64 [%q1+" + std::to_string(8 * kept_++) + "], " + whole + ";\n";
}

std::string CaseWriter::Destination(int width) {
  const std::string reg = Fresh(width);
  Keep(reg, width);
  return reg;
}

std::string CaseWriter::DestinationPredicate() {
  const std::string predicate = "%p" + std::to_string(8 + kept_), value = Fresh(32);
  after_ += "  selp.u32 " + value + ", 1, 0, " + predicate + ";\n";
  Keep(value, 32);
  return predicate;
}

bool CaseWriter::AddPack(const OperandRole& role) {
  std::string list;
  for (int i = 0; i < role.count; ++i) list += (i ? ", " : "{") + Source(Width(role.type));
  operands_.push_back(list + "}");
  return true;
}

bool CaseWriter::AddDestinationParts(const OperandRole& role) {
  if (role.type == ptx::Type::kB8) {
    const std::string whole = Destination(16);
    operands_.push_back("{%b0, %b1}");
    after_ = "  mov.b16 " + whole + ", {%b1, %b0};\n" + after_;
    return true;
  }
  // The parts are put together again, in another order, as one result.
  const int width = Width(role.type);
  const std::string whole = Fresh(role.count * width);
  std::string list, back;
  for (int i = 0; i < role.count; ++i) {
    const std::string part = Fresh(width);
    list += (i ? ", " : "{") + part;
    back = part + (back.empty() ? "" : ", " + back);
  }
  operands_.push_back(list + "}");
  after_ += "  mov.b" + std::to_string(role.count * width) + " " + whole + ", {" + back + "};\n";
  Keep(whole, role.count * width);
  return true;
}

bool CaseWriter::AddRole(const OperandRole& role) {
  switch (role.role) {
    case Role::kDestination:
    case Role::kWideDestination:
      if (WantsByteRegister(role)) {
        const std::string whole = Destination(16);
        operands_.push_back("%b0");
        after_ = "  mov.b16 " + whole + ", {%b0, 0};\n" + after_;
        return true;
      }
      operands_.push_back(Destination(Width(role.type)));
      return true;
    case Role::kDestinationAndPredicate: {
      const std::string value = Destination(Width(role.type));
      operands_.push_back(value + "|" + DestinationPredicate());
      return true;
    }
    case Role::kSource:
    case Role::kWideSource:
    case Role::kWholeSource:
      if (WantsByteRegister(role)) {
        body_ += "  mov.b16 {%b0, %b1}, " + Source(16) + ";\n";
        operands_.push_back("%b0");
        return true;
      }
      operands_.push_back(Source(Width(role.type)));
      return true;
    case Role::kDestinationPredicate: operands_.push_back(DestinationPredicate()); return true;
    case Role::kDestinationPredicates: {
      const std::string p = DestinationPredicate();
      operands_.push_back(p + "|" + DestinationPredicate());
      return true;
    }
    case Role::kSourcePredicate: operands_.push_back(SourcePredicate()); return true;
    case Role::kMembers: operands_.push_back("0xffffffff"); return true;
    case Role::kConstant: operands_.push_back("0xe8"); return true;
    case Role::kSourceParts:
      if (role.type == ptx::Type::kB8) {
        body_ += "  mov.b16 {%b0, %b1}, " + Source(16) + ";\n";
        operands_.push_back("{%b1, %b0}");
        return true;
      }
      return AddPack(role);
    case Role::kDestinationParts: return AddDestinationParts(role);
    default: return false;  // memory, branches, calls: tests of their own
  }
}

std::string CaseWriter::Module() const {
  return ".version 8.0\n.target sm_" + std::to_string(MinimumSm(opcode_)) + "\n.address_size 64\n" +
         declarations_ +
         ".visible .entry k(.param .u64 k_param_0, .param .u64 k_param_1)\n{\n"
         "  .reg .pred %p<16>;\n  .reg .b8 %b<2>;\n  .reg .b16 %h<128>;\n  .reg .b32 %w<128>;\n  .reg .b64 "
         "%q<128>;\n" +
         locals_ +
         "  mov.u32 %w60, %tid.x;\n"
         "  ld.param.u64 %q60, [k_param_0];\n  ld.param.u64 %q61, [k_param_1];\n"
         "  mul.wide.u32 %q62, %w60, 32;\n  add.s64 %q0, %q60, %q62;\n"
         "  mul.wide.u32 %q63, %w60, 16;\n  add.s64 %q1, %q61, %q63;\n" +
         body_ + "  ret;\n}\n";
}

}  // namespace warplings::vgpu
