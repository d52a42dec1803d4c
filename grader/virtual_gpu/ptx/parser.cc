// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/ptx/parser.h"

#include <algorithm>
#include <map>
#include <new>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "grader/messages/ptx.h"
#include "grader/virtual_gpu/ptx/function_parser.h"
#include "grader/virtual_gpu/ptx/scanner.h"
#include "grader/virtual_gpu/ptx/variable_parser.h"

namespace warplings::ptx {
namespace {

constexpr std::uint64_t kMaxFileNumber = 1'000'000;

class ModuleParser {
 public:
  ModuleParser(std::string_view text, Budget& budget) : scanner_(text), budget_(budget) {}

  Module Parse() {
    TakeVersion();
    while (!scanner_.AtEnd()) TakeStatement();
    if (module_.target.empty()) scanner_.Fail(say::no_target());
    CheckRelocations();
    for (ParsedFunction& parsed : functions_) Finish(parsed);
    return std::move(module_);
  }

 private:
  /// What stands before .entry, .func or a state space.
  struct LinkingDirectives {
    Linkage linkage = Linkage::kInternal;
    bool is_extern = false;
    bool any = false;
  };

  void TakeVersion() {
    if (!scanner_.TryTakeDirective("version")) scanner_.FailExpected(".version at the start of PTX");
    module_.version_major = static_cast<int>(scanner_.TakeDecimal("a version", 99));
    scanner_.Expect('.', "in a version");
    module_.version_minor = static_cast<int>(scanner_.TakeDecimal("a version", 99));
  }

  void TakeStatement() {
    if (scanner_.TryTake(';')) return;
    const int line = scanner_.line();
    const LinkingDirectives linking = TakeLinkingDirectives();
    const std::string_view name = scanner_.TakeDirective("a directive of the module");
    if (name == "entry" || name == "func") {
      TakeFunction(name == "entry", linking, line);
    } else if (const Space space = VariableSpace(name); space != Space::kGeneric) {
      TakeVariables(space, linking);
    } else if (linking.any) {
      scanner_.Fail(say::cannot_follow_linkage("." + std::string(name)));
    } else {
      TakeModuleDirective(name);
    }
  }

  LinkingDirectives TakeLinkingDirectives() {
    LinkingDirectives linking;
    for (;; linking.any = true) {
      if (scanner_.TryTakeDirective("extern")) {
        linking.is_extern = true;
        linking.linkage = Linkage::kVisible;
      } else if (scanner_.TryTakeDirective("visible")) {
        linking.linkage = Linkage::kVisible;
      } else if (scanner_.TryTakeDirective("weak") || scanner_.TryTakeDirective("common")) {
        linking.linkage = Linkage::kWeak;
      } else {
        return linking;
      }
    }
  }

  static Space VariableSpace(std::string_view directive) {
    if (directive == "global") return Space::kGlobal;
    if (directive == "const") return Space::kConst;
    if (directive == "shared") return Space::kShared;
    if (directive == "local") return Space::kLocal;
    return Space::kGeneric;
  }

  void TakeModuleDirective(std::string_view name) {
    if (name == "target") {
      TakeTarget();
    } else if (name == "address_size") {
      module_.address_bits = static_cast<int>(scanner_.TakeUnsigned("an address size", 64));
      if (module_.address_bits != 64) {
        scanner_.Fail(say::addresses_of_32_bits(), say::compile_for_64_bits());
      }
    } else if (name == "file") {
      TakeFile();
    } else if (name == "section") {
      scanner_.TakeDirective("a section's name");
      scanner_.Expect('{', "after a section's name");
      scanner_.SkipBraces();
    } else if (name == "pragma") {
      scanner_.TakeString("the text of .pragma");
      scanner_.Expect(';', "after .pragma");
    } else if (name == "loc") {
      LocationTable().TakeLoc(scanner_);  // Belongs to no instruction.
    } else if (name == "tex" || name == "texref" || name == "samplerref" || name == "surfref") {
      scanner_.Fail(say::textures_not_supported("." + std::string(name)), say::read_through_pointer());
    } else if (name == "alias") {
      scanner_.Fail(say::alias_not_supported(), say::call_by_own_name());
    } else {
      scanner_.Fail(say::unknown_directive(Quoted("." + std::string(name))));
    }
  }

  void TakeTarget() {
    module_.target = scanner_.TakeIdentifier("a target");
    const std::string_view digits =
        std::string_view(module_.target).substr(std::min<std::size_t>(3, module_.target.size()));
    if (!module_.target.starts_with("sm_") || digits.empty() || digits[0] < '0' || digits[0] > '9') {
      scanner_.Fail(say::target_not_supported(Quoted(module_.target)), say::compile_for_sm_75());
    }
    while (scanner_.TryTake(',')) {
      const std::string_view option = scanner_.TakeIdentifier("an option of .target");
      module_.is_debug = module_.is_debug || option == "debug";
      if (option != "debug" && option != "texmode_independent" && option != "texmode_unified") {
        scanner_.Fail(say::unknown_target_option(Quoted(option)));
      }
    }
  }

