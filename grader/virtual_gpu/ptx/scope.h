// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace warplings::ptx {

/// True for the names in PTX ISA, "Special Registers", including their components ("%tid.x").
bool IsSpecialRegister(std::string_view name);

/// The nested scopes of one function's names: registers, variables, tables and labels. In PTX an inner scope
/// may redeclare a name of an outer or an earlier scope; call sequences do so all the time. The string views
/// passed for registers and labels must outlive this object (they point into the module's text).
class Scopes {
 public:
  using ScopeId = std::int32_t;

  Scopes() { scopes_.emplace_back(); }

  void Open();
  /// False if only the outermost scope is open.
  bool Close();
  int depth() const { return depth_; }
  ScopeId current() const { return current_; }

  /// False if the current scope already has the name.
  bool DeclareRegister(std::string_view name, std::int32_t index);
  /// Declares `%r<12>`: `prefix` "%r", `count` 12, and `first`, the index of %r0.
  bool DeclareRegisters(std::string_view prefix, std::int32_t first, std::uint32_t count);
  bool DeclareLabel(std::string_view name, std::int32_t instruction);
  /// Declares a variable, prototype or branch table. Returns a name that is unique in the function, or
  /// nothing if the current scope already has the name.
  std::optional<std::string> DeclareName(std::string_view name);

  /// Searches from `scope` (or the current one) outward; -1 or null if the name is not declared.
  std::int32_t FindRegister(std::string_view name) const;
  std::int32_t FindLabel(std::string_view name, ScopeId scope) const;
  const std::string* FindName(std::string_view name, ScopeId scope) const;

 private:
  struct Range {
    std::int32_t first = 0;
    std::uint32_t count = 0;
  };
  struct Scope {
    ScopeId parent = -1;
    std::unordered_map<std::string_view, std::int32_t> registers, labels;
    std::unordered_map<std::string_view, Range> ranges;
    std::map<std::string, std::string, std::less<>> names;
  };
  const Scope& At(ScopeId scope) const { return scopes_[static_cast<std::size_t>(scope)]; }

  std::vector<Scope> scopes_;
  ScopeId current_ = 0;
  int depth_ = 0;
  /// Number of declarations of each name in the whole function.
  std::map<std::string, std::uint32_t, std::less<>> uses_;
};

}  // namespace warplings::ptx
