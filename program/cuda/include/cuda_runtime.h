// SPDX-License-Identifier: Apache-2.0
// Everything a CUDA source file sees. Sources that a host compiler takes get the host API only.
#pragma once
#define __CUDA_RUNTIME_H__

#include "host_defines.h"
#if defined(__CUDA__)
#include "warpmem/prologue.h"
#endif

#if defined(__cplusplus)
#include <math.h>  // the overloads in std as global names, too
#include <stdlib.h>

#include <cassert>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>
#endif

#include "cuda_runtime_api.h"
#include "driver_types.h"
#include "vector_functions.h"
#include "vector_types.h"
#include "warpmem/channel_formats.h"
#include "warpmem/runtime_templates.h"

#if defined(__CUDA__)
#include "cuda_device_runtime_api.h"
#include "warpmem/cluster.h"
#include "warpmem/device.h"
#include "warpmem/surface.h"
#include "warpmem/texture.h"
#include "warpmem/texture_binding.h"
#include "warpmem/texture_levels.h"
#endif
