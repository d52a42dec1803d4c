// SPDX-License-Identifier: Apache-2.0
#include "grader/report/lms_gradebook_writer.h"

#include <algorithm>

#include "grader/base/messages.h"
#include "grader/messages/class.h"

namespace warplings::lms {
namespace {

/// A comma too many, in a name without quotes, moves every field behind it into another column.
Status CheckLengths(const CsvTable& table) {
  const std::size_t columns = table.rows[0].size();
  for (std::size_t i = 1; i < table.rows.size(); ++i) {
    const Row& row = table.rows[i];
    const bool is_longer =
        row.size() > columns && std::any_of(row.begin() + static_cast<std::ptrdiff_t>(columns), row.end(),
                                            [](const std::string& field) { return !field.empty(); });
    if (!is_longer) continue;
    return UsageError(
        say::fields_beside_header(PlaceOf(table, i, kNoColumn), say::Count(row.size(), "field"), columns),
        say::export_again());
  }
  return Unit{};
}

}  // namespace

std::string Field(const Row& row, std::size_t column) {
  return column < row.size() ? row[column] : "";
}

std::size_t ColumnOf(const Row& header, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    const auto found = std::ranges::find_if(
        header, [&](const std::string& each) { return InLowerCase(each) == InLowerCase(std::string(name)); });
    if (found != header.end()) return static_cast<std::size_t>(found - header.begin());
  }
  return kNoColumn;
}

Result<std::size_t> ChooseColumn(const Row& header, const std::vector<std::size_t>& candidates,
                                 const std::string& wanted,
                                 const std::function<bool(const std::string&)>& is_wanted) {
  std::vector<std::size_t> found;
  for (const std::size_t each : candidates) {
    if (wanted.empty() || header[each] == wanted || is_wanted(header[each])) found.push_back(each);
  }
  if (found.size() == 1) return found.front();
  std::string names;
  for (const std::size_t each : candidates) names += "\n    " + Printable(header[each]);
  return UsageError(wanted.empty()  ? say::which_column_is_meant()
                    : found.empty() ? say::no_such_column(wanted)
                                    : say::may_be_several_columns(wanted),
                    say::name_column(names));
}

std::string PlaceOf(const CsvTable& table, std::size_t row, std::size_t column) {
  const std::string name =
      column == kNoColumn ? "" : ", column '" + Printable(Field(table.rows[0], column)) + "'";
  return "line " + std::to_string(table.lines[row]) + name;
}

Result<CsvTable> ReadExport(std::string_view text) {
  auto table = ParseCsv(text);
  if (!table) return table.error();
  if (table->rows.empty()) return UsageError(say::export_empty());
  if (const Status even = CheckLengths(*table); !even) return even.error();
  return table;
}

std::string LineOf(const Row& fields, char delimiter) {
  Row written;
  for (const std::string& field : fields) written.push_back(CsvField(field));
  return CsvLine(written, delimiter);
}

}  // namespace warplings::lms
