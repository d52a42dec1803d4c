// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/base/symbol_demangler.h"

namespace warplings {

struct Symbol {
  std::string name;  ///< As in the object file.
  char type = '?';   ///< nm's letter: U, w undefined; T, W, … defined; lower case: local.

  bool undefined() const { return type == 'U' || type == 'w' || type == 'v'; }
  bool global() const { return type != 'U' && ((type >= 'A' && type <= 'Z') || type == 'u' || type == 'i'); }
};

/// Parses the output of `nm -P`, whose lines are "name type value size"; other lines (names of an archive's
/// members) are skipped.
std::vector<Symbol> ParseNm(std::string_view text);

/// Demangles a C++ name, with parameters. A C name, or one that is too long to demangle, is returned
/// unchanged.
std::string Demangled(std::string_view name, Demangler& demangle);
/// Demangles every mangled name in a text.
std::string DemangledText(std::string_view text, Demangler& demangle);
/// Returns "tiled_matmul" for "void ns::tiled_matmul<int>(float*)": the name without return type, scope,
/// template arguments and parameters.
std::string BaseName(std::string_view demangled);

/// True if a submission may refer to this undefined symbol: the CUDA runtime, memory, strings, mathematics,
/// printing, and symbols that compilers generate. Everything else (processes, files, sockets, threads, …) is
/// refused before anything runs. The sandbox would stop it, too, but naming the function is the better
/// message.
bool IsAllowedSymbol(std::string_view name, Demangler& demangle);

}  // namespace warplings
