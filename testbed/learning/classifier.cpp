// Eigen multiplies matrices; all else is written out, for the order of its sums.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/learning/classifier.hpp"

#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "host/core/error.hpp"
#include "testbed/learning/random.hpp"

namespace ocs {
namespace {

constexpr std::size_t classes = Dataset::classes;

constexpr std::array<std::string_view, 2> model_names = {"softmax", "mlp"};  // in the order of ModelKind

using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Columns = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor>;

Eigen::Index n(std::size_t size) { return static_cast<Eigen::Index>(size); }

/// Eigen cuts products to the caches that it finds, and so sums in another order on another machine: it is told of one.
void same_products_everywhere() {
  static const bool told = [] {
    Eigen::setCpuCacheSizes(std::ptrdiff_t{32} * 1024, std::ptrdiff_t{512} * 1024, std::ptrdiff_t{4} * 1024 * 1024);
    return true;
  }();
  static_cast<void>(told);
}

/// e^x for x <= 0, to some 1e-10 of itself. Those of C libraries differ in their last bits, by version and processor.
double exp_of(double x) {
  constexpr double log2_e = 1.4426950408889634, ln_2_high = 6.93147180369123816490e-01,
                   ln_2_low = 1.90821492927058770002e-10, least = -700;
  if (x < least) return 0;
  const double k = std::floor(x * log2_e + 0.5);
  const double r = (x - k * ln_2_high) - k * ln_2_low;  // |r| <= ln 2 / 2
  double sum = 1;
  for (int i = 9; i >= 1; --i) sum = 1 + sum * (r / i);
  return std::ldexp(sum, static_cast<int>(k));
}

/// Natural logarithm of x > 0, to some 1e-12.
double log_of(double x) {
  constexpr double root_half = 0.70710678118654752, ln_2 = 0.69314718055994531;
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < root_half) m *= 2, --exponent;
  const double s = (m - 1) / (m + 1), square = s * s;
  double sum = 0;
  for (int i = 15; i >= 1; i -= 2) sum = sum * square + 1.0 / i;
  return 2 * s * sum + exponent * ln_2;
}

/// out[row] += bias, for each row.
void add_bias(std::span<float> out, const float* bias, std::size_t width) {
  for (std::size_t at = 0; at < out.size(); at += width)
    for (std::size_t c = 0; c < width; ++c) out[at + c] += bias[c];
}

/// Sums of columns, row by row.
void sum_columns(std::span<const float> rows, float* out, std::size_t width) {
  std::fill_n(out, width, 0.0F);
  for (std::size_t at = 0; at < rows.size(); at += width)
    for (std::size_t c = 0; c < width; ++c) out[c] += rows[at + c];
}

}  // namespace

std::string_view name_of(ModelKind kind) { return model_names[static_cast<std::size_t>(kind)]; }

Classifier::Classifier(ModelKind kind, std::size_t inputs) : kind_(kind), inputs_(inputs) {
  same_products_everywhere();
}

std::vector<std::size_t> Classifier::tensors() const {
  if (kind_ == ModelKind::softmax) return {inputs_ * classes, classes};
  return {inputs_ * hidden, hidden, hidden * classes, classes};
}

std::size_t Classifier::parameters() const {
  std::size_t sum = 0;
  for (const std::size_t size : tensors()) sum += size;
  return sum;
}

std::vector<float> Classifier::start(std::uint64_t seed) const {
  std::vector<float> model(parameters(), 0.0F);
  if (kind_ == ModelKind::softmax) return model;
  constexpr std::uint64_t for_start = 3;
  Draws draws(seed, {for_start});
  const auto draw = [&](std::size_t first, std::size_t fan_in, std::size_t fan_out) {
    const double deviation = std::sqrt(2.0 / static_cast<double>(fan_in));
    for (std::size_t i = 0; i < fan_in * fan_out; ++i)
      model[first + i] = static_cast<float>(draws.normal() * deviation);
  };
  draw(0, inputs_, hidden);
  draw(inputs_ * hidden + hidden, hidden, classes);
  return model;
}

std::vector<float> Classifier::start(ModelKind kind, std::size_t parameters, std::uint64_t seed) {
  const std::size_t an_input = kind == ModelKind::softmax ? classes : hidden;
  const std::size_t rest = kind == ModelKind::softmax ? classes : hidden + hidden * classes + classes;
  if (parameters <= rest || (parameters - rest) % an_input != 0)
    throw Error(ErrorKind::internal,
                "no model \"" + std::string(name_of(kind)) + "\" has " + std::to_string(parameters) + " parameters");
  return Classifier(kind, (parameters - rest) / an_input).start(seed);
}

