// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/message.h"
#include "grader/core/finding.h"

/// A parsed PTX module: names are resolved to indices, but nothing is interpreted. The instruction table
/// (virtual_gpu/isa/) knows which opcodes exist and what they mean.
namespace warplings::ptx {

/// PTX ISA, "Types": the fundamental types, plus the packed ones that opcodes name.
enum class Type : std::uint8_t {
  kNone,
  kB8,
  kB16,
  kB32,
  kB64,
  kB128,
  kU8,
  kU16,
  kU32,
  kU64,
  kS8,
  kS16,
  kS32,
  kS64,
  kF16,
  kF16x2,
  kBf16,
  kBf16x2,
  kF32,
  kF64,
  kPred,
};
/// How PTX spells a type, and its size in bytes.
struct TypeRow {
  std::string_view name;
  std::uint32_t bytes;
};

/// In the order of enum class Type.
inline constexpr std::array<TypeRow, 21> kTypes = {{
    {"", 0},    {"b8", 1},    {"b16", 2},  {"b32", 4},    {"b64", 8}, {"b128", 16}, {"u8", 1},
    {"u16", 2}, {"u32", 4},   {"u64", 8},  {"s8", 1},     {"s16", 2}, {"s32", 4},   {"s64", 8},
    {"f16", 2}, {"f16x2", 4}, {"bf16", 2}, {"bf16x2", 4}, {"f32", 4}, {"f64", 8},   {"pred", 1},
}};
static_assert(kTypes.size() == static_cast<std::size_t>(Type::kPred) + 1);
/// C++'s float and double.
inline bool IsFloat(Type type) {
  return type == Type::kF32 || type == Type::kF64;
}
/// Size in bytes; a predicate counts 1, kNone 0.
std::uint32_t TypeBytes(Type type);
/// Looks up the manual's spelling without the dot ("u32", "f16x2"); kNone if there is no such type.
Type TypeFromName(std::string_view name);

enum class Space : std::uint8_t { kGeneric, kGlobal, kShared, kLocal, kConst, kParam, kReg };

/// Which modules of a program a name of the module scope belongs to.
enum class Linkage : std::uint8_t {
  kInternal,  ///< This one alone.
  kVisible,   ///< .visible and .extern: all of them; one defines it.
  kWeak,  ///< .weak and .common: all of them; several may define it, and any of these definitions will do.
};

/// A source position. `innermost` is the line that .loc gives. `where` is the line to report for it: the
/// innermost line of the inlined_at chain that the student wrote (see LocationTable::Resolve).
struct Location {
  int where_file = -1;  ///< Index into Module::files; -1: none.
  int where_line = 0;
  int innermost_file = -1;
  int innermost_line = 0;
  /// The student's line that calls the inlined function which `where` is in; 0: it is in none.
  int caller_line = 0;
};

/// One declaration: "x", or "%r<12>" for %r0 to %r11. Their names are not stored one by one: a long one would
/// be kept as often as there are registers.
struct RegisterNames {
  std::string name;
  std::size_t first = 0;  ///< Index into Function::registers.
  bool is_numbered = false;
};

struct Register {
  Type type = Type::kB32;
  std::uint32_t names = 0;  ///< Index into Function::register_names.
};

/// A variable with storage: .global, .const, .shared, .local, and .param of functions.
struct Variable {
  std::string name;
  Space space = Space::kGlobal;
  Type type = Type::kB8;
  std::uint64_t count = 1;      ///< Elements; 0 for `extern .shared x[]`.
  std::uint32_t alignment = 1;  ///< In bytes; the type's size if the text does not say.
  Linkage linkage = Linkage::kInternal;
  bool is_extern = false;
  bool is_array = false;
  bool is_managed = false;         ///< .attribute(.managed)
  std::vector<std::byte> initial;  ///< Empty: zero (global, const) or undefined (shared, local).
  struct Relocation {
    std::uint64_t offset = 0;  ///< Into `initial`.
    std::string symbol;
    std::int64_t addend = 0;
    bool is_generic = false;  ///< generic(symbol)
  };
  std::vector<Relocation> relocations;

