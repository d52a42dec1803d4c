// SPDX-License-Identifier: Apache-2.0
#include "grader/report/csv.h"

#include <charconv>

#include "grader/base/text.h"

namespace warplings {
namespace {

/// The characters are those of OWASP's page on CSV injection; spaces before them are skipped by some
/// programs.
bool NeedsApostrophe(std::string_view text) {
  if (text.starts_with('\'')) return true;
  const std::size_t first = text.find_first_not_of(' ');
  return first != std::string_view::npos &&
         std::string_view("=+-@\t\r").find(text[first]) != std::string_view::npos;
}

}  // namespace

std::string CsvField(std::string_view text) {
  std::string field = NeedsApostrophe(text) ? "\"'" : "\"";
  for (const char c : Printable(text)) {
    if (c == '"') field += '"';
    field += c;
  }
  return field + "\"";
}

std::string CsvNumber(double number) {
  char text[32];
  return std::string(text, std::to_chars(text, text + sizeof text, number).ptr);
}

std::string CsvLine(const std::vector<std::string>& fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) line += (i == 0 ? "" : ",") + fields[i];
  return line + "\r\n";
}

std::string CsvValue(std::string_view field) {
  return std::string(field.starts_with('\'') ? field.substr(1) : field);
}

}  // namespace warplings
