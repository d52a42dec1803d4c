// SPDX-License-Identifier: Apache-2.0
#pragma once

// out[i] = 2 * in[i] for i from 0 to n - 1. Both are arrays of n floats in device memory; n is at least 1. The
// function launches its kernel on the default stream; `in` stays as it is.
void @EXERCISE@(const float* in, float* out, int n);
