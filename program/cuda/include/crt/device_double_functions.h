// SPDX-License-Identifier: Apache-2.0
// Part of device_double_functions.h.
#pragma once
#include "../device_double_functions.h"
