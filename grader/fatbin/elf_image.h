// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <elf.h>

#include <cstddef>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "grader/base/result.h"

namespace warplings::fatbin {

/// A 64-bit little-endian ELF image in memory. Every offset is checked. The names have at most 64 MiB in
/// total, even if many of them overlap in the string table. The bytes must outlive this object.
class Elf {
 public:
  struct Section {
    std::string_view name;
    Elf64_Shdr header{};
    std::span<const std::byte> bytes;  ///< Empty for SHT_NOBITS.
  };
  struct Symbol {
    std::string_view name;
    Elf64_Sym entry{};
  };

  static Result<Elf> Read(std::span<const std::byte> image);

  const Elf64_Ehdr& header() const { return header_; }
  const std::vector<Section>& sections() const { return sections_; }
  /// The symbols of .symtab in order; empty if there is none.
  const std::vector<Symbol>& symbols() const { return symbols_; }
  const Section* Find(std::string_view name) const;

 private:
  Status ReadSections(std::span<const std::byte> image);
  Status ReadSymbols();

  Elf64_Ehdr header_{};
  std::vector<Section> sections_;
  std::unordered_map<std::string_view, std::size_t> by_name_;  ///< The first section of each name.
  std::vector<Symbol> symbols_;
};

}  // namespace warplings::fatbin
