// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/case_forms.h"
#include "tests/golden/case_writer.h"

namespace warplings::vgpu {

std::string CaseWriter::SpaceWord() const {
  for (std::string_view space : {".global", ".shared", ".shared::cta", ".local", ".const", ".param"}) {
    if (HasWord(opcode_, space)) return std::string(space);
  }
  return "";
}

std::string CaseWriter::Slot(const std::string& space) {
  if (space == ".const") {
    std::string bytes;
    for (int i = 0; i < 256; ++i) bytes += (i ? ", " : "") + std::to_string((i * 151 + 7) & 255);
    declarations_ = ".const .align 16 .b8 table[256] = {" + bytes + "};\n";
    body_ +=
        "  and.b32 %w58, %w60, 15;\n  mul.wide.u32 %q58, %w58, 16;\n  mov.u64 %q57, table;\n"
        "  add.s64 %q56, %q57, %q58;\n";
  } else if (space == ".local") {
    declarations_ = "";
    locals_ = "  .local .align 16 .b8 slot[32];\n";
    body_ += "  mov.u64 %q56, slot;\n";
  } else {
    locals_ = "  .shared .align 16 .b8 slots[8192];\n";
    body_ += "  mov.u32 %w58, slots;\n  shl.b32 %w57, %w60, 5;\n  add.u32 %w56, %w58, %w57;\n";
    return "%w56";
  }
  return "%q56";
}

void CaseWriter::FillSlot(const std::string& space, const std::string& at) {
  for (int i = 0; i < 4; ++i) {
    body_ += "  st" + space + ".u64 [" + at + "+" + std::to_string(8 * i) + "], " + Source(64) + ";\n";
  }
}

std::optional<std::string> CaseWriter::WriteCopy() {
  const std::string space = SpaceWord();
  if (space == ".param") return std::nullopt;
  const bool is_load = opcode_.starts_with("ld");
  const bool is_global = space.empty() || space == ".global";
  const ptx::Type type = ptx::TypeFromName(WordsOf(opcode_).back().substr(1));
  const int width = Width(type);
  const int count = HasWord(opcode_, ".v4") ? 4 : HasWord(opcode_, ".v2") ? 2 : 1;
  std::string at = is_global ? (is_load ? "%q0" : "%q1") : Slot(space);
  if (!is_global && space != ".const") FillSlot(space, at);
  std::vector<std::string> values;
  for (int i = 0; i < count; ++i) values.push_back(is_load ? Fresh(width) : Source(width));
  std::string list = values[0];
  for (int i = 1; i < count; ++i) list += ", " + values[static_cast<std::size_t>(i)];
  if (count > 1) list = "{" + list + "}";
  const std::string address = "[" + at + "]";
  body_ +=
      "  " + std::string(opcode_) + " " + (is_load ? list + ", " + address : address + ", " + list) + ";\n";
  if (is_load) {
    KeepAll(values, width);
  } else if (!is_global) {
    for (int i = 0; i < 2; ++i) KeepLoaded(space, at, i);
  }
  body_ += after_;
  return Module();
}

void CaseWriter::KeepAll(const std::vector<std::string>& values, int width) {
  if (width == 64) {
    for (const std::string& value : values) Keep(value, 64);
    return;
  }
  for (std::size_t i = 0; i < values.size(); i += 2) {
    const std::string low = Fresh(64), high = Fresh(64);
    after_ += "  cvt.u64.u" + std::to_string(width) + " " + low + ", " + values[i] + ";\n";
    if (i + 1 < values.size()) {
      after_ += "  cvt.u64.u" + std::to_string(width) + " " + high + ", " + values[i + 1] + ";\n  shl.b64 " +
                high + ", " + high + ", 32;\n  or.b64 " + low + ", " + low + ", " + high + ";\n";
    }
    Keep(low, 64);
  }
}

void CaseWriter::KeepLoaded(const std::string& space, const std::string& at, int index) {
  const std::string value = Fresh(64);
  after_ += "  ld" + space + ".u64 " + value + ", [" + at + "+" + std::to_string(8 * index) + "];\n";
  Keep(value, 64);
}

std::optional<std::string> CaseWriter::WriteAtomic() {
  const std::string space = SpaceWord();
  const bool is_global = space.empty() || space == ".global";
  const std::string at = is_global ? "%q1" : Slot(space);
  const int offset = is_global ? 8 : 0;
  if (is_global) {
    body_ += "  st.global.u64 [%q1+8], " + Source(64) + ";\n";
  } else {
    FillSlot(space, at);
  }
  std::string operands;
  for (const OperandRole& role : row_.operands) {
    if (role.role == Role::kCachePolicy) continue;
    operands += operands.empty() ? " " : ", ";
    if (role.role == Role::kDestination) {
      operands += Destination(Width(role.type));
    } else if (role.role == Role::kAddress) {
      operands += "[" + at + "+" + std::to_string(offset) + "]";
    } else if (HasWord(opcode_, ".f16x2") || HasWord(opcode_, ".bf16x2")) {
      operands += LoadedSource();
    } else {
      operands += Source(Width(role.type));
    }
  }
  body_ += "  " + std::string(opcode_) + operands + ";\n";
  if (!is_global) KeepLoaded(space, at, 0);
  body_ += after_;
  return Module();
}

std::optional<std::string> CaseWriter::WriteBarrier() {
  if (HasWord(opcode_, ".arrive")) {
    body_ += "  setp.lt.u32 %p0, %w60, 128;\n  @%p0 " + std::string(opcode_) +
             " 1, 256;\n  @!%p0 bar.sync 1, 256;\n";
    return Module();
  }
  std::string operands;
  int constants = 0;
  for (const OperandRole& role : row_.operands) {
    operands += operands.empty() ? " " : ", ";
    if (role.role == Role::kDestination) operands += Destination(32);
    if (role.role == Role::kDestinationPredicate) operands += DestinationPredicate();
    if (role.role == Role::kSource) operands += constants++ ? "256" : "1";
    if (role.role == Role::kVote) operands += SourcePredicate();
  }
  body_ += "  " + std::string(opcode_) + operands + ";\n" + after_;
  return Module();
}

std::optional<std::string> CaseWriter::WriteAsyncCopy() {
  const std::string at = Slot(".shared");
  FillSlot(".shared", at);
  const bool large = HasWord(opcode_, ".cg");
  std::string option;
  if (row_.operands.Has(Role::kSourcePredicate)) {
    option = SourcePredicate();
  } else if (row_.operands.Has(Role::kSource)) {
    option = Fresh(32);
    body_ += "  and.b32 " + option + ", " + Source(32) + ", " + (large ? "15" : "7") + ";\n";
  }
  if (HasWord(opcode_, ".L2::cache_hint")) {
    const std::string policy = Fresh(64);
    body_ += "  createpolicy.fractional.L2::evict_first.b64 " + policy + ";\n";
    option += (option.empty() ? "" : ", ") + policy;
  }
  body_ += "  " + std::string(opcode_) + " [" + at + "], [%q0], " + (large ? "16" : "8") + ", " + option +
           ";\n  cp.async.wait_all;\n";
  KeepLoaded(".shared", at, 0);
  KeepLoaded(".shared", at, 1);
  body_ += after_;
  return Module();
}

std::optional<std::string> CaseWriter::WriteMemoryBarrier() {
  if (HasWord(opcode_, ".inval") || HasWord(opcode_, ".pending_count")) return std::nullopt;
  const bool is_shared = HasWord(opcode_, ".shared") || HasWord(opcode_, ".shared::cta");
  const std::string at = Slot(".shared");
  const std::string generic = Fresh(64), wide = Fresh(64), count = Fresh(32), token = Fresh(64);
  const std::string address = "[" + (is_shared ? at : generic) + "]";
  body_ += "  cvt.u64.u32 " + wide + ", " + at + ";\n  cvta.shared.u64 " + generic + ", " + wide + ";\n";
  body_ +=
      "  and.b32 " + count + ", " + Source(32) + ", 3;\n  add.u32 " + count + ", " + count + ", " +
      (HasWord(opcode_, ".noComplete") || HasWord(opcode_, ".arrive_drop") || HasWord(opcode_, ".mbarrier")
           ? "2"
           : "1") +
      ";\n";
  const std::string slot = "[" + at + "]";
  const std::string init = HasWord(opcode_, ".init") ? std::string(opcode_) : "mbarrier.init.shared.b64";
  body_ += "  " + init + " " + (HasWord(opcode_, ".init") ? address : slot) + ", " + count + ";\n";
  const bool arrives = HasWord(opcode_, ".arrive") || HasWord(opcode_, ".arrive_drop");
  if (arrives && opcode_.starts_with("mbarrier")) {
    body_ += "  " + std::string(opcode_) + " " + token + ", " + address +
             (HasWord(opcode_, ".noComplete") ? ", 1" : "") + ";\n";
  } else {
    if (arrives) body_ += "  " + std::string(opcode_) + " " + address + ";\n";
    body_ += "  mbarrier.arrive.shared.b64 " + token + ", " + slot + ";\n";
  }
  const bool tests = HasWord(opcode_, ".test_wait") || HasWord(opcode_, ".try_wait");
  const std::string done = DestinationPredicate(), pending = Destination(32);
  body_ += "  " + (tests ? std::string(opcode_) + " " + done + ", " + address
                         : "mbarrier.test_wait.shared.b64 " + done + ", " + slot);
  body_ += (HasWord(opcode_, ".parity") ? std::string(", 0") : ", " + token) + ";\n";
  if (HasWord(opcode_, ".arrive_drop")) {
    // What later phases expect shows in the next token.
    body_ += "  mbarrier.arrive.shared.b64 " + token + ", " + slot + ";\n";
  }
  body_ += "  mbarrier.pending_count.b64 " + pending + ", " + token + ";\n" + after_;
  return Module();
}

}  // namespace warplings::vgpu
