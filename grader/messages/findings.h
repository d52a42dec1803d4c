// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "grader/messages/table.inc"

namespace warplings::say {
#include "grader/messages/findings.inc"

/// "argument 2 (4,096 bytes)"; an object that has its size in its name, "an allocation of 4,096 bytes", as it
/// is.
inline Message WithSize(const Message& object, std::int64_t bytes) {
  return an_allocation.Made(object) ? object : with_size(object, Count(bytes, "byte"));
}

/// An array in shared memory, or a variable there.
inline bool IsSharedObject(const Message& object) {
  return shared_array.Made(object) || shared_variable.Made(object);
}

/// What a thread reads or writes of an object: a variable, or an element of an array.
inline Message ElementOf(const Message& object) {
  return shared_variable.Made(object) ? object : Message(an_element_of(object));
}

/// Whether it is the message of a race between blocks; not of one in which all store the same value.
inline bool IsBetweenBlocks(const Message& race) {
  return race_of_blocks.Made(race) || race_of_many_blocks.Made(race) || race_with_reading_blocks.Made(race);
}

/// Of an access to the elements `first` to `last`, of which the last does not exist.
inline Message ElementsPastEnd(const Message& verb, const Message& array, std::int64_t first,
                               std::int64_t last, const Count& elements) {
  if (first == last) return element_past_end(verb, array, first, elements);
  const Message does = writes.Made(verb) ? would_write() : verb;
  return last == first + 1 ? two_elements_past_end(does, array, first, last, elements)
                           : elements_past_end(does, array, first, last, elements);
}
}  // namespace warplings::say

#undef MESSAGE
