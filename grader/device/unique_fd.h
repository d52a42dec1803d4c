// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/core/unique_fd.h"
