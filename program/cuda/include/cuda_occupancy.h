// SPDX-License-Identifier: Apache-2.0
// Everything about occupancy is in cuda_runtime.h here.
#pragma once

#include "cuda_runtime.h"
