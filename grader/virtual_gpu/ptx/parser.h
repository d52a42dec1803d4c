// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "grader/base/result.h"
#include "grader/virtual_gpu/ptx/module.h"

namespace warplings::ptx {

/// Limits on the resources of one module. They are far above what nvcc emits, so that only hostile texts
/// reach them. Exceeding one is an error that names it.
inline constexpr std::size_t kMaxTextBytes = std::size_t{64} << 20;
inline constexpr std::size_t kMaxRegisters = std::size_t{1} << 20;     ///< Of all functions together.
inline constexpr std::size_t kMaxInstructions = std::size_t{1} << 20;  ///< Of all functions together.
inline constexpr std::size_t kMaxNames = std::size_t{1} << 19;         ///< Variables, labels, files, scopes.
inline constexpr std::size_t kMaxFunctions = std::size_t{1} << 16;
inline constexpr std::size_t kMaxLocations = std::size_t{1} << 20;
inline constexpr std::size_t kMaxOperands = std::size_t{4} << 20;        ///< Including the elements of lists.
inline constexpr std::size_t kMaxInitialBytes = std::size_t{256} << 20;  ///< Of all initialised variables.
inline constexpr std::uint64_t kMaxVariableBytes = std::uint64_t{1} << 40;
inline constexpr int kMaxScopeDepth = 64;

struct Budget;

/// Parses the PTX text of one module, as emitted by nvcc 12 and 13, including inline assembly.
///
/// Opcodes are not interpreted, except that `call` is normalised: its operands are always {kCallArguments
/// results, kSymbol or kRegister target, kCallArguments arguments} and, for an indirect call, a kSymbol that
/// names a prototype. `brx.idx` has {register, kSymbol table}.
///
/// Guarantees:
/// - Names inside a function are unique: a variable, prototype or branch table of an inner scope that
///   repeats a name of the function gets "#2", "#3" … appended ("param0#2"), and operands follow.
/// - Every register index, label index (also in branch_targets) and location index is in range; a
///   function whose last instruction may fall through gets a `ret` appended, so that a label at the
///   very end has an instruction, too.
/// - Every kSymbol and every kAddress with a name refers to a variable, parameter or result of the function
///   or to a variable or function of the module; nothing else is left to resolve.
/// - `initial` is empty or exactly Bytes() long, and relocations lie inside it.
/// - A variable or function that is declared and then defined appears once, defined.
///
/// Errors blame the submission; the message names the line of the PTX and what is wrong with it.
Result<Module> ParseModule(std::string_view text);

/// The same for one of several texts, which keep to the limits together: `budget` counts what all of them
/// need.
Result<Module> ParseModule(std::string_view text, Budget& budget);

}  // namespace warplings::ptx
