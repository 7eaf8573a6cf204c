// SPDX-License-Identifier: Apache-2.0
// A matrix in global memory that is indexed as an array in shared memory is, so that one function
// works on either.
#pragma once

template <class T>
struct Rows {
  T* first;
  int columns;
  __device__ T* operator[](int row) const { return first + row * columns; }
};
