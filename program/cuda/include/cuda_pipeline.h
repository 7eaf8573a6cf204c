// SPDX-License-Identifier: Apache-2.0
// The functions of cuda_pipeline_primitives.h; classes of pipelines are not here.
#pragma once

#include "cuda_pipeline_primitives.h"
