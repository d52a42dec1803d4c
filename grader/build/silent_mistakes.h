// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/message.h"

namespace warplings {

/// A call or a store of the host that CUDA carries out, and that does something else than its writer meant.
struct SilentMistake {
  int line = 0;
  Message what, remedy;
};

/// What the source alone shows: a cudaMemset of elements to a value other than 0 and -1, a store of the host
/// to a `__constant__` or `__device__` variable, a copy to such a variable of as many bytes as it has
/// elements, a `__constant__` variable that device code reads and nothing fills, and a copy into or from an
/// array or a vector of the host that has fewer bytes.
std::vector<SilentMistake> FindSilentMistakes(std::string_view source);

/// A cudaMemset or cudaMemcpy of the host, as far as the source shows it.
struct HostWrite {
  int line = 0;
  std::string function;         ///< "cudaMemset".
  std::string array;            ///< A plain name, also behind a cast.
  std::string value;            ///< Of a memset, as it is written: "1", "'0'".
  std::optional<int> byte;      ///< Of a memset: what each byte becomes, if the source shows it.
  std::optional<int> bytes;     ///< How many, if that is a number.
  int element_bytes = 0;        ///< Of an element of the array; 0: not known.
  bool is_of_integers = false;  ///< Those elements; else of floats, or not known.
};

/// In their order.
std::vector<HostWrite> FindHostWrites(std::string_view source);

/// cudaMemcpy to memory of the host that is too small, or from it.
struct HostOverflow {
  int line = 0;
  std::string function;  ///< "cudaMemcpy".
  std::string array;
  int array_line = 0;  ///< Of what gives it its memory.
  std::int64_t copied = 0, bytes = 0;
  bool is_read = false;  ///< It is copied from.
};

/// The side of a copy that the host has.
struct HostSide {
  int line = 0;
  std::string array;      ///< Empty if it is no plain name.
  int element_bytes = 0;  ///< Of what the name is declared with; 0: not known.
};

/// The only call of `function` in the source that copies from the host, or to it.
std::optional<HostSide> OnlyHostSide(std::string_view source, std::string_view function, bool is_read);

/// The first one in the source, where the array's size and the copy's are numbers that the source shows.
std::optional<HostOverflow> FindHostOverflow(std::string_view source);

}  // namespace warplings