/// Computes the arguments of the softmax from features_, in errors_.
void Classifier::forward(const float* model, std::size_t rows) {
  errors_.resize(rows * classes);
  const Eigen::Map<const Rows> in(features_.data(), n(rows), n(inputs_));
  Eigen::Map<Rows> out(errors_.data(), n(rows), n(classes));
  const float* last = model;
  if (kind_ == ModelKind::softmax) {
    out.noalias() = in * Eigen::Map<const Columns>(model, n(inputs_), n(classes));
    last += inputs_ * classes;
  } else {
    hidden_out_.resize(rows * hidden);
    Eigen::Map<Rows> between(hidden_out_.data(), n(rows), n(hidden));
    between.noalias() = in * Eigen::Map<const Columns>(model, n(inputs_), n(hidden));
    last += inputs_ * hidden;
    add_bias(hidden_out_, last, hidden);
    last += hidden;
    for (float& value : hidden_out_) value = value > 0 ? value : 0;
    out.noalias() = between * Eigen::Map<const Columns>(last, n(hidden), n(classes));
    last += hidden * classes;
  }
  add_bias(errors_, last, classes);
}

/// Turns the arguments of the softmax into probabilities, less 1 where the label is. @returns the summed loss
double Classifier::to_errors(std::span<const std::uint8_t> labels, std::size_t& right) {
  double loss = 0;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    float* row = errors_.data() + k * classes;
    const float* largest = std::max_element(row, row + classes);
    right += static_cast<std::size_t>(largest - row) == labels[k] ? 1 : 0;
    const double most = *largest, own = row[labels[k]];
    std::array<double, classes> powers{};
    double sum = 0;
    for (std::size_t c = 0; c < classes; ++c) sum += powers[c] = exp_of(row[c] - most);
    for (std::size_t c = 0; c < classes; ++c) row[c] = static_cast<float>(powers[c] / sum);
    row[labels[k]] -= 1;
    loss += log_of(sum) - (own - most);
  }
  return loss;
}

void Classifier::gradient(std::span<const float> model, const Dataset& data, std::span<const std::uint32_t> batch,
                          std::span<float> gradient) {
  const std::size_t rows = batch.size();
  features_.resize(rows * inputs_);
  data.features(data.train, batch, features_);
  std::vector<std::uint8_t> labels;
  for (const std::uint32_t one : batch) labels.push_back(data.train.labels[one]);
  forward(model.data(), rows);
  std::size_t right = 0;
  to_errors(labels, right);
  const auto count = static_cast<float>(rows);
  for (float& error : errors_) error /= count;

  const Eigen::Map<const Rows> in(features_.data(), n(rows), n(inputs_)), errors(errors_.data(), n(rows), n(classes));
  float* const out = gradient.data();
  if (kind_ == ModelKind::softmax) {
    Eigen::Map<Columns>(out, n(inputs_), n(classes)).noalias() = in.transpose() * errors;
    return sum_columns(errors_, out + inputs_ * classes, classes);
  }
  const std::size_t bias = inputs_ * hidden, second = bias + hidden;
  const Eigen::Map<const Rows> between(hidden_out_.data(), n(rows), n(hidden));
  Eigen::Map<Columns>(out + second, n(hidden), n(classes)).noalias() = between.transpose() * errors;
  sum_columns(errors_, out + second + hidden * classes, classes);
  hidden_error_.resize(rows * hidden);
  Eigen::Map<Rows> back(hidden_error_.data(), n(rows), n(hidden));
  back.noalias() = errors * Eigen::Map<const Columns>(model.data() + second, n(hidden), n(classes)).transpose();
  for (std::size_t i = 0; i < hidden_error_.size(); ++i)
    if (hidden_out_[i] <= 0) hidden_error_[i] = 0;
  Eigen::Map<Columns>(out, n(inputs_), n(hidden)).noalias() = in.transpose() * back;
  sum_columns(hidden_error_, out + bias, hidden);
}

Score Classifier::score(std::span<const float> model, const Dataset& data) {
  constexpr std::size_t together = 500;  // pictures, so that they stay in the cache
  double loss = 0;
  std::size_t right = 0;
  const std::size_t all = data.test.count();
  for (std::size_t first = 0; first < all; first += together) {
    const std::size_t rows = std::min(together, all - first);
    std::vector<std::uint32_t> which(rows);
    for (std::size_t k = 0; k < rows; ++k) which[k] = static_cast<std::uint32_t>(first + k);
    features_.resize(rows * inputs_);
    data.features(data.test, which, features_);
    forward(model.data(), rows);
    loss += to_errors(std::span(data.test.labels).subspan(first, rows), right);
  }
  return {loss / static_cast<double>(all), static_cast<double>(right) / static_cast<double>(all)};
}

}  // namespace ocs
