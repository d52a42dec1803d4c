// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <elf.h>

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "grader/base/result.h"

namespace warplings::fatbin {

/// A 64-bit little-endian ELF image in memory, read with every offset checked. The bytes must
/// outlive it.
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
  std::vector<Symbol> symbols_;
};

}  // namespace warplings::fatbin
