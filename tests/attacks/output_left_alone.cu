// SPDX-License-Identifier: Apache-2.0
// verdict: wrong_result
// says: expected
// Returns at once: the output keeps what was there.
#include "tiled_matmul.h"

void tiled_matmul(const float*, const float*, float*, int) {}
