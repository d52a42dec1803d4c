// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/core/diagnostic.h"

namespace warplings {

/// A mistake that almost everybody makes once, in our words. Stands above the compiler's.
struct KnownMistake {
  Message reason, next_step;
};

/// Recognises the first error by the compiler's words, and by what `source` (the submission) has in that
/// line. Nothing if the words are unknown, as those of another version of nvcc may be: then the compiler's
/// stand alone.
std::optional<KnownMistake> RecogniseMistake(const std::vector<Diagnostic>& diagnostics,
                                             std::string_view source);

/// The same of the first error in this file and of names that later ones do not know: no other mistake
/// explains those. A few at most.
std::vector<KnownMistake> RecogniseMistakes(const std::vector<Diagnostic>& diagnostics,
                                            std::string_view source, std::string_view file);

/// threadIdx and the like in host code compile, and only the linker misses them. `output` is its own.
std::optional<KnownMistake> FindIndexInHostCode(std::string_view output);

/// A kernel that launches a kernel, of which the compiler misses -rdc=true, or the linker -lcudadevrt:
/// `output` is of both.
std::optional<KnownMistake> FindLaunchFromKernel(const std::vector<Diagnostic>& diagnostics,
                                                 std::string_view output);

/// An #include of a library that has kernels of its own, such as CUB or Thrust; nothing if there is none.
std::optional<KnownMistake> FindKernelLibrary(std::string_view source);

}  // namespace warplings
