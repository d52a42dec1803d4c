// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/core/finding.h"

/// PTX as text says it: names resolved to indices, nothing interpreted. Which opcodes exist and what
/// they mean is the business of the instruction table in virtual_gpu/exec/.
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
/// Size in bytes; a predicate counts 1, kNone 0.
std::uint32_t TypeBytes(Type type);
/// By the manual's spelling without the dot ("u32", "f16x2"); kNone where there is no such type.
Type TypeFromName(std::string_view name);

enum class Space : std::uint8_t { kGeneric, kGlobal, kShared, kLocal, kConst, kParam, kReg };

/// A source position; `function` calls deep inlining are already walked: `where` is the line in the
/// outermost file that the student wrote (the last link of the inlined_at chain that lies in the main
/// source), `innermost` the line as .loc gives it.
struct Location {
  int where_file = -1;  ///< Index into Module::files; -1: none.
  int where_line = 0;
  int innermost_file = -1;
  int innermost_line = 0;
};

struct Register {
  std::string name;  ///< "%r12"
  Type type = Type::kB32;
};

/// A variable with storage: .global, .const, .shared, .local, and .param of functions.
struct Variable {
  std::string name;
  Space space = Space::kGlobal;
  Type type = Type::kB8;
  std::uint64_t count = 1;      ///< Elements; 0 for `extern .shared x[]`.
  std::uint32_t alignment = 1;  ///< Bytes; the type's size where the text says none.
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
  kSink,       ///< "_": a result that nobody wants.
  kImmediate,  ///< bits: integer value, or the bits of an f64 (is_float, is_double) or f32 constant.
  kSpecial,    ///< name: "%tid.x", "%laneid", …
  kSymbol,     ///< name (+ offset): a variable, function or parameter used as a value.
  kAddress,    ///< […]: base register index or symbol name (either may be absent) + offset; of textures,
               ///< surfaces and tensors coordinates follow: elements.
  kLabel,      ///< index: the instruction it points at, into Function::instructions.
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
  std::string opcode;       ///< With all its dots: "ld.shared.v4.f32". No guard, no operands.
  std::int32_t guard = -1;  ///< Register index of @%p; -1: none.
  bool guard_negated = false;
  std::vector<Operand> operands;
  std::int32_t location = -1;  ///< Index into Function::locations.
  std::int32_t ptx_line = 0;   ///< 1-based line of the PTX text, for messages.
};

struct Function {
  std::string name;  ///< Mangled.
  bool is_entry = false;
  bool is_extern = false;         ///< Declared, not defined: vprintf, malloc, __assertfail …
  std::vector<Variable> returns;  ///< .param or .reg results of a device function.
  std::vector<Variable> parameters;
  std::vector<Register> registers;  ///< "%p<12>" is expanded.
  std::vector<Variable> variables;  ///< .shared and .local (and call-site .param) of the body.
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
  std::string unsupported;         ///< Why it cannot be run, where its head says so already.
};

struct Module {
  int version_major = 0, version_minor = 0;
  std::string target;     ///< "sm_80"
  bool is_debug = false;  ///< Compiled with -G.
  int address_bits = 64;
  std::vector<std::string> files;   ///< By position; `.file 1` need not be files[0].
  std::vector<Variable> variables;  ///< Module scope.
  std::vector<Function> functions;

  SourceLine Where(const Location& location) const {
    if (location.where_file < 0) return {};
    return {files[static_cast<std::size_t>(location.where_file)], location.where_line};
  }
};

}  // namespace warplings::ptx
