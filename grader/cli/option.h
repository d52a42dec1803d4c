// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace warplings {

/// An option whose value is one of a few names: "auto, off, estimate".
struct OneOf {
  std::vector<std::string> names;
  std::function<void(std::size_t number)> choose;  ///< Called with the index of the chosen name.
};

/// Where the value of an option is stored. The type also determines what is valid: a flag, a text, a path,
/// several words, a number, an optional number, or one of several names.
using OptionTarget = std::variant<bool*, std::string*, std::filesystem::path*, std::vector<std::string>*,
                                  std::uint64_t*, std::optional<std::uint64_t>*, OneOf>;

/// One option or argument of a verb, as data. Only parse.cc includes CLI11, the library that parses the
/// command line, because its headers take ten seconds to compile.
struct Option {
  std::string name;     ///< "--file" for an option, "WHAT" for a positional argument.
  OptionTarget target;  ///< Unchanged if the option is not given.
  std::string help;
  std::string value_name = {};  ///< Placeholder for the value in the help: "F.cu".
  bool required = false;
  bool show_default = false;  ///< The help shows the target's initial value.
  std::string excludes = {};  ///< Name of an option that must not be given with this one, …
  std::string needs = {};     ///< … and of one that must be given with it.
  std::optional<std::pair<std::uint64_t, std::uint64_t>> range = {};  ///< Smallest and largest valid number.
  /// Returns "" for a valid value, otherwise what is wrong with it.
  std::function<std::string(const std::string& value)> refuse = {};
};

/// `--workbook DIR`: an existing folder, stored in `root`.
Option WorkbookOption(std::filesystem::path& root,
                      std::string help = "Folder that holds chapters/; default: this workbook");

}  // namespace warplings
