// What learns: softmax regression, or a perceptron with one hidden layer. Cross entropy, plain gradients.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "testbed/learning/dataset.hpp"

namespace ocs {

enum class ModelKind : std::uint8_t {
  softmax,  ///< weights inputs x 10, biases 10; starts with 0
  mlp,      ///< inputs x 128, 128, ReLU, 128 x 10, 10; starts after He et al. 2015: variance 2 / fan-in, biases 0
};
std::string_view name_of(ModelKind kind);  ///< "softmax", "mlp"

/// How good a model is on pictures.
struct Score {
  double loss = 0;  ///< mean cross entropy, natural logarithm
  double accuracy = 0;
  friend bool operator==(const Score&, const Score&) = default;
};

/// Parameters lie as its tensors do one behind the other, each matrix column by column: column c of a layer is what
/// goes to its unit c. All sums go in an order that is fixed, in one thread; the same bits come out on every machine
/// that has IEEE arithmetic and vectors of four floats. One object belongs to one thread.
class Classifier {
 public:
  static constexpr std::size_t hidden = 128;

  Classifier(ModelKind kind, std::size_t inputs);

  std::size_t parameters() const;
  /// Elements of each tensor, in their order.
  std::vector<std::size_t> tensors() const;
  std::vector<float> start(std::uint64_t seed) const;
  /// The same for a model with so many parameters. @throws Error (internal) if there is none
  static std::vector<float> start(ModelKind kind, std::size_t parameters, std::uint64_t seed);

  /// Writes the mean gradient over training pictures `batch`. @param model, gradient: parameters() elements
  void gradient(std::span<const float> model, const Dataset& data, std::span<const std::uint32_t> batch,
                std::span<float> gradient);
  /// Scores a model on all test pictures.
  Score score(std::span<const float> model, const Dataset& data);

 private:
  void forward(const float* model, std::size_t rows);
  double to_errors(std::span<const std::uint8_t> labels, std::size_t& right);

  ModelKind kind_;
  std::size_t inputs_;
  std::vector<float> features_, hidden_out_, hidden_error_, errors_;  ///< a row a picture
};

}  // namespace ocs
