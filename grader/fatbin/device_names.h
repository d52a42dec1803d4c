// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "grader/base/symbol_demangler.h"

namespace warplings::fatbin {

/// The demangled name of a kernel, function or variable without parameters, return type and anonymous
/// namespaces, and, for a variable inside a function, without that function. "_Z12tiled_kernelPKfS0_Pfi" is
/// "tiled_kernel", "_Z4scanILi16EfEvPT0_" is "scan<16, float>", "_ZZ12tiled_kernelPKfS0_PfiE3Mds" is "Mds". A
/// name that is not mangled, or that is too expensive to demangle (a hostile name can expand to gigabytes),
/// is returned unchanged.
std::string DemangledName(std::string_view mangled);
/// The same for one of many names of a file, with a common budget.
std::string DemangledName(std::string_view mangled, Demangler& demangle);

}  // namespace warplings::fatbin
