// SPDX-License-Identifier: Apache-2.0
// Part of common_functions.h.
#pragma once
#include "../common_functions.h"
