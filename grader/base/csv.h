// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"

namespace warplings {

/// One text as a CSV field by RFC 4180, always in quotes, and safe to open in a spreadsheet: text whose first
/// character, after spaces, is one of = + - @, tab or CR would be taken for a formula, and gets an apostrophe
/// in front. So does text that begins with an apostrophe, which makes it possible to undo: a reader drops the
/// first character of a field that begins with one. Bytes that are no UTF-8 and control characters become
/// \xNN. Text that is too long for a spreadsheet's cell is cut, with a mark that says so.
std::string CsvField(std::string_view text);

/// A number as CSV writes it: shortest form that reads back the same, no quotes.
std::string CsvNumber(double number);

/// Fields with commas between them, ended by CR LF as RFC 4180 wants.
std::string CsvLine(const std::vector<std::string>& fields, char delimiter = ',');

/// What stands in a field that a CSV reader has read: undoes the apostrophe.
std::string CsvValue(std::string_view field);

/// A CSV file as it was read.
struct CsvTable {
  char delimiter = ',';
  std::vector<std::vector<std::string>> rows;  ///< The header first. Rows need not be of one length.
  std::vector<std::size_t> lines;              ///< Of each row: the line in which it begins, from 1.
};

/// Reads what a spreadsheet or another program wrote: with commas, semicolons or tabs (the most frequent in
/// the first line), fields in quotes where needed, perhaps a byte order mark. Fields are as they stand there:
/// no apostrophe is undone.
Result<CsvTable> ParseCsv(std::string_view text);

}  // namespace warplings
