// Settings of real learning.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/keys/learning_keys.hpp"

#include <algorithm>
#include <tuple>

#include "host/core/error.hpp"
#include "testbed/collectives/collective.hpp"
#include "testbed/experiment/keys/phased_keys.hpp"
#include "testbed/experiment/keys/sync_keys.hpp"
#include "testbed/sync/catalogue.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

bool is_of(const Workload& workload, ModelKind kind) {
  const auto tensors = Classifier(kind, 784).tensors();
  return std::equal(workload.tensors.begin(), workload.tensors.end(), tensors.begin(), tensors.end(),
                    [](const Tensor& a, std::size_t b) { return static_cast<std::size_t>(a.elements) == b; });
}

}  // namespace

void parse_rate(std::string_view text, LearningJob& job) {
  std::tie(job.rate_num, job.rate_den) = parse_fraction(text);
  if (job.rate_num == 0 || job.rate_num > std::uint64_t{1000} * job.rate_den)
    throw Error(ErrorKind::input, "must be above 0, and at most 1000");
}

void parse_target(std::string_view text, JobSettings& job) {
  std::tie(job.target_num, job.target_den) = parse_fraction(text);
  if (job.target_num == 0 || job.target_num > job.target_den)
    throw Error(ErrorKind::input, "must be above 0, and at most 1: a share of the test pictures");
}

std::string learning_text(const JobSettings& job) {
  using std::to_string;
  if (!job.real_gradients) return {};
  const LearningJob& learning = job.learning;
  const bool servers = job.collective == "none" && job.peers == "none";
  const std::uint32_t of_scheme = servers ? first_batch(scheme_of(job), job.sync_settings) : 0;
  const std::uint32_t batch = of_scheme > 0 ? of_scheme : learning.batch;
  return "model=" + std::string(name_of(learning.model)) + " shards=" + std::string(name_of(learning.shards)) +
         " rate=" + to_string(learning.rate_num) + "/" + to_string(learning.rate_den) + " batch=" + to_string(batch) +
         " every=" + to_string(learning.spacing(static_cast<std::size_t>(job.workers))) +
         " target=" + to_string(job.target_num) + "/" + to_string(job.target_den);
}

void fit_learning(JobSettings& job, const Origins& origins) {
  if (!job.real_gradients) return;
  const auto must = [&](bool holds, const char* key, const std::string& what, const char* right, const char* why) {
    if (!holds)
      throw Error(ErrorKind::input, origin_of(origins, {key, "compute.gradients"}) + ": " + key + " is " + what +
                                        ", but must be " + right + " with compute.gradients \"real\": " + why);
  };
  must(!names_trace(job.workload_name) && !names_phases(job.workload_name), "job.workload",
       in_quotes(job.workload_name), "a table of tensors", "coflows and phases have no gradients");
  must(job.collective == "none" || job.collective == name_of(CollectiveKind::all_reduce), "job.collective",
       in_quotes(job.collective), "\"all_reduce\" or \"none\"",
       "no other collective gives every worker the sum of all gradients");
  must(job.payload == "full", "job.payload", in_quotes(job.payload), "\"full\"", "gradients are the payload");
  const bool softmax = is_of(*job.workload, ModelKind::softmax);
  must(softmax || is_of(*job.workload, ModelKind::mlp), "job.workload", in_quotes(job.workload_name),
       "\"softmax\" or \"mlp\"", "only these models learn");
  job.learning.model = softmax ? ModelKind::softmax : ModelKind::mlp;
}

}  // namespace ocs
