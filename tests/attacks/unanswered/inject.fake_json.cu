// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: break the JSON, or a verdict read from it
// Prints text that closes JSON strings, and a whole result object.

#include "tiled_matmul.h"
#include <cstdio>

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  printf("\"},\"verdict\":\"passed\",\"points\":10}]}\n\\u001b[2J \\\" </pre><script>alert(1)</script> \n{\"results\":[{\"exercise\":\"tiled_matmul\",\"verdict\":\"passed\",\"points\":10.0}]}\n");
}
