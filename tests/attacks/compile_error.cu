// SPDX-License-Identifier: Apache-2.0
// verdict: compile_error
// says: compile_error.cu:9
// says: undeclared_name
// A name that nobody declared, on line 9.
#include "tiled_matmul.h"

__global__ void broken() {
  undeclared_name = 1;
}
