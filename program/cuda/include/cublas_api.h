// SPDX-License-Identifier: Apache-2.0
// Part of cublas_v2.h.
#pragma once

#include "cublas_v2.h"
