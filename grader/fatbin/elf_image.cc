// SPDX-License-Identifier: Apache-2.0
#include "grader/fatbin/elf_image.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>

#include "grader/messages/programs.h"

namespace warplings::fatbin {
namespace {

Error MalformedElf(const Message& what) {
  return SubmissionError(say::malformed_cubin(what), say::compile_anew());
}

bool Inside(std::uint64_t offset, std::uint64_t bytes, std::size_t size) {
  return offset <= size && bytes <= size - offset;
}

/// The zero-terminated string at `offset` of a string table; nothing where it is not inside.
/// Reads names out of a table until they are too many characters in all: each of a million symbols may be
/// named by the same megabyte.
class NameReader {
 public:
  std::optional<std::string_view> At(std::span<const std::byte> table, std::uint64_t offset) {
    if (offset >= table.size()) return std::nullopt;
    const auto* begin = reinterpret_cast<const char*>(table.data()) + offset;
    const std::size_t longest = std::min(table.size() - static_cast<std::size_t>(offset), left_);
    const std::size_t length = ::strnlen(begin, longest);
    if (length == longest) return std::nullopt;
    left_ -= length;
    return std::string_view(begin, length);
  }

 private:
  std::size_t left_ = std::size_t{64} << 20;
};

}  // namespace

Result<Elf> Elf::Read(std::span<const std::byte> image) {
  Elf elf;
  if (image.size() < sizeof elf.header_) return MalformedElf(say::header_cut_off());
  std::memcpy(&elf.header_, image.data(), sizeof elf.header_);
  if (std::memcmp(elf.header_.e_ident, ELFMAG, SELFMAG) != 0 || elf.header_.e_ident[EI_CLASS] != ELFCLASS64 ||
      elf.header_.e_ident[EI_DATA] != ELFDATA2LSB) {
    return MalformedElf(say::no_elf_file());
  }
  if (const Status status = elf.ReadSections(image); !status) return status.error();
  if (const Status status = elf.ReadSymbols(); !status) return status.error();
  return elf;
}

Status Elf::ReadSections(std::span<const std::byte> image) {
  const std::size_t count = header_.e_shnum;
  if (count == 0) return Unit{};
  if (header_.e_shentsize != sizeof(Elf64_Shdr)) return MalformedElf(say::wrong_section_headers());
  if (!Inside(header_.e_shoff, count * sizeof(Elf64_Shdr), image.size())) {
    return MalformedElf(say::section_headers_cut_off());
  }
  sections_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    Section& section = sections_[i];
    std::memcpy(&section.header, image.data() + header_.e_shoff + i * sizeof(Elf64_Shdr), sizeof(Elf64_Shdr));
    if (section.header.sh_type == SHT_NOBITS || section.header.sh_type == SHT_NULL) continue;
    if (!Inside(section.header.sh_offset, section.header.sh_size, image.size())) {
      return MalformedElf(say::section_beyond_end());
    }
    section.bytes = image.subspan(section.header.sh_offset, section.header.sh_size);
  }
  if (header_.e_shstrndx >= count) return MalformedElf(say::no_section_names());
  const std::span<const std::byte> names = sections_[header_.e_shstrndx].bytes;
  NameReader reader;
  for (std::size_t i = 0; i < count; ++i) {
    const auto name = reader.At(names, sections_[i].header.sh_name);
    if (!name) return MalformedElf(say::section_name_outside());
    sections_[i].name = *name;
    by_name_.try_emplace(*name, i);
  }
  return Unit{};
}

Status Elf::ReadSymbols() {
  const Section* table = nullptr;
  for (const Section& section : sections_) {
    if (section.header.sh_type == SHT_SYMTAB) table = &section;
  }
  if (table == nullptr) return Unit{};
  if (table->header.sh_entsize != sizeof(Elf64_Sym) || table->header.sh_link >= sections_.size()) {
    return MalformedElf(say::broken_symbol_table());
  }
  const std::span<const std::byte> names = sections_[table->header.sh_link].bytes;
  symbols_.resize(table->bytes.size() / sizeof(Elf64_Sym));
  NameReader reader;
  for (std::size_t i = 0; i < symbols_.size(); ++i) {
    Symbol& symbol = symbols_[i];
    std::memcpy(&symbol.entry, table->bytes.data() + i * sizeof(Elf64_Sym), sizeof(Elf64_Sym));
    const auto name = reader.At(names, symbol.entry.st_name);
    if (!name) return MalformedElf(say::symbol_name_outside());
    symbol.name = *name;
  }
  return Unit{};
}

const Elf::Section* Elf::Find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &sections_[found->second];
}

}  // namespace warplings::fatbin
