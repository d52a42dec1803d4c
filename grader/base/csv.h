// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"

namespace warplings {

/// `text` as a CSV field (RFC 4180), always quoted and safe to open in a spreadsheet. A spreadsheet takes
/// text whose first character after spaces is one of = + - @, tab or CR for a formula, so such text gets an
/// apostrophe in front. Text that begins with an apostrophe gets one, too; this makes the change reversible:
/// a reader drops one leading apostrophe. Bytes that are not UTF-8 and control characters become \xNN. Text
/// that is too long for a spreadsheet's cell is cut, with a mark that says so.
std::string CsvField(std::string_view text);

/// `number` in the shortest form that reads back as the same value, without quotes.
std::string CsvNumber(double number);

/// `fields` joined by `delimiter` and ended by CR LF, as RFC 4180 requires. The fields must be quoted
/// already.
std::string CsvLine(const std::vector<std::string>& fields, char delimiter = ',');

/// Undoes the apostrophe that CsvField() put in front; for fields that ParseCsv() has read.
std::string CsvValue(std::string_view field);

/// A parsed CSV file.
struct CsvTable {
  char delimiter = ',';
  std::vector<std::vector<std::string>> rows;  ///< The header is the first. Rows may differ in length.
  std::vector<std::size_t> lines;              ///< The line, from 1, in which each row begins.
};

/// Parses CSV that a spreadsheet or another program wrote. The delimiter is whichever of comma, semicolon and
/// tab is the most frequent in the first line; fields may be quoted, and a byte order mark is skipped.
/// Text in another encoding than UTF-8 is an error.
/// Leading apostrophes are left in place.
Result<CsvTable> ParseCsv(std::string_view text);

/// Whether a row has something beside the columns of the header: a comma too many, in a field without quotes,
/// moves every field behind it into another column. `row` counts from 0, the header.
bool HasFieldsBesideHeader(const CsvTable& table, std::size_t row);

}  // namespace warplings
