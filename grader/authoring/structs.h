// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace warplings {

// A contract's structs, and those that a suite declares under the same names: elements go from one to the
// other as bytes, so that nothing but these functions (and a test that fails for no reason) shows a
// difference. They read the sources as text, because the two are never compiled together.

/// "int address[32]": its type in one spelling ("unsigned char" for std::uint8_t), its name, and "[32]".
struct StructMember {
  std::string type, name, extent;
};

struct DeclaredStruct {
  std::string name;
  std::string alignment;  ///< What alignas has in parentheses; empty without it.
  std::vector<StructMember> members;
};

/// All structs without base classes of a source; of their members, those that are no functions.
std::vector<DeclaredStruct> StructsIn(const std::string& source);

struct StructLayout {
  std::size_t bytes = 0, alignment = 1;
};
/// Missing if it has a member of a type other than C++'s numbers, or a size that is not written in digits.
std::optional<StructLayout> LayoutOf(const DeclaredStruct& one);

}  // namespace warplings
