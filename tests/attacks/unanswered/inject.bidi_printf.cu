// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: raw control, bidirectional or invisible characters in terminal output or JSON
// Bidirectional overrides and isolates, marks, zero width, tag characters, C1 controls as UTF-8, line separators, interlinear annotations, variation selectors, lone surrogates and overlong forms in output.

#include "tiled_matmul.h"
#include <cstdio>

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const unsigned cp[] = {0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069, 0x200E, 0x200F, 0x061C, 0x200B, 0x200C, 0x200D, 0x2060, 0x2061, 0x2064, 0xFEFF, 0x00AD, 0x034F, 0x115F, 0x180E, 0x2028, 0x2029, 0x3164, 0xFFA0, 0xFFF9, 0xFFFB, 0xFE0F, 0x9B, 0x85, 0x90, 0x9D};
  for (unsigned c : cp) {
    if (c < 0x800) printf("<%c%c>", 0xC0 | c >> 6, 0x80 | (c & 63));
    else printf("<%c%c%c>", 0xE0 | c >> 12, 0x80 | (c >> 6 & 63), 0x80 | (c & 63));
  }
  for (unsigned c = 0xE0041; c < 0xE005A; ++c) printf("%c%c%c%c", 0xF0 | c >> 18, 0x80 | (c >> 12 & 63), 0x80 | (c >> 6 & 63), 0x80 | (c & 63));
  printf("\xED\xA0\x80 \xC0\x9B[31m \xE0\x80\x9B \xF8\x88\x80\x80\x9B \xFF\xFE \x9B[31m\n");
  fflush(stdout);
}
