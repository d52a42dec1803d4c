// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/exec/instruction_cases.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>

#include "grader/virtual_gpu/exec/form.h"

namespace warplings::vgpu {
namespace {

// --- Forms. -----------------------------------------------------------------------------------------------

/// Groups whose words say nothing about the value: one opcode without them stands for all.
bool IsHint(std::string_view choices) {
  static constexpr std::string_view kHints[] = {".cta|.cluster|.gpu|.sys", ".ca|.cg",      ".nc",
                                                ".L1::evict_normal",       ".L2::64B",     ".weak|.volatile",
                                                ".relaxed|.acquire",       ".release.cta", ".acquire.cta"};
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

/// Whether some value of integer type `from` does not fit into `to`; only then .sat is allowed.
bool CanOverflow(std::string_view to, std::string_view from) {
  auto bits = [](std::string_view type) { return std::stoi(std::string(type.substr(2))); };
  if (from[1] == 's' && to[1] == 'u') return true;
  return from[1] == to[1] ? bits(from) > bits(to) : bits(from) >= bits(to);
}

/// Opcodes that a form spells and the manual does not know.
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

/// The first architecture that has an opcode, as far as it matters here ("Target ISA Notes").
int MinimumSm(std::string_view opcode) {
  static constexpr std::string_view kHopper[] = {".bf16", ".bf16x2", ".u16x2", ".s16x2"};
  for (std::string_view word : kHopper) {
    if (HasWord(opcode, word)) return 90;
  }
  const bool is_hopper = opcode.starts_with("elect") || opcode.find("try_wait") != std::string_view::npos ||
                         opcode.starts_with("fence.proxy") || opcode.starts_with("fence.mbarrier") ||
                         opcode.ends_with("rn.tf32.f32") || opcode.ends_with("rz.tf32.f32");
  return is_hopper ? 90 : 80;
}

// --- Kernels. ---------------------------------------------------------------------------------------------

/// Writes the body of one case; gives up where a role has no place in such a kernel.
class CaseWriter {
 public:
  CaseWriter(std::string_view opcode, const InstructionRow& row) : opcode_(opcode), row_(row) {}

  std::optional<std::string> Write() {
    if (opcode_.starts_with("ld.") || opcode_.starts_with("st.")) return WriteCopy();
    if (opcode_.starts_with("atom") || opcode_.starts_with("red.")) return WriteAtomic();
    if (ReadsOrLeavesCarry(row_)) return WriteWithCarry();
    if (opcode_.find("mbarrier") != std::string_view::npos) return WriteMemoryBarrier();
    if (opcode_.starts_with("cp.async.ca") || opcode_.starts_with("cp.async.cg")) return WriteAsyncCopy();
    if (row_.control == Control::kBarrier) return WriteBarrier();
    if (opcode_.starts_with("wmma.load") || opcode_.starts_with("ldmatrix")) return WriteMatrixLoad();
    if (opcode_.starts_with("wmma.store")) return WriteMatrixStore();
    if (opcode_.starts_with("wmma.mma") || opcode_.starts_with("mma.")) return WriteMatrixProduct();
    for (const OperandRole& role : ParseOperands(row_.operands)) {
      if (role.optional && !WantsOptional()) continue;
      if (!AddRole(role)) return std::nullopt;
    }
    std::string operands;
    for (const std::string& operand : operands_) operands += (operands.empty() ? " " : ", ") + operand;
    body_ += "  " + std::string(opcode_) + operands + ";\n" + after_;
    return Module();
  }

 private:
  // --- Memory: each thread has a slot of 32 bytes of its own in the space at hand. ------------------------

  std::string SpaceWord() const {
    for (std::string_view space : {".global", ".shared", ".shared::cta", ".local", ".const", ".param"}) {
      if (HasWord(opcode_, space)) return std::string(space);
    }
    return "";
  }

  /// Declares the slots and gives the operand that addresses this thread's.
  std::string Slot(const std::string& space) {
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
  void FillSlot(const std::string& space, const std::string& at) {
    for (int i = 0; i < 4; ++i) {
      body_ += "  st" + space + ".u64 [" + at + "+" + std::to_string(8 * i) + "], " + Source(64) + ";\n";
    }
  }

  std::optional<std::string> WriteCopy() {
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

  /// Up to four values as two results.
  void KeepAll(const std::vector<std::string>& values, int width) {
    if (width == 64) {
      for (const std::string& value : values) Keep(value, 64);
      return;
    }
    for (std::size_t i = 0; i < values.size(); i += 2) {
      const std::string low = Fresh(64), high = Fresh(64);
      after_ += "  cvt.u64.u" + std::to_string(width) + " " + low + ", " + values[i] + ";\n";
      if (i + 1 < values.size()) {
        after_ += "  cvt.u64.u" + std::to_string(width) + " " + high + ", " + values[i + 1] +
                  ";\n  shl.b64 " + high + ", " + high + ", 32;\n  or.b64 " + low + ", " + low + ", " + high +
                  ";\n";
      }
      Keep(low, 64);
    }
  }
  void KeepLoaded(const std::string& space, const std::string& at, int index) {
    const std::string value = Fresh(64);
    after_ += "  ld" + space + ".u64 " + value + ", [" + at + "+" + std::to_string(8 * index) + "];\n";
    Keep(value, 64);
  }

  std::optional<std::string> WriteAtomic() {
    const std::string space = SpaceWord();
    const bool is_global = space.empty() || space == ".global";
    const std::string at = is_global ? "%q1" : Slot(space);
    const int offset = is_global ? 8 : 0;
    if (is_global) {
      body_ += "  st.global.u64 [%q1+8], " + Source(64) + ";\n";
    } else {
      FillSlot(space, at);
    }
    std::vector<OperandRole> roles = ParseOperands(row_.operands);
    std::string operands;
    for (const OperandRole& role : roles) {
      operands += operands.empty() ? " " : ", ";
      if (role.role == 'd') {
        operands += Destination(Width(role.type));
      } else if (role.role == 'm') {
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

  // --- Barriers and copies. -------------------------------------------------------------------------------

  /// All threads meet; where some only arrive, the others wait for them.
  std::optional<std::string> WriteBarrier() {
    if (HasWord(opcode_, ".arrive")) {
      body_ += "  setp.lt.u32 %p0, %w60, 128;\n  @%p0 " + std::string(opcode_) +
               " 1, 256;\n  @!%p0 bar.sync 1, 256;\n";
      return Module();
    }
    std::string operands;
    int constants = 0;
    for (const OperandRole& role : ParseOperands(row_.operands)) {
      operands += operands.empty() ? " " : ", ";
      if (role.role == 'd') operands += Destination(32);
      if (role.role == 'q') operands += DestinationPredicate();
      if (role.role == 's') operands += constants++ ? "256" : "1";
      if (role.role == 'R') operands += SourcePredicate();
    }
    body_ += "  " + std::string(opcode_) + operands + ";\n" + after_;
    return Module();
  }

  /// Copies the thread's operands into its slot, some of their bytes where that can be said.
  std::optional<std::string> WriteAsyncCopy() {
    const std::string at = Slot(".shared");
    FillSlot(".shared", at);
    const bool large = HasWord(opcode_, ".cg");
    std::string option;
    if (std::string_view(row_.operands).ends_with("p")) {
      option = SourcePredicate();
    } else {
      option = Fresh(32);
      body_ += "  and.b32 " + option + ", " + Source(32) + ", " + (large ? "15" : "7") + ";\n";
    }
    body_ += "  " + std::string(opcode_) + " [" + at + "], [%q0], " + (large ? "16" : "8") + ", " + option +
             ";\n  cp.async.wait_all;\n";
    KeepLoaded(".shared", at, 0);
    KeepLoaded(".shared", at, 1);
    body_ += after_;
    return Module();
  }

  /// Tokens are opaque: what counts is the pending count in them and when their phase is complete.
  std::optional<std::string> WriteMemoryBarrier() {
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

  // --- Matrices: the operands of a warp, 1 KiB, are one. --------------------------------------------------

  /// Registers of a list, and the list as an operand.
  struct RegisterList {
    std::vector<std::string> registers;
    int width = 32;
    std::string text;
  };
  RegisterList MakeList(const OperandRole& role, bool source) {
    RegisterList list;
    list.width = Width(role.type);
    for (int i = 0; i < role.count; ++i) {
      list.registers.push_back(source ? Source(list.width) : Fresh(list.width));
      list.text += (i ? ", " : "{") + list.registers.back();
    }
    list.text += "}";
    return list;
  }
  /// One number that depends on every register and its place.
  void KeepFolded(const std::vector<std::string>& registers, int width) {
    const std::string sum = Fresh(64), whole = Fresh(64);
    after_ += "  mov.b64 " + sum + ", 0;\n";
    for (const std::string& reg : registers) {
      if (width == 32) after_ += "  cvt.u64.u32 " + whole + ", " + reg + ";\n";
      after_ += "  mad.lo.u64 " + sum + ", " + sum + ", 1000003, " + (width == 32 ? whole : reg) + ";\n";
    }
    Keep(sum, 64);
  }

  /// Where this thread's warp has its kibibyte, in the space that the opcode names.
  std::string MatrixAddress() {
    const std::string lane = Fresh(32), wide = Fresh(64), at = Fresh(64);
    if (HasWord(opcode_, ".global")) {
      body_ += "  and.b32 " + lane + ", %w60, 31;\n  mul.wide.u32 " + wide + ", " + lane +
               ", 32;\n  sub.s64 " + at + ", %q0, " + wide + ";\n";
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

  std::optional<std::string> WriteMatrixLoad() {
    const std::string address = MatrixAddress();
    const RegisterList list = MakeList(ParseOperands(row_.operands)[0], false);
    body_ += "  " + std::string(opcode_) + " " + list.text + ", " + address + ";\n";
    KeepFolded(list.registers, list.width);
    body_ += after_;
    return Module();
  }

  std::optional<std::string> WriteMatrixStore() {
    if (HasWord(opcode_, ".global")) return std::nullopt;  // the results have no room for a matrix
    const std::string address = MatrixAddress();
    const RegisterList list = MakeList(ParseOperands(row_.operands)[1], true);
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

  /// The first two registers of the result stand for themselves, all of them for the second number.
  std::optional<std::string> WriteMatrixProduct() {
    std::string operands;
    std::vector<RegisterList> lists;
    for (const OperandRole& role : ParseOperands(row_.operands)) {
      lists.push_back(MakeList(role, role.role == 'W'));
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

  // --- Carry: set before, and read back afterwards. -------------------------------------------------------

  static bool ReadsOrLeavesCarry(const InstructionRow& row) {
    return std::string_view(row.operands).ends_with(" C");
  }

  std::optional<std::string> WriteWithCarry() {
    const bool borrows = opcode_.starts_with("sub");
    std::string operands;
    for (const OperandRole& role : ParseOperands(row_.operands)) {
      if (role.role == 'C') continue;
      operands += operands.empty() ? " " : ", ";
      operands += role.role == 'd' ? Destination(Width(role.type)) : Source(Width(role.type));
    }
    const std::string a = Source(32), b = Source(32), ignored = Fresh(32), carry = Fresh(32);
    body_ +=
        std::string("  ") + (borrows ? "sub" : "add") + ".cc.u32 " + ignored + ", " + a + ", " + b + ";\n";
    body_ += "  " + std::string(opcode_) + operands + ";\n";
    body_ += std::string("  ") + (borrows ? "subc" : "addc") + ".u32 " + carry + ", 0, 0;\n";
    Keep(carry, 32);
    body_ += after_;
    return Module();
  }

  // --- Everything else: operands by their roles. -----------------------------------------------------------

  bool WantsOptional() const {
    return HasWord(opcode_, ".and") || HasWord(opcode_, ".or") || HasWord(opcode_, ".xor");
  }

  /// Between bytes and bf16 only registers of eight bits are taken.
  bool WantsByteRegister(const OperandRole& role) const {
    return HasWord(opcode_, ".bf16") && ptx::TypeBytes(role.type) == 1;
  }
  static int Width(ptx::Type type) { return static_cast<int>(std::max(2u, ptx::TypeBytes(type))) * 8; }
  std::string Fresh(int width) {
    if (next_ == 56) next_ = 64;  // those between hold addresses
    return (width == 16 ? "%h" : width == 32 ? "%w" : "%q") + std::to_string(next_++);
  }

  /// The next 64-bit operand, cut to the width.
  std::string Source(int width) {
    const std::string whole = Fresh(64);
    body_ += "  ld.global.u64 " + whole + ", [%q0+" + std::to_string(8 * (used_++ % kCaseOperands)) + "];\n";
    if (width == 64) return whole;
    const std::string cut = Fresh(width);
    body_ += "  cvt.u" + std::to_string(width) + ".u64 " + cut + ", " + whole + ";\n";
    return cut;
  }
  /// Of 32 bits, and not cut from more: the driver of CUDA 13.0 gives a pair's atomic in shared memory the
  /// wrong half of such a register.
  std::string LoadedSource() {
    const std::string value = Fresh(32);
    body_ += "  ld.global.b32 " + value + ", [%q0+" + std::to_string(8 * (used_++ % kCaseOperands)) + "];\n";
    return value;
  }
  std::string SourcePredicate() {
    const std::string value = Source(32), bit = Fresh(32);
    const std::string predicate = "%p" + std::to_string(next_++ % 8);
    body_ += "  and.b32 " + bit + ", " + value + ", 1;\n  setp.ne.u32 " + predicate + ", " + bit + ", 0;\n";
    return predicate;
  }

  void Keep(const std::string& reg, int width) {
    std::string whole = reg;
    if (width != 64) {
      whole = Fresh(64);
      after_ += "  cvt.u64.u" + std::to_string(width) + " " + whole + ", " + reg + ";\n";
    }
    after_ += "  st.global.u64 [%q1+" + std::to_string(8 * kept_++) + "], " + whole + ";\n";
  }
  std::string Destination(int width) {
    const std::string reg = Fresh(width);
    Keep(reg, width);
    return reg;
  }
  std::string DestinationPredicate() {
    const std::string predicate = "%p" + std::to_string(8 + kept_), value = Fresh(32);
    after_ += "  selp.u32 " + value + ", 1, 0, " + predicate + ";\n";
    Keep(value, 32);
    return predicate;
  }

  bool AddPack(const OperandRole& role) {
    std::string list;
    for (int i = 0; i < role.count; ++i) list += (i ? ", " : "{") + Source(Width(role.type));
    operands_.push_back(list + "}");
    return true;
  }

  bool AddRole(const OperandRole& role) {
    switch (role.role) {
      case 'd':
      case 'x':
        if (WantsByteRegister(role)) {
          const std::string whole = Destination(16);
          operands_.push_back("%b0");
          after_ = "  mov.b16 " + whole + ", {%b0, 0};\n" + after_;
          return true;
        }
        operands_.push_back(Destination(Width(role.type)));
        return true;
      case 'D': {
        const std::string value = Destination(Width(role.type));
        operands_.push_back(value + "|" + DestinationPredicate());
        return true;
      }
      case 's':
      case 'y':
      case 'z':
        if (WantsByteRegister(role)) {
          body_ += "  mov.b16 {%b0, %b1}, " + Source(16) + ";\n";
          operands_.push_back("%b0");
          return true;
        }
        operands_.push_back(Source(Width(role.type)));
        return true;
      case 'q': operands_.push_back(DestinationPredicate()); return true;
      case 'Q': {
        const std::string p = DestinationPredicate();
        operands_.push_back(p + "|" + DestinationPredicate());
        return true;
      }
      case 'p': operands_.push_back(SourcePredicate()); return true;
      case 'k': operands_.push_back("0xffffffff"); return true;
      case 'i': operands_.push_back("0xe8"); return true;
      case 'P':
        if (role.type == ptx::Type::kB8) {
          body_ += "  mov.b16 {%b0, %b1}, " + Source(16) + ";\n";
          operands_.push_back("{%b1, %b0}");
          return true;
        }
        return AddPack(role);
      case 'U': {
        if (role.type == ptx::Type::kB8) {
          const std::string whole = Destination(16);
          operands_.push_back("{%b0, %b1}");
          after_ = "  mov.b16 " + whole + ", {%b1, %b0};\n" + after_;
          return true;
        }
        // The parts are put together again, in another order, as one result.
        std::string list;
        const std::string whole = Fresh(role.count * Width(role.type));
        std::string back;
        for (int i = 0; i < role.count; ++i) {
          const std::string part = Fresh(Width(role.type));
          list += (i ? ", " : "{") + part;
          back = part + (back.empty() ? "" : ", " + back);
        }
        operands_.push_back(list + "}");
        after_ +=
            "  mov.b" + std::to_string(role.count * Width(role.type)) + " " + whole + ", {" + back + "};\n";
        Keep(whole, role.count * Width(role.type));
        return true;
      }
      default: return false;  // memory, branches, calls: tests of their own
    }
  }

  std::string Module() const {
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

  std::string_view opcode_;
  const InstructionRow& row_;
  std::string declarations_, locals_, body_, after_;
  std::vector<std::string> operands_;
  int next_ = 2, used_ = 0, kept_ = 0;
};

// --- Operands. --------------------------------------------------------------------------------------------

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t Next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

constexpr std::uint64_t kIntEdges[] = {0,
                                       1,
                                       2,
                                       31,
                                       32,
                                       33,
                                       63,
                                       64,
                                       0x7f,
                                       0x80,
                                       0xff,
                                       0x7fff,
                                       0x8000,
                                       0xffff,
                                       0x7fffffff,
                                       0x80000000,
                                       0xffffffff,
                                       0x7fffffffffffffff,
                                       0x8000000000000000,
                                       0xffffffffffffffff};
constexpr std::uint64_t kFloatEdges[] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00001, 0x00000001,
    0x807fffff, 0x00800000, 0x7f7fffff, 0x3f000000, 0x40490fdb, 0x4f000000, 0xcf000000, 0x5f000000};
constexpr std::uint64_t kDoubleEdges[] = {
    0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000,
    0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000001, 0x0000000000000001,
    0x800fffffffffffff, 0x0010000000000000, 0x7fefffffffffffff, 0x3fe0000000000000,
    0x400921fb54442d18, 0x41e0000000000000, 0xc3e0000000000000, 0x380fffffe0000000};

std::uint64_t RandomFloat(Random& random) {
  // Half of them of ordinary size, so that sums and products neither overflow nor vanish.
  const std::uint64_t bits = random.Next();
  if (bits & (std::uint64_t{1} << 40)) return bits & 0xffffffffu;
  return (bits & 0x807fffffu) | ((120 + (bits >> 41) % 16) << 23);
}
std::uint64_t RandomDouble(Random& random) {
  const std::uint64_t bits = random.Next();
  if (bits & 1) return random.Next();
  return (bits & 0x800fffffffffffffu) | ((1015 + (bits >> 52) % 16) << 52);
}
/// Four elements of 16 bits.
constexpr std::uint64_t kHalfEdges[] = {0x0000, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e01, 0x0001,
                                        0x83ff, 0x0400, 0x7bff, 0xfbff, 0x3800, 0x4248, 0x0200, 0xfd01};
constexpr std::uint64_t kBrainEdges[] = {0x0000, 0x8000, 0x3f80, 0xbf80, 0x7f80, 0xff80, 0x7fc1, 0x0001,
                                         0x807f, 0x0080, 0x7f7f, 0xff7f, 0x3f00, 0x4049, 0x0040, 0xff81};
/// What f16 and bf16 round: ties, the least and the greatest values, and their neighbours.
constexpr std::uint64_t kNarrowingEdges[] = {
    0x00000000, 0x80000000, 0x3f800000, 0x7f800000, 0xff800000, 0x7fc00001, 0x00000001, 0x33000000,
    0xb3000001, 0x33c00000, 0x38800000, 0x387fe000, 0xb87ff000, 0x477fe000, 0x477ff000, 0xc77fefff,
    0x3f801000, 0x3f803000, 0x3f808000, 0xbf818000, 0x7f7f7fff, 0x7f7f8000, 0xff7fffff, 0x00008000};

std::uint64_t RandomHalves(Random& random, bool is_brain) {
  std::uint64_t four = 0;
  for (int i = 0; i < 4; ++i) {
    const std::uint64_t bits = random.Next();
    const std::uint64_t ordinary = is_brain ? (bits & 0x807f) | ((123 + (bits >> 41) % 8) << 7)
                                            : (bits & 0x83ff) | ((11 + (bits >> 41) % 8) << 10);
    four = four << 16 | (bits >> 40 & 1 ? bits & 0xffff : ordinary);
  }
  return four;
}
/// Single precision in half precision's range, every fourth halfway between two f16.
std::uint64_t RandomNarrowing(Random& random) {
  const std::uint64_t bits = random.Next();
  const std::uint64_t value = (bits & 0x807fffffu) | ((98 + (bits >> 41) % 50) << 23);
  return bits >> 62 ? value : (value & ~std::uint64_t{0x1fff}) | 0x1000;
}
std::uint64_t RandomInt(Random& random) {
  const std::uint64_t bits = random.Next();
  return bits >> (random.Next() & 63);
}

}  // namespace

std::vector<std::string> ExpandForm(std::string_view form) {
  std::vector<std::string> all;
  std::string opcode;
  Expand(form, opcode, all);
  return all;
}

namespace {

/// The ordinary ones are neither infinite nor NaN, nor so large that a product would be: what f64's NaNs and
/// tf32's overflows become in a matrix is not specified.
enum class OperandKind { kInt, kFloat, kDouble, kHalf, kBrain, kNarrowing, kOrdinaryFloat, kOrdinaryDouble };

OperandKind KindOf(std::string_view opcode) {
  const auto words = WordsOf(opcode);
  const std::string_view last = words.back();
  auto is = [](std::string_view word, std::string_view type) {
    return word == type || (word.starts_with(type) && word.ends_with("x2"));
  };
  if (opcode.starts_with("cvt")) {
    // Of a conversion the source's type counts, unless it is to a narrow one.
    const std::string_view to = words.size() > 2 ? words[words.size() - 2] : last;
    if (is(last, ".f16")) return OperandKind::kHalf;
    if (is(last, ".bf16")) return OperandKind::kBrain;
    if (last == ".f32" && (is(to, ".f16") || is(to, ".bf16") || to == ".tf32"))
      return OperandKind::kNarrowing;
    return last == ".f64" ? OperandKind::kDouble : last == ".f32" ? OperandKind::kFloat : OperandKind::kInt;
  }
  for (std::string_view word : words) {
    if (is(word, ".f16")) return OperandKind::kHalf;
    if (is(word, ".bf16")) return OperandKind::kBrain;
  }
  if (opcode.starts_with("wmma") || opcode.starts_with("mma")) {
    if (HasWord(opcode, ".f64")) return OperandKind::kOrdinaryDouble;
    if (HasWord(opcode, ".tf32")) return OperandKind::kOrdinaryFloat;
  }
  if (HasWord(opcode, ".f64")) return OperandKind::kDouble;
  return HasWord(opcode, ".f32") ? OperandKind::kFloat : OperandKind::kInt;
}

std::span<const std::uint64_t> EdgesOf(OperandKind kind) {
  switch (kind) {
    case OperandKind::kFloat: return kFloatEdges;
    case OperandKind::kDouble: return kDoubleEdges;
    case OperandKind::kHalf: return kHalfEdges;
    case OperandKind::kBrain: return kBrainEdges;
    case OperandKind::kNarrowing: return kNarrowingEdges;
    case OperandKind::kOrdinaryFloat: return std::span(kFloatEdges).first(4);
    case OperandKind::kOrdinaryDouble: return std::span(kDoubleEdges).first(4);
    case OperandKind::kInt: break;
  }
  return kIntEdges;
}

std::uint64_t Draw(OperandKind kind, Random& random) {
  switch (kind) {
    case OperandKind::kFloat: return RandomFloat(random);
    case OperandKind::kDouble: return RandomDouble(random);
    case OperandKind::kHalf: return RandomHalves(random, false);
    case OperandKind::kBrain: return RandomHalves(random, true);
    case OperandKind::kNarrowing: return RandomNarrowing(random);
    case OperandKind::kOrdinaryFloat: return RandomFloat(random) & 0xbfffffffu;
    case OperandKind::kOrdinaryDouble: return RandomDouble(random) & 0xbfffffffffffffffu;
    case OperandKind::kInt: break;
  }
  return RandomInt(random);
}

std::uint64_t DrawEdge(OperandKind kind, Random& random) {
  const std::span<const std::uint64_t> edges = EdgesOf(kind);
  std::uint64_t value = edges[random.Next() % edges.size()];
  if (kind != OperandKind::kHalf && kind != OperandKind::kBrain) return value;
  for (int i = 0; i < 3; ++i) value = value << 16 | edges[random.Next() % edges.size()];
  return value;
}

}  // namespace

std::vector<std::uint64_t> CaseOperands(std::string_view opcode) {
  const OperandKind kind = KindOf(opcode);
  std::uint64_t seed = 0xcbf29ce484222325u;
  for (char c : opcode) seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  Random random(seed);
  std::vector<std::uint64_t> operands;
  for (std::uint32_t thread = 0; thread < kCaseThreads; ++thread) {
    for (std::uint32_t k = 0; k < kCaseOperands; ++k) {
      const bool edge = thread < kCaseThreads / 2 ? random.Next() % 8 != 0 : random.Next() % 8 == 0;
      operands.push_back(edge ? DrawEdge(kind, random) : Draw(kind, random));
    }
  }
  return operands;
}

std::vector<InstructionCase> MakeInstructionCases(std::span<const InstructionRow> rows) {
  std::vector<InstructionCase> cases;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const Control control = rows[row].control;
    const bool moves_on = control == Control::kNone || control == Control::kWarpSync ||
                          control == Control::kTryWait || control == Control::kBarrier;
    if (!moves_on) continue;  // branches, calls, clocks: tests of their own
    for (const std::string& opcode : ExpandForm(rows[row].form)) {
      // What a window's address is, is each device's own.
      const bool is_window =
          opcode.starts_with("cvta") && !HasWord(opcode, ".global") && !HasWord(opcode, ".const");
      if (!IsLegal(opcode) || opcode == "brkpt" || is_window) continue;
      auto text = CaseWriter(opcode, rows[row]).Write();
      if (!text) continue;
      InstructionCase one;
      one.name = opcode + " " + rows[row].operands;
      one.opcode = opcode;
      one.row = row;
      one.kernel_text = *std::move(text);
      one.minimum_sm = MinimumSm(opcode);
      // Of tf32 products only what is far below the least place of the sum differs.
      const bool is_tf32_product =
          HasWord(opcode, ".tf32") && HasWord(opcode, ".sync") && HasWord(opcode, ".f32");
      if (HasWord(opcode, ".approx") || HasWord(opcode, ".full") || is_tf32_product)
        one.exactness = Exactness::kApproximate;
      cases.push_back(std::move(one));
    }
  }
  return cases;
}

std::vector<std::size_t> RowsWithoutCases(std::span<const InstructionRow> rows) {
  std::vector<bool> has(rows.size(), false);
  for (const InstructionCase& one : MakeInstructionCases(rows)) has[one.row] = true;
  std::vector<std::size_t> without;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (!has[row]) without.push_back(row);
  }
  return without;
}

}  // namespace warplings::vgpu
