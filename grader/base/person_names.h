// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>

/// How the same person's name is written by rosters, LMSs and instructors.
namespace warplings {

/// Reduces a name to its letters and digits (of any script) in lower case, so that "Lovelace, Ada" and
/// "lovelaceada" are equal. A character that Printable has escaped is the same as itself.
std::string FoldName(std::string_view name);

/// The name's words, folded and run together, in every order that puts the last ones first: Canvas writes
/// "lovelaceada" for Ada Lovelace, and a roster "Lovelace, Ada".
std::set<std::string> NameForms(const std::string& name);

/// " Ada Lovelace" of "Lovelace, Ada"; a name without a comma as it is.
std::string GivenNameFirst(const std::string& name);

}  // namespace warplings
