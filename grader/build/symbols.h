// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/base/demangle.h"

namespace warplings {

struct Symbol {
  std::string name;  ///< As in the object file.
  char type = '?';   ///< nm's letter: U, w undefined; T, W, … defined; lower case: local.

  bool undefined() const { return type == 'U' || type == 'w' || type == 'v'; }
  bool global() const { return type != 'U' && ((type >= 'A' && type <= 'Z') || type == 'u' || type == 'i'); }
};

/// Reads `nm -P`: "name type value size" a line; other lines (an archive's members) are skipped.
std::vector<Symbol> ParseNm(std::string_view text);

/// A C++ name as its author wrote it, with parameters; a C name, or one too long to be honest, as it is.
std::string Demangled(std::string_view name, Demangler& demangle);
/// The same for every mangled name in a text.
std::string DemangledText(std::string_view text, Demangler& demangle);
/// "tiled_matmul" of "void ns::tiled_matmul<int>(float*)": without return type, scope and parameters.
std::string BaseName(std::string_view demangled);

/// Whether an exercise's solution may refer to this undefined symbol: the CUDA runtime, memory, strings,
/// mathematics, printing, and what compilers themselves refer to. Everything else (processes, files,
/// sockets, threads, …) is refused by name before anything runs. The sandbox would stop it too; a name
/// says it better.
bool IsAllowedSymbol(std::string_view name, Demangler& demangle);

}  // namespace warplings
