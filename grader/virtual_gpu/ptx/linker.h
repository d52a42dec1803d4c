// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "grader/base/result.h"
#include "grader/virtual_gpu/ptx/module.h"

namespace warplings::ptx {

/// Parses the PTX of a program's object files (nvcc -rdc=true) and makes one module of it, as nvlink does of
/// machine code:
/// - A name that one file declares (.extern) is what another file defines.
/// - Of the definitions of a template or an inline function (.weak) the first one stays.
/// - A name that only its own file knows (`static`) is given "@2", "@3" … where an earlier file has it, too;
/// no
///   PTX identifier contains '@'.
/// - What no file defines stays declared. Only a kernel that uses it cannot run.
///
/// The limits of parser.h apply to all texts together. The guarantees of ParseModule hold for the whole
/// module. Two definitions of one name, and declarations that do not fit, are errors that blame the
/// submission.
Result<Module> LinkModules(std::span<const std::string> texts);

}  // namespace warplings::ptx
