// SPDX-License-Identifier: Apache-2.0
// The steering of HTSMA (KI 5.2, Listing 5.1) in any of its views. The class and the synthesizable
// core are one function (units/htsma_steer).
#pragma once

#include <cstdint>

#include "units/htsma_steer/htsma_steer_core.hpp"

namespace warpmem::mha {

class Steering {
 public:
  virtual ~Steering() = default;
  virtual units::HtsmaSteerOut eval(const units::HtsmaSteerIn& in) const = 0;
};

class FastSteering final : public Steering {
 public:
  /// `ways` is the number of lines of a cache set.
  explicit FastSteering(std::uint32_t ways) : ways_(ways) {}
  units::HtsmaSteerOut eval(const units::HtsmaSteerIn& in) const override {
    return units::htsma_steer(ways_, in);
  }

 private:
  std::uint32_t ways_;
};

}  // namespace warpmem::mha
