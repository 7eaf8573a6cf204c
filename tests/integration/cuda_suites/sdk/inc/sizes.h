// SPDX-License-Identifier: Apache-2.0
#pragma once
enum { kWidth = 48, kHeight = 40, kRadius = 2 };
