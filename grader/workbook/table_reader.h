// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"

namespace warplings {

/// How error messages refer to a TOML file.
struct TomlFile {
  std::string name;
  Message next_step;  ///< Advice to whoever has to correct the file.
};

/// Thrown by TableReader at any depth; ReadToml catches it.
struct BrokenToml {
  Error error;
};

/// Reads one table of a TOML file. Each accessor reads one key; Finish() rejects keys that nobody asked for.
/// A wrong key or value throws BrokenToml with a message that names file, line, key and what is allowed.
class TableReader {
 public:
  TableReader(const TomlFile& file, std::string prefix, const toml::table& table)
      : file_(file), prefix_(std::move(prefix)), table_(table) {}

  /// True if the key is present. Marks it as known, so that Finish() accepts it.
  bool Take(const char* key);

  std::string Text(const char* key);
  bool Flag(const char* key);
  /// A number of at least 0.
  double Points(const char* key);
  double Number(const char* key, double least, double most);
  std::int64_t Whole(const char* key, std::int64_t least, std::int64_t most, const Message& otherwise);
  /// At least one text; none empty, no duplicates.
  std::vector<std::string> Texts(const char* key);
  /// The index of the value in `names`.
  std::size_t Choice(const char* key, const std::vector<std::string>& names);
  /// Any value; for types that the accessors above do not cover.
  const toml::node& Node(const char* key);

  /// The tables of [[prefix.key]]; at least `minimum` of them.
  std::vector<TableReader> Tables(const char* key, std::size_t minimum);
  /// The table [prefix.key].
  TableReader Table(const char* key);

  /// The line of a key, or of the table if the key is missing.
  int Line(const char* key) const;
  /// The line of each element of a list; empty if the key is missing or not a list.
  std::vector<int> ElementLines(const char* key) const;

  void Finish() const;
  [[noreturn]] void Fail(const char* key, const Message& what) const;
  [[noreturn]] void Fail(const toml::node& node, const char* key, const Message& what) const;

 private:
  [[noreturn]] void FailWithout(const char* key) const;
  std::string Place(const char* key) const;
  std::string Path(const char* key) const { return prefix_.empty() ? key : prefix_ + "." + key; }
  const toml::node& Required(const char* key);

  const TomlFile& file_;
  std::string prefix_;
  const toml::table& table_;
  std::set<std::string> taken_;
};

/// What is wrong with a text that is not TOML, in words for somebody who does not know TOML, and in which
/// line.
struct TomlFault {
  std::size_t line = 1;
  std::string key;  ///< If the fault is in the value of this key.
  Message what;
};
TomlFault FaultOfToml(std::string_view text, const toml::parse_error& fault);

/// Parses the file and returns its root table. Throws BrokenToml if it is not TOML.
toml::table ParseToml(std::string_view text, const TomlFile& file);

/// Parses the file and calls `read` with its root table. Returns what `read` returns, or the first error in
/// the file.
template <class T>
Result<T> ReadToml(std::string_view text, const TomlFile& file, const std::function<T(TableReader&)>& read) {
  try {
    const toml::table root = ParseToml(text, file);
    TableReader table(file, "", root);
    return read(table);
  } catch (const BrokenToml& broken) {
    return broken.error;
  }
}

}  // namespace warplings
