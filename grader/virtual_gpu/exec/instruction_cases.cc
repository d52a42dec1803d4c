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
  static constexpr std::string_view kHints[] = {".cta|.cluster|.gpu|.sys", ".ca|.cg",  ".nc",
                                                ".L1::evict_normal",       ".L2::64B", ".weak|.volatile",
                                                ".relaxed|.acquire"};
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
    const bool to_float = to.starts_with(".f"), from_float = from.starts_with(".f");
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

// --- Kernels. ---------------------------------------------------------------------------------------------

/// Writes the body of one case; gives up where a role has no place in such a kernel.
class CaseWriter {
 public:
  CaseWriter(std::string_view opcode, const InstructionRow& row) : opcode_(opcode), row_(row) {}

  std::optional<std::string> Write() {
    if (opcode_.starts_with("ld") || opcode_.starts_with("st.")) return WriteCopy();
    if (opcode_.starts_with("atom") || opcode_.starts_with("red.")) return WriteAtomic();
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
      } else {
        operands += Source(Width(role.type));
      }
    }
    body_ += "  " + std::string(opcode_) + operands + ";\n";
    if (!is_global) KeepLoaded(space, at, 0);
    body_ += after_;
    return Module();
  }

  // --- Everything else: operands by their roles.
  // -------------------------------------------------------------

  bool WantsOptional() const {
    return HasWord(opcode_, ".and") || HasWord(opcode_, ".or") || HasWord(opcode_, ".xor");
  }

  static int Width(ptx::Type type) { return static_cast<int>(std::max(2u, ptx::TypeBytes(type))) * 8; }
  std::string Fresh(int width) {
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

  bool AddRole(const OperandRole& role) {
    switch (role.role) {
      case 'd':
      case 'x': operands_.push_back(Destination(Width(role.type))); return true;
      case 'D': {
        const std::string value = Destination(Width(role.type));
        operands_.push_back(value + "|" + DestinationPredicate());
        return true;
      }
      case 's':
      case 'y':
      case 'z': operands_.push_back(Source(Width(role.type))); return true;
      case 'q': operands_.push_back(DestinationPredicate()); return true;
      case 'Q': {
        const std::string p = DestinationPredicate();
        operands_.push_back(p + "|" + DestinationPredicate());
        return true;
      }
      case 'p': operands_.push_back(SourcePredicate()); return true;
      case 'k': operands_.push_back("0xffffffff"); return true;
      case 'i': operands_.push_back("0xe8"); return true;
      case 'P': {
        std::string list;
        for (int i = 0; i < role.count; ++i) list += (i ? ", " : "{") + Source(Width(role.type));
        operands_.push_back(list + "}");
        return true;
      }
      case 'U': {
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
    return ".version 8.0\n.target sm_80\n.address_size 64\n" + declarations_ +
           ".visible .entry k(.param .u64 k_param_0, .param .u64 k_param_1)\n{\n"
           "  .reg .pred %p<16>;\n  .reg .b16 %h<64>;\n  .reg .b32 %w<64>;\n  .reg .b64 %q<64>;\n" +
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

std::vector<std::uint64_t> CaseOperands(std::string_view opcode) {
  const bool is_double = HasWord(opcode, ".f64"), is_float = HasWord(opcode, ".f32");
  // Of a conversion the source's type counts.
  const std::string_view last = WordsOf(opcode).back();
  const bool doubles = last == ".f64" || (is_double && !opcode.starts_with("cvt"));
  const bool floats = !doubles && (last == ".f32" || (is_float && !opcode.starts_with("cvt")));
  std::span<const std::uint64_t> edges = doubles  ? std::span<const std::uint64_t>(kDoubleEdges)
                                         : floats ? std::span<const std::uint64_t>(kFloatEdges)
                                                  : std::span<const std::uint64_t>(kIntEdges);
  std::uint64_t seed = 0xcbf29ce484222325u;
  for (char c : opcode) seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  Random random(seed);
  auto draw = [&] {
    return doubles ? RandomDouble(random) : floats ? RandomFloat(random) : RandomInt(random);
  };
  std::vector<std::uint64_t> operands;
  for (std::uint32_t thread = 0; thread < kCaseThreads; ++thread) {
    for (std::uint32_t k = 0; k < kCaseOperands; ++k) {
      const bool edge = thread < kCaseThreads / 2 ? random.Next() % 8 != 0 : random.Next() % 8 == 0;
      operands.push_back(edge ? edges[random.Next() % edges.size()] : draw());
    }
  }
  return operands;
}

std::vector<InstructionCase> MakeInstructionCases(std::span<const InstructionRow> rows) {
  std::vector<InstructionCase> cases;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const bool moves_on = rows[row].control == Control::kNone || rows[row].control == Control::kWarpSync;
    if (!moves_on) continue;  // branches, barriers, calls: tests of their own
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
      if (HasWord(opcode, ".approx") || HasWord(opcode, ".full")) one.exactness = Exactness::kApproximate;
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
