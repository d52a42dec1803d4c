// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warplings {

/// Whether all that the line stores is an element that it loads as well, `y[i] += x` or `y[i] = y[i] + x`,
/// and it loads no other element of that array. Threads that race there change one element.
bool ChangesWhatItLoads(std::string_view source, int line);

/// Whether the line changes an element, or what a pointer points to: `y[i] += x`, `y[i] = y[i] + x`,
/// `(*sum)++`, or the variable `object` itself: `total += x`. Not a local variable, as in `s += x[i]; y[i] =
/// s;`.
bool ChangesInPlace(std::string_view line, std::string_view object);

/// Whether the line adds to an element of the array, by an index of which another element's index is made
/// that it loads: `s[t] += s[t + k]`, `s[t] = max(s[t], s[t + k])`. Each thread changes an element of its
/// own.
bool ReadsNeighbour(std::string_view line, std::string_view array);

/// The one element of the shared array, or variable, that all threads add to which come to the line: "total"
/// of `total += x`, "partial[0]" of `partial[0] = partial[0] + x`. Nothing if the line has another element of
/// it.
std::optional<std::string> OneElementAddedTo(std::string_view source, int line, std::string_view array);

/// Whether the line has an element of the array whose index is the thread's number: `s[t] += x` where `t` is
/// only ever threadIdx.x, with or without its block. No other thread of the block changes that one.
bool HasOwnElement(std::string_view source, int line, std::string_view array);

/// Whether the line has elements of the array at two or more indices.
bool HasSeveralElements(std::string_view line, std::string_view array);

}  // namespace warplings
