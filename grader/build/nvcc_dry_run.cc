// SPDX-License-Identifier: Apache-2.0
#include "grader/build/nvcc_dry_run.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "grader/base/replace.h"
#include "grader/base/shell.h"

namespace warplings {

namespace fs = std::filesystem;

namespace {

/// Parses "NAME=value", the form in which nvcc prints a variable; nothing if the line is a command.
std::optional<std::pair<std::string, std::string>> ParseVariable(const std::string& line) {
  const std::size_t equals = line.find('=');
  if (equals == std::string::npos || equals == 0) return std::nullopt;
  const bool is_name = std::ranges::all_of(line.substr(0, equals),
                                           [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  if (!is_name) return std::nullopt;
  return std::pair(line.substr(0, equals), line.substr(equals + 1));
}

bool HasOnce(const std::string& line, std::string_view text) {
  const std::size_t at = line.find(text);
  return at != std::string::npos && line.find(text, at + 1) == std::string::npos;
}

bool Has(const std::string& line, std::string_view text) {
  return line.find(text) != std::string::npos;
}

std::string InQuotes(std::string_view text) {
  return '"' + std::string(text) + '"';
}

/// A file between the steps.
std::string Between(std::string_view suffix) {
  return InQuotes(kStepsStem + std::string(suffix));
}

bool IsPreprocessor(const std::string& line, std::string_view result, bool device) {
  return HasOnce(line, " -E -x c++ ") && HasOnce(line, InQuotes(kStepsSource)) &&
         HasOnce(line, " -include \"cuda_runtime.h\" ") &&
         HasOnce(line, " -include " + InQuotes(kStepsContract) + ' ') &&
         HasOnce(line, "-o " + Between(result)) && Has(line, " -D__CUDA_ARCH__=") == device;
}

bool IsExpected(const NvccSteps& steps) {
  return IsPreprocessor(steps.preprocess_host, ".cpp4.ii", false) &&
         IsPreprocessor(steps.preprocess_device, ".cpp1.ii", true) && steps.cudafe.starts_with("cudafe++ ") &&
         HasOnce(steps.cudafe, "--gen_module_id_file --module_id_file_name " + Between(".module_id")) &&
         HasOnce(steps.cudafe, "--gen_c_file_name " + Between(".cudafe1.cpp")) &&
         steps.cudafe.ends_with(Between(".cpp4.ii")) && Has(steps.cicc.substr(0, 40), "cicc\" ") &&
         HasOnce(steps.cicc, " --module_id_file_name " + Between(".module_id")) &&
         HasOnce(steps.cicc, "-o " + Between(".ptx")) && steps.ptxas.starts_with("ptxas ") &&
         Has(steps.ptxas, Between(".ptx")) && steps.fatbinary.starts_with("fatbinary ") &&
         HasOnce(steps.fatbinary, "--embedded-fatbin=" + Between(".fatbin.c")) &&
         HasOnce(steps.compile_host, " -c -x c++ ") &&
         HasOnce(steps.compile_host, ' ' + Between(".cudafe1.cpp") + " -o \"student.o\"");
}

std::string Trimmed(std::string_view line) {
  while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back()))) line.remove_suffix(1);
  return std::string(line);
}

}  // namespace

std::vector<std::string> NvccCommand(const Toolchain& toolchain, int sm, const std::string& source_path,
                                     const std::string& contract_path) {
  const std::string capability = std::to_string(sm);
  return {toolchain.nvcc.string(),
          "-c",
          "--keep",  // The fat binary is wanted by itself, and the preprocessed text for the headers in it.
          kStandardsFlag,
          "-lineinfo",
          kNoMissingReturn,
          "-cudart=none",
          "-gencode",
          "arch=compute_" + capability + ",code=[compute_" + capability + ",sm_" + capability + "]",
          "-ccbin",
          toolchain.host_compiler.string(),
          "-I" + fs::path(contract_path).parent_path().string(),
          "-include",
          contract_path,
          "-x",  // Whatever its name ends in: learning platforms hand out "x.cu.txt".
          "cu",
          source_path,
          "-o",
          "student.o"};
}

std::optional<NvccSteps> ParseDryRun(std::string_view text) {
  constexpr std::string_view kMark = "#$ ";
  NvccSteps steps;
  std::vector<std::string> commands;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string line = Trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.starts_with(kMark)) continue;
    const std::string said = line.substr(kMark.size());
    if (auto variable = ParseVariable(said)) {
      // The others are for nvcc's own use, with quotes that stand for several words.
      if (!Has(variable->second, "\"")) steps.environment.push_back(std::move(*variable));
    } else {
      commands.push_back(said);
    }
  }
  const std::array places{&steps.preprocess_host, &steps.cudafe,    &steps.preprocess_device, &steps.cicc,
                          &steps.ptxas,           &steps.fatbinary, &steps.compile_host};
  if (commands.size() != places.size()) return std::nullopt;
  for (std::size_t i = 0; i < places.size(); ++i) *places[i] = std::move(commands[i]);
  if (!IsExpected(steps)) return std::nullopt;
  // cicc waits for a name that cudafe++ invents for this file. It invents the same one itself, if told so.
  steps.cicc = ReplaceAll(steps.cicc, " --module_id_file_name " + Between(".module_id"),
                          " --gen_module_id_file --module_id_file_name " + Between(".device_id"));
  return steps;
}

NvccSteps StepsFor(const NvccSteps& steps, const std::string& source_path, const std::string& contract_path) {
  NvccSteps mine = steps;
  for (std::string* line : {&mine.preprocess_host, &mine.cudafe, &mine.preprocess_device, &mine.cicc,
                            &mine.ptxas, &mine.fatbinary, &mine.compile_host}) {
    *line = ReplaceAll(ReplaceAll(*line, kStepsContract, contract_path), kStepsSource, source_path);
  }
  return mine;
}

std::string ExportLines(const NvccSteps& steps) {
  std::string lines;
  for (const auto& [name, value] : steps.environment)
    lines += "export " + name + '=' + ShellWord(value) + '\n';
  return lines;
}

}  // namespace warplings
