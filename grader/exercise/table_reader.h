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

/// A TOML file as its messages name it.
struct TomlFile {
  std::string name;
  std::string next_step;  ///< For whoever has to correct it.
};

/// Leaves a reading function from any depth; ReadToml catches it.
struct BrokenToml {
  Error error;
};

/// One table of a TOML file. Each accessor takes one key; Finish() complains about those nobody took. A wrong
/// key or value is a message that names file, line, key and what is allowed.
class TableReader {
 public:
  TableReader(const TomlFile& file, std::string prefix, const toml::table& table)
      : file_(file), prefix_(std::move(prefix)), table_(table) {}

  /// True if the key is there; from now on it is one that exists.
  bool Take(const char* key);

  std::string Text(const char* key);
  bool Flag(const char* key);
  /// A number of at least 0.
  double Points(const char* key);
  double Number(const char* key, double least, double most);
  std::int64_t Whole(const char* key, std::int64_t least, std::int64_t most, const std::string& otherwise);
  /// Texts that are not empty, none twice; at least one.
  std::vector<std::string> Texts(const char* key);
  /// The place of the value among `names`.
  std::size_t Choice(const char* key, const std::vector<std::string>& names);
  /// Any value, for the types that only one file has.
  const toml::node& Node(const char* key);

  /// The tables of [[prefix.key]]; at least `minimum` of them.
  std::vector<TableReader> Tables(const char* key, std::size_t minimum);
  /// The table [prefix.key].
  TableReader Table(const char* key);

  /// Line of a key, or of the table where the key is not there.
  int Line(const char* key) const;

  void Finish() const;
  [[noreturn]] void Fail(const char* key, const std::string& what) const;
  [[noreturn]] void Fail(const toml::node& node, const char* key, const std::string& what) const;

 private:
  std::string Path(const char* key) const { return prefix_.empty() ? key : prefix_ + "." + key; }
  const toml::node& Required(const char* key);

  const TomlFile& file_;
  std::string prefix_;
  const toml::table& table_;
  std::set<std::string> taken_;
};

/// The file's root table; throws BrokenToml for what is no TOML.
toml::table ParseToml(std::string_view text, const TomlFile& file);

/// What `read` makes of the file, or the first thing that is wrong with it.
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
