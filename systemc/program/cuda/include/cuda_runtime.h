// SPDX-License-Identifier: Apache-2.0
// Everything a CUDA source file sees. Sources that a host compiler takes get the host API only.
#pragma once

#include "host_defines.h"
#if defined(__CUDA__) && defined(__cplusplus)
#include "warpmem/math_declarations.h"  // before <cmath>: libstdc++ must see the device overloads
#endif

#if defined(__cplusplus)
#include <cassert>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#else
#include <stddef.h>
#endif

#include "cuda_runtime_api.h"
#include "driver_types.h"
#include "vector_functions.h"
#include "vector_types.h"
#include "warpmem/runtime_templates.h"

#if defined(__CUDA__)
#include "warpmem/atomics.h"
#include "warpmem/builtin_variables.h"
#include "warpmem/device_system.h"
#include "warpmem/synchronization.h"
#endif
