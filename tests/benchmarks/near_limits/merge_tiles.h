// SPDX-License-Identifier: Apache-2.0
#pragma once

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output);
