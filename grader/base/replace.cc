// SPDX-License-Identifier: Apache-2.0
#include "grader/base/replace.h"

namespace warplings {

std::string ReplaceAll(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace warplings
