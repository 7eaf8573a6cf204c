// SPDX-License-Identifier: Apache-2.0
// Part of host_defines.h.
#pragma once
#include "../host_defines.h"
