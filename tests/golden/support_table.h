// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "grader/virtual_gpu/isa/engine.h"

namespace warplings::vgpu {

/// The instruction table for readers, in Markdown: a table for each chapter of the manual, a line for each
/// mnemonic, with all its forms and how they are tested. It is the text below "## Instructions" in
/// docs/virtual_gpu.md.
std::string SupportTable(const Engine& engine);

/// `document` with that text as it is now; empty where the document has no such heading.
std::string WithSupportTable(const std::string& document, const Engine& engine);

}  // namespace warplings::vgpu
