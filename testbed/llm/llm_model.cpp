// One line a model.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/llm/llm_model.hpp"

namespace ocs {
namespace {

constexpr std::string_view gpt3 = "arXiv:2005.14165, table 2.1", llama2 = "arXiv:2307.09288; config.json of the model",
                           llama3 = "arXiv:2407.21783, table 3", mixtral = "arXiv:2401.04088, table 1";

constexpr LlmModel models[] = {
    {"gpt3_6_7b", 32, 4096, 32, 32, 16384, 50257, 2048, true, 1, 1, gpt3},
    {"gpt3_175b", 96, 12288, 96, 96, 49152, 50257, 2048, true, 1, 1, gpt3},
    {"llama2_7b", 32, 4096, 32, 32, 11008, 32000, 0, false, 1, 1, llama2},
    {"llama2_13b", 40, 5120, 40, 40, 13824, 32000, 0, false, 1, 1, llama2},
    {"llama2_70b", 80, 8192, 64, 8, 28672, 32000, 0, false, 1, 1, llama2},
    {"llama3_8b", 32, 4096, 32, 8, 14336, 128256, 0, false, 1, 1, llama3},
    {"llama3_70b", 80, 8192, 64, 8, 28672, 128256, 0, false, 1, 1, llama3},
    {"llama3_405b", 126, 16384, 128, 8, 53248, 128256, 0, false, 1, 1, llama3},
    {"mixtral_8x7b", 32, 4096, 32, 8, 14336, 32000, 0, false, 8, 2, mixtral},
    {"mixtral_8x22b", 56, 6144, 48, 8, 16384, 32000, 0, false, 8, 2, "config.json of the model"},
};

}  // namespace

std::int64_t LlmModel::attention_weights() const {
  return 2 * hidden * hidden + 2 * hidden * (hidden / heads) * kv_heads;
}

std::int64_t LlmModel::expert_weights() const { return (gpt() ? 2 : 3) * hidden * ffn; }

std::int64_t LlmModel::dense_parameters() const {
  const std::int64_t norms = gpt() ? 4 * hidden : 2 * hidden;
  const std::int64_t biases = gpt() ? 4 * hidden + ffn + hidden : 0;
  return attention_weights() + norms + biases + (experts > 1 ? experts * hidden : expert_weights());
}

std::int64_t LlmModel::expert_parameters() const { return experts > 1 ? experts * expert_weights() : 0; }

std::int64_t LlmModel::embedding_parameters() const { return (vocabulary + positions) * hidden; }

std::int64_t LlmModel::head_parameters() const { return (gpt() ? 2 : 1) * hidden + (tied ? 0 : vocabulary * hidden); }

std::int64_t LlmModel::parameters() const {
  return layers * (dense_parameters() + expert_parameters()) + embedding_parameters() + head_parameters();
}

std::span<const LlmModel> llm_models() { return models; }

}  // namespace ocs
