// SPDX-License-Identifier: Apache-2.0
__managed__ int counter;
__global__ void count() { ++counter; }
