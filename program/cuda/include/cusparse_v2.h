// SPDX-License-Identifier: Apache-2.0
// Part of cusparse.h.
#pragma once
#include "cusparse.h"
