// SPDX-License-Identifier: Apache-2.0
#include "grader/fatbin/executable.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>

#include "grader/base/unique_fd.h"
#include "grader/messages/programs.h"

namespace warplings::fatbin {
namespace {

/// Upper limit for each table that is read. Tables are read in one piece, and those of honest programs are
/// smaller.
constexpr std::uint64_t kMaxTableBytes = std::uint64_t{16} << 20;
constexpr std::size_t kMaxNameBytes = 4096;
constexpr std::string_view kCudartPrefix = "libcudart.so.", kDriver = "libcuda.so.1";
constexpr int kNewestMajor = 13;

/// Reads pieces of the file: programs may be gigabytes, and a mapping would fault if one shrank.
class ProgramFile {
 public:
  ProgramFile(int fd, std::string name) : fd_(fd), name_(std::move(name)) {}

  Error Broken(const Message& what) const { return UsageError(say::no_program_for_here(name_, what)); }

  template <class T>
  Result<std::vector<T>> Table(std::uint64_t offset, std::uint64_t count) const {
    if (count > kMaxTableBytes / sizeof(T)) return Broken(say::table_too_large());
    std::vector<T> table(static_cast<std::size_t>(count));
    if (ReadAt(offset, table.data(), table.size() * sizeof(T)) != table.size() * sizeof(T)) {
      return Broken(say::file_cut_off());
    }
    return table;
  }

  Result<std::string> StringAt(std::uint64_t offset) const {
    std::string text(kMaxNameBytes, '\0');
    text.resize(ReadAt(offset, text.data(), text.size()));
    const std::size_t end = text.find('\0');
    if (end == text.npos) return Broken(say::name_without_end());
    text.resize(end);
    return text;
  }

 private:
  std::size_t ReadAt(std::uint64_t offset, void* target, std::size_t bytes) const {
    std::size_t done = 0;
    while (done < bytes && offset + done <= INT64_MAX && offset + done >= offset) {
      const ssize_t got =
          ::pread(fd_, static_cast<char*>(target) + done, bytes - done, static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      done += static_cast<std::size_t>(got);
    }
    return done;
  }

  int fd_;
  std::string name_;
};

/// Where an address of the running program lies in the file.
std::optional<std::uint64_t> FileOffset(const std::vector<Elf64_Phdr>& segments, std::uint64_t address) {
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type != PT_LOAD || address < segment.p_vaddr) continue;
    if (address - segment.p_vaddr < segment.p_filesz) return segment.p_offset + (address - segment.p_vaddr);
  }
  return std::nullopt;
}

Status ReadLibraries(const ProgramFile& file, const std::vector<Elf64_Phdr>& segments, ExecutableInfo& info) {
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type != PT_DYNAMIC) continue;
    info.is_dynamic = true;
    const auto entries = file.Table<Elf64_Dyn>(segment.p_offset, segment.p_filesz / sizeof(Elf64_Dyn));
    if (!entries) return entries.error();
    std::vector<std::uint64_t> names;
    std::optional<std::uint64_t> strings;
    for (const Elf64_Dyn& entry : *entries) {
      if (entry.d_tag == DT_NULL) break;
      if (entry.d_tag == DT_NEEDED) names.push_back(entry.d_un.d_val);
      if (entry.d_tag == DT_STRTAB) strings = FileOffset(segments, entry.d_un.d_ptr);
    }
    if (names.empty()) continue;
    if (!strings) return file.Broken(say::library_names_missing());
    for (std::uint64_t name : names) {
      Result<std::string> library = file.StringAt(*strings + name);
      if (!library) return library.error();
      info.libraries.push_back(std::move(library).value());
    }
  }
  return Unit{};
}

/// nvcc puts device code into sections of fixed names. A program without section headers just shows none.
Status ReadSections(const ProgramFile& file, const Elf64_Ehdr& header, ExecutableInfo& info) {
  if (header.e_shnum == 0 || header.e_shentsize != sizeof(Elf64_Shdr)) return Unit{};
  const auto sections = file.Table<Elf64_Shdr>(header.e_shoff, header.e_shnum);
  if (!sections) return sections.error();
  if (header.e_shstrndx >= sections->size()) return Unit{};
  const Elf64_Shdr& names = (*sections)[header.e_shstrndx];
  const auto text = file.Table<char>(names.sh_offset, names.sh_size);
  if (!text) return text.error();
  for (const Elf64_Shdr& section : *sections) {
    if (section.sh_name >= text->size()) continue;
    const char* begin = text->data() + section.sh_name;
    const std::string_view name(begin, ::strnlen(begin, text->size() - section.sh_name));
    if (name == ".nv_fatbin" || name == "__nv_relfatbin") info.has_device_code = true;
  }
  return Unit{};
}

int CudartMajor(const std::vector<std::string>& libraries) {
  for (const std::string& library : libraries) {
    if (!library.starts_with(kCudartPrefix)) continue;
    int major = 0;
    std::from_chars(library.data() + kCudartPrefix.size(), library.data() + library.size(), major);
    return major;
  }
  return 0;
}

}  // namespace

Result<ExecutableInfo> ReadExecutable(const std::filesystem::path& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd) return UsageError(say::cannot_open_program(path.string(), std::strerror(errno)));
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return UsageError(say::program_is_no_file(path.string()), say::give_program_with_runtime());
  }
  const ProgramFile file(fd.get(), path.string());
  const auto headers = file.Table<Elf64_Ehdr>(0, 1);
  if (!headers) return file.Broken(say::no_elf_program());
  const Elf64_Ehdr& header = headers->front();
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return file.Broken(say::no_elf_program());
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB) {
    return file.Broken(say::for_other_kind_of_machine());
  }
  if (header.e_type != ET_EXEC && header.e_type != ET_DYN) {
    return UsageError(say::program_not_linked(path.string()), say::link_it());
  }
  if (header.e_phnum != 0 && header.e_phentsize != sizeof(Elf64_Phdr))
    return file.Broken(say::malformed_headers());
  const auto segments = file.Table<Elf64_Phdr>(header.e_phoff, header.e_phnum);
  if (!segments) return segments.error();
  ExecutableInfo info;
  if (const Status read = ReadLibraries(file, *segments, info); !read) return read.error();
  if (const Status read = ReadSections(file, header, info); !read) return read.error();
  info.cudart_major = CudartMajor(info.libraries);
  info.needs_driver = std::ranges::find(info.libraries, kDriver) != info.libraries.end();
  return info;
}

Result<int> RuntimeMajorOf(const std::filesystem::path& path) {
  const Result<ExecutableInfo> info = ReadExecutable(path);
  if (!info) return info.error();
  const std::string name = path.string();
  if (info->cudart_major != 0) return info->cudart_major;
  // nvcc puts the static runtime and an empty fatbin into every program, so neither says that it is used.
  if (info->needs_driver) return kNewestMajor;
  if (info->has_device_code) return UsageError(say::static_runtime(name), say::link_shared_runtime());
  return UsageError(say::without_runtime(name), say::give_program_with_runtime());
}

}  // namespace warplings::fatbin
