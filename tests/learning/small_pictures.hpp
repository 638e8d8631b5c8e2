// A data set so small that a model of it has 170 parameters.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "testbed/learning/dataset.hpp"
#include "testbed/learning/random.hpp"

namespace ocs::test {

/// 4 x 4 pixels, of which one tells the class.
inline std::shared_ptr<const Dataset> small_pictures() {
  Dataset data;
  data.inputs = 16;
  Draws draws(1);
  for (int k = 0; k < 120; ++k) {
    const auto label = draws.below(10);
    data.train.labels.push_back(static_cast<std::uint8_t>(label));
    for (std::size_t i = 0; i < data.inputs; ++i)
      data.train.pixels.push_back(static_cast<std::uint8_t>(draws.below(64) + (i == label ? 160 : 0)));
  }
  data.test = data.train;
  data.mean.assign(data.inputs, 0.2F);
  return std::make_shared<const Dataset>(std::move(data));
}

}  // namespace ocs::test