  std::uint64_t Bytes() const { return count * TypeBytes(type); }
};

enum class OperandKind : std::uint8_t {
  kRegister,   ///< index: into Function::registers; `negated` for !%p.
  kSink,       ///< "_": a result that is discarded.
  kImmediate,  ///< bits: integer value, or the bits of an f64 (is_float, is_double) or f32 constant.
  kSpecial,    ///< name: "%tid.x", "%laneid", …
  kSymbol,     ///< name (+ offset): a variable, function or parameter used as a value.
  kAddress,    ///< […]: base register index or symbol name (either may be absent) + offset; for textures,
               ///< surfaces and tensors, `elements` are the coordinates.
  kLabel,      ///< index: of the target in Function::instructions.
  kVector,     ///< {…}: elements.
  kCallArguments,  ///< (…) of call: elements; also branch target lists.
  kPair,           ///< d|p: elements has two.
};

struct Operand {
  OperandKind kind = OperandKind::kSink;
  bool negated = false;    ///< !%p
  bool is_float = false;   ///< Immediate: 0f…, 0d… or a decimal float.
  bool is_double = false;  ///< Immediate: 0d… or a decimal float (bits hold an f64).
  std::int32_t index = -1;
  std::int64_t offset = 0;
  std::uint64_t bits = 0;
  std::string name;
  std::vector<Operand> elements;
};

struct Instruction {
  std::string opcode;       ///< Complete opcode, "ld.shared.v4.f32", without guard and operands.
  std::int32_t guard = -1;  ///< Register index of @%p; -1: none.
  bool guard_negated = false;
  std::vector<Operand> operands;
  std::int32_t location = -1;  ///< Index into Function::locations.
  std::int32_t ptx_line = 0;   ///< 1-based line of the PTX text, for messages.
};

struct Function {
  std::string name;  ///< Mangled.
  bool is_entry = false;
  Linkage linkage = Linkage::kInternal;
  bool is_extern = false;         ///< Declared, not defined: vprintf, malloc, __assertfail …
  std::vector<Variable> returns;  ///< .param or .reg results of a device function.
  std::vector<Variable> parameters;
  std::vector<Register> registers;  ///< "%p<12>" is expanded.
  std::vector<RegisterNames> register_names;
  std::vector<Variable> variables;  ///< .shared and .local variables (and .param of calls) in the body.
  std::vector<Location> locations;
  std::vector<Instruction> instructions;
  /// Branch tables (.branchtargets) by label: indices of instructions.
  std::map<std::string, std::vector<std::int32_t>> branch_targets;
  /// Prototypes for indirect calls (.callprototype) by label.
  struct Prototype {
    std::vector<Variable> returns, parameters;
  };
  std::map<std::string, Prototype> prototypes;
  Dim3 required_threads{0, 0, 0};  ///< .reqntid; zeros: none.
  std::uint32_t max_threads = 0;   ///< .maxntid's volume; 0: none.
  std::uint32_t min_blocks = 0;    ///< .minnctapersm
  Message unsupported;             ///< Why it cannot be run, if its header already shows that.

  /// "%r12", of an index into `registers`.
  std::string RegisterName(std::int32_t index) const;
};

struct Module {
  int version_major = 0, version_minor = 0;
  std::string target;     ///< "sm_80"
  bool is_debug = false;  ///< Compiled with -G.
  int address_bits = 64;
  std::vector<std::string> files;   ///< In order of appearance; `.file 1` need not be files[0].
  std::vector<Variable> variables;  ///< Module scope.
  std::vector<Function> functions;

  SourceLine Where(const Location& location) const {
    if (location.where_file < 0) return {};
    return {files[static_cast<std::size_t>(location.where_file)], location.where_line};
  }
};

}  // namespace warplings::ptx
