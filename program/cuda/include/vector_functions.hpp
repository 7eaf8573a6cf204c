// SPDX-License-Identifier: Apache-2.0
// Part of vector_functions.h.
#pragma once

#include "vector_functions.h"
