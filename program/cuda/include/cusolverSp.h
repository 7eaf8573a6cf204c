// SPDX-License-Identifier: Apache-2.0
// Part of cusolverDn.h.
#pragma once
#include "cusolverDn.h"
