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

/// A value out of a few names: "auto, off, estimate".
struct OneOf {
  std::vector<std::string> names;
  std::function<void(std::size_t number)> choose;  ///< Told the place of the chosen name in `names`.
};

/// Where the value of an option goes, and with that what it may be: a flag, a text, a path, several words, a
/// number, a number that may be left out, one of some names.
using OptionTarget = std::variant<bool*, std::string*, std::filesystem::path*, std::vector<std::string>*,
                                  std::uint64_t*, std::optional<std::uint64_t>*, OneOf>;

/// One option or argument of a verb, as data. Only parse.cc knows the library that reads the command line:
/// its headers take ten seconds to compile, and a verb should not.
struct Option {
  std::string name;     ///< "--file" for an option, "WHAT" for an argument by its place.
  OptionTarget target;  ///< Stays as it is where the option is not given.
  std::string help;
  std::string value_name = {};  ///< "F.cu", for the help.
  bool required = false;
  bool show_default = false;  ///< The help shows what the target holds.
  std::string excludes = {};  ///< Name of an option that must not be given with this one, …
  std::string needs = {};     ///< … and of one that must.
  std::optional<std::pair<std::uint64_t, std::uint64_t>> range = {};  ///< Least and largest number.
  /// "" for a value that will do, else what is wrong with it.
  std::function<std::string(const std::string& value)> refuse = {};
};

/// For Option::refuse: a folder that is there.
std::string RefuseWhatIsNoFolder(const std::string& text);

}  // namespace warplings
