// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/ptx/linker.h"

#include <algorithm>
#include <iterator>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "grader/fatbin/device_names.h"
#include "grader/messages/ptx.h"
#include "grader/virtual_gpu/ptx/budget.h"
#include "grader/virtual_gpu/ptx/parser.h"

namespace warplings::ptx {
namespace {

using Names = std::unordered_set<std::string>;
using Renamed = std::unordered_map<std::string, std::string>;

bool IsShared(const Variable& variable) {
  return variable.linkage != Linkage::kInternal;
}
/// The host asks for kernels by name, so that two of one name could not be told apart.
bool IsShared(const Function& function) {
  return function.is_entry || function.linkage != Linkage::kInternal;
}

/// Calls `visit(symbol)` for each function and variable of the module scope.
template <class Visit>
void ForEachSymbol(Module& module, Visit&& visit) {
  for (Variable& variable : module.variables) visit(variable);
  for (Function& function : module.functions) visit(function);
}

/// The names of the function's own that operands may mean.
Names LocalNames(const Function& function) {
  Names names;
  for (const auto* list : {&function.returns, &function.parameters, &function.variables}) {
    for (const Variable& variable : *list) names.insert(variable.name);
  }
  for (const auto& [name, prototype] : function.prototypes) names.insert(name);
  for (const auto& [name, targets] : function.branch_targets) names.insert(name);
  return names;
}

void RenameIn(Operand& operand, const Renamed& renamed, const Names& local) {
  const bool may_name = operand.kind == OperandKind::kSymbol || operand.kind == OperandKind::kAddress;
  if (may_name && !local.contains(operand.name)) {
    if (const auto found = renamed.find(operand.name); found != renamed.end()) operand.name = found->second;
  }
  for (Operand& element : operand.elements) RenameIn(element, renamed, local);
}

void RenameIn(Function& function, const Renamed& renamed) {
  const Names local = LocalNames(function);
  for (Instruction& instruction : function.instructions) {
    for (Operand& operand : instruction.operands) RenameIn(operand, renamed, local);
  }
}

bool SameSizes(const std::vector<Variable>& one, const std::vector<Variable>& other) {
  return std::ranges::equal(one, other, {}, &Variable::Bytes, &Variable::Bytes);
}

/// An array that is declared without extent fits each definition.
bool Fits(const Variable& one, const Variable& other) {
  return one.space == other.space && (one.Bytes() == other.Bytes() || (one.is_extern && one.count == 0) ||
                                      (other.is_extern && other.count == 0));
}
bool Fits(const Function& one, const Function& other) {
  return one.is_entry == other.is_entry && SameSizes(one.returns, other.returns) &&
         SameSizes(one.parameters, other.parameters);
}

Error DefinedTwice(const std::string& name) {
  return SubmissionError(say::files_define_twice(fatbin::DemangledName(name)), say::define_in_one_file());
}

Error DeclaredDifferently(const std::string& name) {
  return SubmissionError(say::files_declare_differently(fatbin::DemangledName(name)),
                         say::declare_in_common_header());
}

class Linker {
 public:
  Result<Module> Link(std::vector<Module> objects) {
    for (Module& object : objects) {
      ForEachSymbol(object, [&](const auto& symbol) {
        if (IsShared(symbol)) taken_.insert(symbol.name);
      });
    }
    for (Module& object : objects) {
      KeepApart(object);
      if (const Status added = Add(object); !added) return added.error();
    }
    return std::move(linked_);
  }

 private:
  /// Renames what only this object knows, where the name is taken.
  void KeepApart(Module& object) {
    ++objects_;
    Renamed renamed;
    ForEachSymbol(object, [&](auto& symbol) {
      if (IsShared(symbol) || taken_.insert(symbol.name).second) return;
      std::string name = symbol.name + "@" + std::to_string(objects_);
      renamed.emplace(std::exchange(symbol.name, name), name);
    });
    if (renamed.empty()) return;
    for (Function& function : object.functions) RenameIn(function, renamed);
    for (Variable& variable : object.variables) {
      for (Variable::Relocation& relocation : variable.relocations) {
        const auto found = renamed.find(relocation.symbol);
        if (found != renamed.end()) relocation.symbol = found->second;
      }
    }
  }

  Status Add(Module& object) {
    if (objects_ == 1) {
      linked_.version_major = object.version_major;
      linked_.version_minor = object.version_minor;
      linked_.target = object.target;
    }
    linked_.is_debug = linked_.is_debug || object.is_debug;
    const int first_file = static_cast<int>(linked_.files.size());
    std::ranges::move(object.files, std::back_inserter(linked_.files));
    for (Variable& variable : object.variables) {
      if (Status added = Add(linked_.variables, std::move(variable)); !added) return added;
    }
    for (Function& function : object.functions) {
      for (Location& location : function.locations) {
        if (location.where_file >= 0) location.where_file += first_file;
        if (location.innermost_file >= 0) location.innermost_file += first_file;
      }
      if (Status added = Add(linked_.functions, std::move(function)); !added) return added;
    }
    return Unit{};
  }

  template <class Symbol>
  Status Add(std::vector<Symbol>& list, Symbol symbol) {
    constexpr bool kIsFunction = std::is_same_v<Symbol, Function>;
    if (IsShared(symbol)) {
      const auto [known, is_new] = shared_.emplace(symbol.name, Place{kIsFunction, list.size()});
      if (!is_new) {
        if (known->second.is_function != kIsFunction) return DeclaredDifferently(symbol.name);
        return Merge(list[known->second.index], std::move(symbol));
      }
    }
    list.push_back(std::move(symbol));
    return Unit{};
  }

  template <class Symbol>
  static Status Merge(Symbol& first, Symbol second) {
    if (!Fits(first, second)) return DeclaredDifferently(first.name);
    if constexpr (std::is_same_v<Symbol, Variable>) {
      first.alignment = second.alignment = std::max(first.alignment, second.alignment);
    }
    if (second.is_extern) return Unit{};
    if (first.is_extern) {
      first = std::move(second);
    } else if (second.linkage != Linkage::kWeak) {
      if (first.linkage != Linkage::kWeak) return DefinedTwice(first.name);
      first = std::move(second);
    }
    return Unit{};
  }

  struct Place {
    bool is_function = false;
    std::size_t index = 0;  ///< Into the functions or variables of the linked module.
  };

  Module linked_;
  std::size_t objects_ = 0;  ///< So far.
  Names taken_;              ///< Names that objects share, and those of earlier objects.
  std::unordered_map<std::string, Place> shared_;
};

}  // namespace

Result<Module> LinkModules(std::span<const std::string> texts) {
  Budget budget;
  std::size_t bytes = 0;
  std::vector<Module> objects;
  for (const std::string& text : texts) {
    bytes += text.size();
    if (bytes > kMaxTextBytes) return SubmissionError(say::ptx_too_large(bytes, kMaxTextBytes));
    auto object = ParseModule(text, budget);
    if (!object) return object;
    objects.push_back(std::move(object).value());
  }
  if (objects.size() == 1) return std::move(objects.front());
  return Linker().Link(std::move(objects));
}

}  // namespace warplings::ptx
