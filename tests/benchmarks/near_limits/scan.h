// SPDX-License-Identifier: Apache-2.0
#pragma once

void scan(const int* input, int* output, int length);
