// Four files, checked against each other.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/learning/dataset.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

#include "host/core/error.hpp"
#include "testbed/learning/idx.hpp"

namespace ocs {
namespace {

IdxArray read_file(const std::filesystem::path& file, std::size_t dimensions) {
  std::ifstream in(file, std::ios::binary);
  if (!in)
    throw Error(ErrorKind::input, "there is no \"" + file.string() +
                                      "\"; install the Debian package dataset-fashion-mnist (apt install "
                                      "dataset-fashion-mnist), or say in learning.data where its files are");
  const std::vector<char> text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  IdxArray array = read_idx(std::as_bytes(std::span(text)), file.string());
  if (array.shape.size() != dimensions)
    throw Error(ErrorKind::input, file.string() + ": it has " + std::to_string(array.shape.size()) +
                                      " dimensions, but must have " + std::to_string(dimensions));
  return array;
}

struct Read {
  Pictures pictures;
  std::size_t inputs;
};

Read read_pictures(const std::filesystem::path& folder, const std::string& name) {
  const auto image_file = folder / (name + "-images-idx3-ubyte.gz"),
             label_file = folder / (name + "-labels-idx1-ubyte.gz");
  IdxArray images = read_file(image_file, 3);
  IdxArray labels = read_file(label_file, 1);
  if (images.shape[0] != labels.shape[0])
    throw Error(ErrorKind::input, image_file.string() + ": it has " + std::to_string(images.shape[0]) +
                                      " pictures, but there are " + std::to_string(labels.shape[0]) + " labels");
  const std::uint8_t largest = *std::max_element(labels.values.begin(), labels.values.end());
  if (largest >= Dataset::classes)
    throw Error(ErrorKind::input, label_file.string() + ": it has a label " + std::to_string(largest) +
                                      ", but they must be 0 to " + std::to_string(Dataset::classes - 1));
  return {{std::move(images.values), std::move(labels.values)}, std::size_t{images.shape[1]} * images.shape[2]};
}

constexpr float white = 255;

}  // namespace

void Dataset::features(const Pictures& of, std::span<const std::uint32_t> which, std::span<float> out) const {
  for (std::size_t k = 0; k < which.size(); ++k) {
    const std::uint8_t* pixels = of.pixels.data() + which[k] * inputs;
    float* row = out.data() + k * inputs;
    for (std::size_t i = 0; i < inputs; ++i) row[i] = static_cast<float>(pixels[i]) / white - mean[i];
  }
}

Dataset load_dataset(const std::filesystem::path& folder) {
  Dataset data;
  auto train = read_pictures(folder, "train");
  auto test = read_pictures(folder, "t10k");
  if (train.inputs != test.inputs)
    throw Error(ErrorKind::input, folder.string() + ": pictures have " + std::to_string(train.inputs) +
                                      " pixels for training and " + std::to_string(test.inputs) +
                                      " for tests, but must have as many in both");
  data.inputs = train.inputs;
  data.train = std::move(train.pictures);
  data.test = std::move(test.pictures);
  std::vector<std::uint64_t> sums(data.inputs, 0);
  for (std::size_t k = 0; k < data.train.count(); ++k)
    for (std::size_t i = 0; i < data.inputs; ++i) sums[i] += data.train.pixels[k * data.inputs + i];
  for (const std::uint64_t sum : sums)
    data.mean.push_back(
        static_cast<float>(static_cast<double>(sum) / (255.0 * static_cast<double>(data.train.count()))));
  return data;
}

}  // namespace ocs
