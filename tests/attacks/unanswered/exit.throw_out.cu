// SPDX-License-Identifier: Apache-2.0
// exercise: reverse
// verdict: not passed
// must not: pass; grader_fault
// Throws an int, a string, a null pointer, a class with a throwing destructor out of the entry.

#include "reverse.h"
struct T { ~T() noexcept(false) { throw 3; } };

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  static int call = 0;
  switch (call++ % 4) {
    case 0: throw 1;
    case 1: throw "text";
    case 2: throw (void*)nullptr;
    default: { T t; throw 2; }
  }
}
