// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplings {

/// One text as a CSV field by RFC 4180, always in quotes, and safe to open in a spreadsheet: text whose first
/// character, after spaces, is one of = + - @, tab or CR would be taken for a formula, and gets an apostrophe
/// in front. So does text that begins with an apostrophe, which makes it possible to undo: a reader drops the
/// first character of a field that begins with one. Bytes that are no UTF-8 and control characters become
/// \xNN.
std::string CsvField(std::string_view text);

/// A number as CSV writes it: shortest form that reads back the same, no quotes.
std::string CsvNumber(double number);

/// Fields with commas between them, ended by CR LF as RFC 4180 wants.
std::string CsvLine(const std::vector<std::string>& fields);

/// What stands in a field that a CSV reader has read: undoes the apostrophe.
std::string CsvValue(std::string_view field);

}  // namespace warplings
