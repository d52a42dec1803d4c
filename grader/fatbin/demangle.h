// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "grader/base/demangle.h"

namespace warplings::fatbin {

/// The name of a kernel, function or variable as its author wrote it: without parameters, return type,
/// anonymous namespaces, and, for a variable inside a function, without that function.
/// "_Z12tiled_kernelPKfS0_Pfi" is "tiled_kernel", "_Z4scanILi16EfEvPT0_" is "scan<16, float>",
/// "_ZZ12tiled_kernelPKfS0_PfiE3Mds" is "Mds". What is not a mangled name, or is one that would take
/// unreasonable effort (a hostile name can stand for gigabytes), is returned as it is.
std::string DemangledName(std::string_view mangled);
/// One of many names of a file, which add up.
std::string DemangledName(std::string_view mangled, Demangler& demangle);

}  // namespace warplings::fatbin
