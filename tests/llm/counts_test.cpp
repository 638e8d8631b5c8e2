// Parameters and operations of models, against what is published.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "host/core/catalogue.hpp"
#include "host/core/error.hpp"
#include "testbed/llm/llm_workload.hpp"
#include "tests/common/refusal.hpp"

namespace ocs::test {
namespace {

/// Exact where the tensors of the released model have been counted; GPT-3: arXiv:2005.14165, table D.1, in millions.
TEST(LlmModels, HaveTheirPublishedParameters) {
  const std::map<std::string, std::int64_t> released = {
      {"llama2_7b", 6'738'415'616},     {"llama2_13b", 13'015'864'320},    {"llama2_70b", 68'976'648'192},
      {"llama3_8b", 8'030'261'248},     {"llama3_70b", 70'553'706'496},    {"llama3_405b", 405'853'388'800},
      {"mixtral_8x7b", 46'702'792'704}, {"mixtral_8x22b", 140'620'634'112}};
  const std::map<std::string, std::int64_t> millions = {{"gpt3_6_7b", 6'658}, {"gpt3_175b", 174'600}};
  for (const LlmModel& model : llm_models()) {
    const std::string name(model.name);
    if (const auto exact = released.find(name); exact != released.end()) {
      EXPECT_EQ(model.parameters(), exact->second) << name;
    } else {
      EXPECT_NEAR(static_cast<double>(model.parameters()) / 1e6, static_cast<double>(millions.at(name)), 5) << name;
    }
    EXPECT_EQ(llm_table(model, "x").total.n, 2 * model.parameters()) << name;
  }
  EXPECT_EQ(llm_models().size(), released.size() + millions.size());
}

/// Narayanan et al., arXiv:2104.04473, section 5.1, without recomputation: 72 B s l h^2 (1 + s / 6h + V / 12 l h).
TEST(LlmModels, OfGptHaveTheOperationsOfMegatronsFormula) {
  for (const char* name : {"gpt3_6_7b", "gpt3_175b"}) {
    const LlmModel& model = find(llm_models(), name, "model");
    const std::int64_t s = 2048, h = model.hidden, l = model.layers;
    const TokenOperations per = token_operations(model, s);
    EXPECT_EQ(3 * (l * (per.attention + per.expert) + per.head),
              72 * l * h * h + 12 * s * l * h + 6 * h * model.vocabulary);
  }
}

/// arXiv:2005.14165, table D.1: 3.14e23 operations for 300e9 tokens, 6 for each parameter; ours add the scores of
/// attention, which that table leaves out.
TEST(LlmModels, OfGpt3TrainWithThePublishedOperations) {
  const LlmModel& model = find(llm_models(), "gpt3_175b", "model");
  const TokenOperations per = token_operations(model, 2048);
  const std::int64_t scores = 4 * 2048 * model.hidden;
  const double training =
      3.0 * static_cast<double>(model.layers * (per.attention - scores + per.expert) + per.head) * 300e9;
  EXPECT_NEAR(training, 3.14e23, 0.005 * 3.14e23);
}

TEST(LlmSettings, ReadWhatTheyAreGiven) {
  const LlmSettings one = parse_llm("llm:llama2_70b?dp=4,tp=8,pp=4,ep=1&batch=4&seq=4096");
  EXPECT_EQ(one.dp * 1000 + one.tp * 100 + one.pp * 10 + one.ep, 4841);
  EXPECT_EQ(one.microbatches(), 4);
  EXPECT_EQ(one.nodes(), 16);
  EXPECT_EQ(parse_llm("llm:llama2_70b?dp=4,tp=8,pp=4,inside=none").nodes(), 128);
  EXPECT_EQ(parse_llm("llm:llama2_70b?dp=4,tp=8,pp=4,inside=tp-pp").nodes(), 4);
  EXPECT_EQ(parse_llm("llm:llama2_70b?dp=4,mfu=0.45,tflops=989.5").mfu_milli, 450);
}

TEST(LlmSettings, RefuseWhatDoesNotFitTogether) {
  const auto complaint = [](const char* options) {
    return refusal([&] { parse_llm(std::string("llm:llama2_70b?") + options); });
  };
  EXPECT_EQ(complaint("dp=4,pp=3"), "must have pp that divides the 80 layers, not 3");
  EXPECT_EQ(complaint("dp=4,tp=5"), "must have tp that divides the 64 attention heads, not 5");
  EXPECT_EQ(complaint("dp=4,ep=2"), "must have ep=1: llama2_70b has no experts");
  EXPECT_EQ(complaint("dp=4,gini=0.2"), "must have gini=0: llama2_70b has no experts");
  EXPECT_EQ(complaint("dp=4,batch=3,micro=2"), "must have micro that divides the 3 sequences of batch, not 2");
  EXPECT_EQ(complaint("tp=8"), "must have 2 nodes or more, but dp, tp and pp leave 1 outside of nodes (option inside)");
  EXPECT_EQ(complaint("dp=0"), "must have dp from 1 to 65536, not \"0\"");
  EXPECT_EQ(complaint("dp=4,dp=4"), "must have dp once");
  EXPECT_EQ(complaint("dp"), "must have options NAME=VALUE after \"?\", not \"dp\"");
  EXPECT_EQ(complaint("dp=4,order=tp-dp"), "must have order as each of tp, dp and pp once, such as tp-dp-pp");
  EXPECT_EQ(complaint("dp=4,inside=ep"), "must have inside of tp, dp and pp, joined by -, not \"ep\"");
  EXPECT_EQ(complaint("dp=4,micro=4096,batch=4096,seq=8192"),
            "must have at most 16777216 tokens in a microbatch (micro times seq), not 33554432");
  EXPECT_NE(complaint("dp=4,mfu=1.5").find("must have mfu as a number"), std::string::npos);
  EXPECT_NE(complaint("cp=4").find("unknown option of llm: \"cp\"; known: dp, tp"), std::string::npos);
  EXPECT_NE(refusal([] { parse_llm("llm:bloom"); }).find("unknown language model \"bloom\"; known: gpt3_6_7b"),
            std::string::npos);
}

TEST(LlmSettings, ReadTheTimesOfStages) {
  const auto times = parse_stage_times("stage,forward_ps,backward_ps\n0,10,20\n1,30,40\n", "t.csv", 2);
  EXPECT_EQ(times.at(1).backward.n, 40);
  const auto complaint = [](const char* text) { return refusal([&] { parse_stage_times(text, "t.csv", 1); }); };
  EXPECT_EQ(complaint("stage\n"), "t.csv:1: the first line is \"stage\", but must be \"stage,forward_ps,backward_ps\"");
  EXPECT_EQ(complaint("stage,forward_ps,backward_ps\n1,2,3\n"),
            "t.csv:2: the line is \"1,2,3\", but must be the times of stage 0: stage,forward_ps,backward_ps");
  EXPECT_EQ(complaint("stage,forward_ps,backward_ps\n0,0,3\n"),
            "t.csv:2: forward_ps is \"0\", but must be a whole number of picoseconds from 1 to 10^15");
  EXPECT_EQ(complaint("stage,forward_ps,backward_ps\n"),
            "t.csv has times of 0 stages, but must have those of 1, which is pp");
}

}  // namespace
}  // namespace ocs::test
