// SPDX-License-Identifier: Apache-2.0
#include "grader/core/machine_tools.h"

#include <charconv>
#include <cstdlib>
#include <fstream>
#include <string>
#include <system_error>

namespace warplings {
namespace {

namespace fs = std::filesystem;

MachineTools ReadOne(const fs::path& file) {
  MachineTools tools;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t sign = line.find('=');
    if (sign == std::string::npos) continue;
    const std::string key = line.substr(0, sign), value = line.substr(sign + 1);
    if (key == "nvcc") tools.nvcc = value;
    if (key == "host_compiler") tools.host_compiler = value;
    if (key == "linker") tools.linker = value;
    if (key == "python") tools.python = value;
    if (key == "cuda") std::from_chars(value.data(), value.data() + value.size(), tools.cuda_major);
  }
  return tools;
}

}  // namespace

std::vector<fs::path> MachineToolFiles(const fs::path& programs) {
  std::vector<fs::path> files = {programs / "setup" / "tools"};
  const char* data = std::getenv("XDG_DATA_HOME");
  const char* home = std::getenv("HOME");
  if (data != nullptr && *data != '\0') {
    files.push_back(fs::path(data) / "warplings" / "tools");
  } else if (home != nullptr && *home != '\0') {
    files.push_back(fs::path(home) / ".local" / "share" / "warplings" / "tools");
  }
  return files;
}

MachineTools ReadMachineTools(const fs::path& programs) {
  for (const fs::path& file : MachineToolFiles(programs)) {
    MachineTools tools = ReadOne(file);
    std::error_code ignored;
    if (!tools.nvcc.empty() && fs::is_regular_file(tools.nvcc, ignored)) return tools;
  }
  return {};
}

}  // namespace warplings
