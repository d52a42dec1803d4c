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

/// A 64-bit little-endian ELF image in memory, read with every offset checked. Its names are 64 MiB at most,
/// although many may lie over each other in one table. The bytes must outlive it.
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
  /// Of .symtab, in its order; empty where there is none.
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
