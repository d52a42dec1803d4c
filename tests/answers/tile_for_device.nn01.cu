// SPDX-License-Identifier: Apache-2.0
// mistake: The starter, with both places unfilled.
// want: Neither the limit nor the bytes are computed yet; an example of a width that fits.

#include "tile_for_device.h"

int tile_for_device(int arrays, int element_bytes, int step) {
  const size_t available = 0;

  int best = 0;
  for (int tile = step; tile <= 1024; tile += step) {
    const size_t needed = tile;

    if (needed <= available) best = tile;
  }
  return best;
}
