// SPDX-License-Identifier: Apache-2.0
#include "l1d/carveout.hpp"

#include <algorithm>
#include <string_view>

#include "base/quantity.hpp"
#include "base/text.hpp"

namespace warpmem::l1d {

std::uint64_t Carveout::of(std::uint64_t block_bytes, std::uint64_t blocks) const {
  const std::uint64_t wanted = size ? std::max(*size, block_bytes) : block_bytes * blocks;
  const auto step = std::lower_bound(steps.begin(), steps.end(), wanted);
  return step == steps.end() ? largest() : *step;
}

Carveout read_carveout(const std::string& size, const std::string& steps, Problems& problems) {
  Carveout carveout;
  if (size != "auto") {
    const Quantity quantity = parse_quantity(QuantityKind::bytes, size);
    if (quantity.error == QuantityError::none) {
      carveout.size = quantity.value;
    } else {
      problems.add("l1d.carveout", shown(size) + " is no size; allowed: auto, or a size in " +
                                       unit_names(QuantityKind::bytes));
    }
  }
  for (std::string_view rest = steps;;) {
    const std::size_t comma = rest.find(',');
    const std::string_view word = trimmed(rest.substr(0, comma));
    const Quantity quantity = parse_quantity(QuantityKind::bytes, word);
    if (quantity.error != QuantityError::none) {
      problems.add("l1d.carveout_steps", shown(word) + " is no size; allowed: sizes in " +
                                             unit_names(QuantityKind::bytes) +
                                             ", separated by commas");
      break;
    }
    if (!carveout.steps.empty() && quantity.value <= carveout.steps.back()) {
      problems.add("l1d.carveout_steps",
                   format_quantity(QuantityKind::bytes, quantity.value) + " after " +
                       format_quantity(QuantityKind::bytes, carveout.steps.back()) +
                       "; allowed: ascending sizes");
      break;
    }
    carveout.steps.push_back(quantity.value);
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  return carveout;
}

}  // namespace warpmem::l1d
