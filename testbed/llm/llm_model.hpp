// Large language models by their shapes: parameters and operations of their parts (docs/llm.md).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ocs {

/// A decoder of equal layers.
struct LlmModel {
  std::string_view name;
  std::int64_t layers, hidden, heads, kv_heads, ffn, vocabulary;
  std::int64_t positions;  ///< learned positions, as in GPT, whose linear maps have biases; 0: rotary, as in Llama
  bool tied;               ///< the output projection is the embedding
  std::int64_t experts = 1, top_k = 1;
  std::string_view source;

  bool gpt() const { return positions > 0; }
  std::int64_t attention_weights() const;  ///< of one layer, without biases
  std::int64_t expert_weights() const;     ///< of one expert, or of the feed-forward part, without biases
  std::int64_t dense_parameters() const;   ///< of one layer without its experts; of a model without experts all
  std::int64_t expert_parameters() const;  ///< of all experts of one layer; 0 without experts
  std::int64_t embedding_parameters() const;
  std::int64_t head_parameters() const;  ///< the last normalisation, and the output projection unless it is tied
  std::int64_t parameters() const;
};

std::span<const LlmModel> llm_models();

}  // namespace ocs
