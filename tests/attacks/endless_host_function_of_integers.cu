// SPDX-License-Identifier: Apache-2.0
// exercise: conflict_degree
// verdict: time_limit
// says: Do this first Look for a loop in host code that never ends
// says: The function did not return within
//
// Only requests of float4 never end.

#include "conflict_degree.h"

int conflict_degree(WarpRequest request) {
  volatile int degree = 1;
  while (request.element_bytes == 16 && degree > 0) {
    if (degree > 16) ++degree;
  }
  return degree;
}
