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

/// Whether the PTX ISA, "Special Registers", knows this name (components included: "%tid.x").
bool IsSpecialRegister(std::string_view name);

/// The names that one function's braces nest: registers, variables, tables and labels. PTX lets an
/// inner scope repeat what an outer or an earlier one declared; call sequences do so all the time.
/// Views of registers and labels must outlive it (they lie in the text of the module).
class Scopes {
 public:
  using ScopeId = std::int32_t;

  Scopes() { scopes_.emplace_back(); }

  void Open();
  /// False where only the outermost is open.
  bool Close();
  int depth() const { return depth_; }
  ScopeId current() const { return current_; }

  /// False where the current scope has the name already.
  bool DeclareRegister(std::string_view name, std::int32_t index);
  /// `%r<12>`: prefix "%r", count 12, the first one's index.
  bool DeclareRegisters(std::string_view prefix, std::int32_t first, std::uint32_t count);
  bool DeclareLabel(std::string_view name, std::int32_t instruction);
  /// A variable, prototype or branch table; yields the name that is unique in the function, or nothing
  /// where the current scope has the name already.
  std::optional<std::string> DeclareName(std::string_view name);

  /// From `scope` outward; -1 or null where nobody declared it.
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
  std::map<std::string, std::uint32_t, std::less<>> uses_;  ///< Of each name, in the whole function.
};

}  // namespace warplings::ptx