  void TakeFile() {
    const int number = static_cast<int>(scanner_.TakeUnsigned("a file's number", kMaxFileNumber));
    budget_.TakeName(scanner_);
    std::string path = scanner_.TakeString("a file's name");
    while (scanner_.TryTake(',')) scanner_.TakeUnsigned("a file's time or size", ~std::uint64_t{0});
    const auto [known, is_new] = path_index_.emplace(std::move(path), static_cast<int>(module_.files.size()));
    if (is_new) module_.files.push_back(known->first);
    if (!file_index_.emplace(number, known->second).second && file_index_[number] != known->second) {
      scanner_.Fail(say::file_declared_twice(number));
    }
  }

  void TakeVariables(Space space, const LinkingDirectives& linking) {
    const int line = scanner_.line();
    for (Variable& variable : ParseVariables(scanner_, space, linking.is_extern, budget_)) {
      variable.linkage = linking.linkage;
      AddVariable(std::move(variable), line);
    }
  }

  void AddVariable(Variable variable, int line) {
    const auto [known, is_new] = symbols_.emplace(variable.name, Symbol{false, module_.variables.size()});
    if (is_new) {
      module_.variables.push_back(std::move(variable));
      variable_lines_.push_back(line);
      return;
    }
    if (known->second.is_function) Redeclared(variable.name, line);
    Variable& first = module_.variables[known->second.index];
    if (first.space != variable.space || (!first.is_extern && !variable.is_extern))
      Redeclared(variable.name, line);
    if (first.is_extern) first = std::move(variable);
  }

  [[noreturn]] static void Redeclared(std::string_view name, int line) {
    throw ParseFailure{line, say::declared_twice(Quoted(name)), {}};
  }

  void TakeFunction(bool is_entry, const LinkingDirectives& linking, int line) {
    ParsedFunction parsed = FunctionParser(scanner_, budget_).Parse(is_entry);
    parsed.ptx_line = line;
    parsed.function.linkage = linking.linkage;
    const std::string& name = parsed.function.name;
    if (name.starts_with("cudaLaunchDevice") || name.starts_with("cudaCDP2")) {
      throw ParseFailure{line, say::kernels_launch_kernels(Quoted(name)), say::launch_from_host()};
    }
    if (linking.is_extern && parsed.has_body) {
      throw ParseFailure{line, say::external_with_body(Quoted(name)), {}};
    }
    const auto [known, is_new] = symbols_.emplace(name, Symbol{true, functions_.size()});
    if (is_new) {
      functions_.push_back(std::move(parsed));
      return;
    }
    if (!known->second.is_function) Redeclared(name, line);
    ParsedFunction& first = functions_[known->second.index];
    if (first.has_body && parsed.has_body) Redeclared(name, line);
    if (parsed.has_body) first = std::move(parsed);
  }

  void CheckRelocations() {
    for (std::size_t i = 0; i < module_.variables.size(); ++i) {
      for (const Variable::Relocation& relocation : module_.variables[i].relocations) {
        if (symbols_.contains(relocation.symbol)) continue;
        throw ParseFailure{
            variable_lines_[i],
            say::address_of_undeclared(Quoted(relocation.symbol), Quoted(module_.variables[i].name)),
            {}};
      }
    }
  }

  void Finish(ParsedFunction& parsed) {
    for (const auto& [name, line] : parsed.module_names) {
      if (!symbols_.contains(name)) {
        throw ParseFailure{line, say::neither_declared_nor_label(Quoted(name)), {}};
      }
    }
    parsed.function.locations = parsed.locations.Resolve(file_index_, module_.files);
    module_.functions.push_back(std::move(parsed.function));
  }

  struct Symbol {
    bool is_function = false;
    std::size_t index = 0;  ///< Into functions_ or Module::variables.
  };

  Scanner scanner_;
  Module module_;
  Budget& budget_;
  std::vector<ParsedFunction> functions_;
  std::vector<int> variable_lines_;
  std::unordered_map<std::string, Symbol> symbols_;
  std::map<int, int> file_index_;  ///< From the number in .file to the index in Module::files.
  std::map<std::string, int> path_index_;
};

/// Fatbins pad PTX with zero bytes, and some tools count one of them as text.
std::string_view WithoutPadding(std::string_view text) {
  const std::size_t last = text.find_last_not_of('\0');
  return text.substr(0, last == text.npos ? 0 : last + 1);
}

}  // namespace

Result<Module> ParseModule(std::string_view text) {
  Budget budget;
  return ParseModule(text, budget);
}

Result<Module> ParseModule(std::string_view text, Budget& budget) {
  if (text.size() > kMaxTextBytes) {
    return SubmissionError(say::ptx_too_large(text.size(), kMaxTextBytes));
  }
  try {
    return ModuleParser(WithoutPadding(text), budget).Parse();
  } catch (ParseFailure& failure) {
    return SubmissionError(say::in_ptx_line(failure.line, failure.message), std::move(failure.next_step));
  } catch (const std::length_error&) {
    return SubmissionError(say::ptx_needs_memory());
  }
}

}  // namespace warplings::ptx
