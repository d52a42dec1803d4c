// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace warplings {

/// True where the environment's locale (the first of LC_ALL, LC_CTYPE and LANG that is not empty) writes
/// UTF-8: "de_DE.UTF-8", "C.utf8". Where none is set, it is "C", which has ASCII alone. The name decides and
/// not the C library: a bare machine has few locales installed, and its terminal may show UTF-8 all the same.
bool LocaleIsUtf8();

/// UTF-8 as ASCII, for terminals that show nothing else: "2×3" is "2x3", "a·b" "a*b". A character that no
/// ASCII stands for becomes a question mark for each column that it takes, so that tables stay aligned.
std::string InAscii(std::string_view text);

}  // namespace warplings
