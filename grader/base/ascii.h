// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace warplings {

/// True if the locale of the environment is a UTF-8 one, such as "de_DE.UTF-8" or "C.utf8". The locale is the
/// first of LC_ALL, LC_CTYPE and LANG that is not empty; if none is set, it is "C", which is ASCII only. Only
/// the name is looked at, and the C library is not asked, because a bare machine has few locales installed
/// although its terminal may well show UTF-8.
bool LocaleIsUtf8();

/// Converts UTF-8 to ASCII, for terminals that show nothing else: "2×3" becomes "2x3", "a·b" becomes "a*b". A
/// character without an ASCII equivalent becomes one question mark for each column it occupies, so that
/// tables stay aligned.
std::string ToAscii(std::string_view text);

}  // namespace warplings
