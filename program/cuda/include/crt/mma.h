// SPDX-License-Identifier: Apache-2.0
// Part of mma.h.
#pragma once
#include "../mma.h"
