// SPDX-License-Identifier: Apache-2.0
// Part of math_functions.h.
#pragma once
#include "../math_functions.h"
