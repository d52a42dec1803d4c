// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace warplings {

/// Of two lines of a kernel, one that stores elements of `array` and one that was seen to read some: whether
/// the reading one is not meant to, and so runs out of another array that it indexes. It is if its statement
/// does not name the array, and device code uses the array's name for nothing but its elements.
bool ReadsByMistake(std::string_view source, int storing_line, int reading_line, const std::string& array);

/// The shared array that the statement in that line uses, where a thread was seen there at a shared variable
/// that the statement does not name: an index leaves the array and gets to the variable. Empty where the
/// statement names `reached`, or not one shared array alone; where code has pointers to shared memory; and in
/// the branches of an `else`, whose stores the compiler may make one.
std::string ArrayLeftIn(std::string_view source, int line, const std::string& reached);

}  // namespace warplings
