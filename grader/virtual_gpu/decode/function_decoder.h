// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/base/result.h"
#include "grader/virtual_gpu/decode/program_builder.h"

namespace warplings::vgpu {

/// Decodes one function, appends it to the builder's program, and describes its place in `code`. Functions
/// that it calls are added to ProgramBuilder::wanted.
Status DecodeFunction(ProgramBuilder& builder, const ptx::Function& function, FunctionCode& code);

}  // namespace warplings::vgpu
