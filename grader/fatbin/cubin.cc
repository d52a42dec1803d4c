// SPDX-License-Identifier: Apache-2.0
#include "grader/fatbin/cubin.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

#include "grader/fatbin/device_names.h"
#include "grader/fatbin/elf_image.h"
#include "grader/messages/programs.h"

namespace warplings::fatbin {
namespace {

constexpr Elf64_Half kMachineCuda = 190;     // EM_CUDA
constexpr unsigned char kOtherEntry = 0x10;  // STO_CUDA_ENTRY: a kernel, not a device function.
/// What each block reserves from compute capability 9.0 on; there it is the start of .nv.shared.*, and a
/// section .nv.shared.reserved.0 says so. ptxas does not count it, cudaFuncAttributes neither.
constexpr std::uint64_t kReservedShared = 1024;

/// .nv.info is a list of {u8 format, u8 attribute, u16 value or length}; format 4 has `length` bytes
/// behind it. The ones we read hold {u32 symbol, u32 value}.
constexpr std::uint8_t kFormatSized = 4;
constexpr std::uint8_t kAttributeFrameSize = 0x11;
constexpr std::uint8_t kAttributeMinStackSize = 0x12;
constexpr std::uint8_t kAttributeRegisterCount = 0x2F;
constexpr std::uint32_t kUnknownStack = 0xFFFF'FFFF;

struct FunctionInfo {
  std::optional<std::uint32_t> registers;
  std::uint32_t frame_bytes = 0;
  std::uint32_t stack_bytes = 0;  ///< With the frames of what it calls.
};

Error MalformedCubin(const Message& what) {
  return SubmissionError(say::malformed_cubin(what), say::compile_anew());
}

std::uint32_t Word(std::span<const std::byte> bytes, std::size_t offset) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

void Note(std::uint8_t attribute, std::uint32_t value, FunctionInfo& info) {
  if (attribute == kAttributeRegisterCount) info.registers = value;
  if (attribute == kAttributeFrameSize) info.frame_bytes = value;
  if (attribute == kAttributeMinStackSize && value != kUnknownStack) info.stack_bytes = value;
}

/// By index of the function's symbol.
Result<std::map<std::uint32_t, FunctionInfo>> ReadInfo(std::span<const std::byte> rest) {
  std::map<std::uint32_t, FunctionInfo> functions;
  while (rest.size() >= 4) {
    const auto format = std::to_integer<std::uint8_t>(rest[0]);
    const auto attribute = std::to_integer<std::uint8_t>(rest[1]);
    const std::size_t value = Word(rest, 0) >> 16;
    const std::size_t length = 4 + (format == kFormatSized ? value : 0);
    if (length > rest.size()) return MalformedCubin(say::attribute_cut_off());
    const bool ours = attribute == kAttributeFrameSize || attribute == kAttributeMinStackSize ||
                      attribute == kAttributeRegisterCount;
    if (ours && length >= 12) Note(attribute, Word(rest, 8), functions[Word(rest, 4)]);
    rest = rest.subspan(length);
  }
  return functions;
}

std::uint32_t Clamped(std::uint64_t bytes) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, 0xFFFF'FFFF));
}

std::uint32_t SectionBytes(const Elf& elf, const std::string& name) {
  const Elf::Section* section = elf.Find(name);
  return section == nullptr ? 0 : Clamped(section->header.sh_size);
}

KernelResources ReadResources(const Elf& elf, std::string_view name, const FunctionInfo& info,
                              Demangler& demangle) {
  const std::string suffix(name);
  KernelResources resources;
  resources.kernel = DemangledName(name, demangle);
  if (info.registers) {
    resources.registers = *info.registers;
  } else if (const Elf::Section* text = elf.Find(".text." + suffix); text != nullptr) {
    resources.registers = text->header.sh_info >> 24;  // Older cubins say it here alone.
  }
  resources.shared_bytes = SectionBytes(elf, ".nv.shared." + suffix);
  if (elf.Find(".nv.shared.reserved.0") != nullptr && resources.shared_bytes >= kReservedShared) {
    resources.shared_bytes -= static_cast<std::uint32_t>(kReservedShared);
  }
  resources.local_bytes = std::max(info.frame_bytes, info.stack_bytes);
  resources.constant_bytes = SectionBytes(elf, ".nv.constant0." + suffix);
  return resources;
}

}  // namespace

Result<std::vector<CubinKernel>> ReadCubin(std::span<const std::byte> cubin) {
  const Result<Elf> elf = Elf::Read(cubin);
  if (!elf) return elf.error();
  if (elf->header().e_machine != kMachineCuda) return MalformedCubin(say::for_another_machine());
  const Elf::Section* info = elf->Find(".nv.info");
  const auto functions = ReadInfo(info == nullptr ? std::span<const std::byte>() : info->bytes);
  if (!functions) return functions.error();

  std::vector<CubinKernel> kernels;
  Demangler demangle;
  for (std::size_t i = 0; i < elf->symbols().size(); ++i) {
    const Elf::Symbol& symbol = elf->symbols()[i];
    if (ELF64_ST_TYPE(symbol.entry.st_info) != STT_FUNC || (symbol.entry.st_other & kOtherEntry) == 0)
      continue;
    const auto found = functions->find(static_cast<std::uint32_t>(i));
    const FunctionInfo none;
    kernels.push_back(
        {std::string(symbol.name),
         ReadResources(*elf, symbol.name, found == functions->end() ? none : found->second, demangle)});
  }
  std::ranges::sort(kernels, {}, &CubinKernel::mangled);
  return kernels;
}

}  // namespace warplings::fatbin
