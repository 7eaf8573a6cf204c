// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/resource_view.hpp"

namespace warpmem::program::cuda {

namespace {

// The formats of a kind and width follow one another, with 1, 2 and 4 channels.
int first_format(const cudaChannelFormatDesc& channels) {
  switch (channels.f) {
    case cudaChannelFormatKindUnsigned:
      return channels.x == 8    ? cudaResViewFormatUnsignedChar1
             : channels.x == 16 ? cudaResViewFormatUnsignedShort1
                                : cudaResViewFormatUnsignedInt1;
    case cudaChannelFormatKindSigned:
      return channels.x == 8    ? cudaResViewFormatSignedChar1
             : channels.x == 16 ? cudaResViewFormatSignedShort1
                                : cudaResViewFormatSignedInt1;
    default:
      return channels.x == 16 ? cudaResViewFormatHalf1 : cudaResViewFormatFloat1;
  }
}

}  // namespace

bool shows_as_it_is(const cudaResourceViewDesc& view, const cudaChannelFormatDesc& channels,
                    size_t layers) {
  const int more_channels = channels.w != 0 ? 2 : channels.y != 0 ? 1 : 0;
  const bool same_format =
      view.format == cudaResViewFormatNone || view.format == first_format(channels) + more_channels;
  return same_format && view.firstLayer == 0 &&
         (view.lastLayer == 0 || view.lastLayer + size_t(1) == layers);
}

}  // namespace warpmem::program::cuda
