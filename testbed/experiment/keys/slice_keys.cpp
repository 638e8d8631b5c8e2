// "none" or a size; what goes with overlap.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/keys/slice_keys.hpp"

#include "host/core/error.hpp"
#include "host/scheduler/catalogue.hpp"
#include "testbed/experiment/keys/sync_keys.hpp"
#include "testbed/experiment/point_scheduler.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/nodes/node_job.hpp"
#include "testbed/sync/catalogue.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

constexpr std::int64_t largest_slice = 1'000'000'000'000;

}  // namespace

Bytes parse_slice(std::string_view text) {
  if (text == "none") return {};
  std::int64_t bytes = 0;
  try {
    bytes = parse_quantity(text, Dimension::size);
  } catch (const Error& error) {
    throw Error(ErrorKind::input, std::string(error.what()) + ", or \"none\"");
  }
  if (bytes < 1 || bytes > largest_slice)
    throw Error(ErrorKind::input, "must be from 1 B to " + to_text(largest_slice, Dimension::size) + ", or \"none\"");
  return {bytes};
}

void read_backward(std::string_view text, OverlapRule& rule) {
  const auto [num, den] = parse_fraction(text);
  if (num > den || den > 1000)
    throw Error(ErrorKind::input, "must be a fraction from 0 to 1 with a denominator of at most 1000");
  rule.backward_num = num;
  rule.backward_den = den;
}

std::string overlap_text(const OverlapRule& rule) {
  if (!rule.wait_free) return "none";
  return "wait_free_backprop backward=" + std::to_string(rule.backward_num) + "/" + std::to_string(rule.backward_den);
}

void check_overlap(const Point& point, const Origins& origins) {
  const JobSettings& job = point.job;
  const ComputeStart compute = scheme_of(job).compute;
  const std::string begin =
      "job.overlap is \"wait_free_backprop\", but must be \"none\" with job.sync " + in_quotes(job.sync) + ": ";
  if (job.overlap.wait_free && compute == ComputeStart::after_last_pull)
    refuse(origin_of(origins, {"job.overlap", "job.sync"}),
           begin + "its pushes are one coflow, which begins when all have computed; \"bsp\" has no such phases");
  if (job.overlap.wait_free && compute == ComputeStart::local_steps)
    refuse(origin_of(origins, {"job.overlap", "job.sync"}), begin + "a push is the sum of several local steps");
  if (!job.overlap.by_layer) return;
  const std::string scheduler = scheduler_name(point, find(policies(), point.policy, "policy"));
  if (!is_eager(job))
    refuse(origin_of(origins, {"job.priorities", "job.sync"}),
           "job.priorities is \"layer\", but must be \"none\" with job.sync " + in_quotes(job.sync) +
               ": its pushes are one coflow");
  if (!plans_priorities(scheduler))
    refuse(origin_of(origins, {"job.priorities", "scheduler", "policy"}),
           "job.priorities is \"layer\", but must be \"none\" with scheduler " + in_quotes(scheduler) + ": only " +
               priority_schedulers() + " know priorities");
}

void check_slices(const Point& point, const Origins& origins) {
  const SliceRule& rule = point.job.slicing;
  const auto text = [](Bytes bytes) { return to_text(bytes.n, Dimension::size); };
  if (rule.slice.n > 0 && rule.slice < point.fabric.word)
    refuse(
        origin_of(origins, {"job.slice", "fabric.word"}),
        "job.slice is " + text(rule.slice) + ", but must be at least fabric.word, which is " + text(point.fabric.word));
  if (rule.slice.n > 0 && rule.fusion > rule.slice)
    refuse(origin_of(origins, {"job.fusion", "job.slice"}),
           "job.fusion is " + text(rule.fusion) + ", but must be at most job.slice, which is " + text(rule.slice));
  if (rule == SliceRule{}) return;
  std::int64_t slices = 0;
  std::vector<Bytes> blocks;
  for (const Block& block : job_blocks(point.job, point.policy)) blocks.push_back(block.size);
  slices = static_cast<std::int64_t>(slices_of(blocks, rule, point.fabric.word.n).size());
  if (slices > NodeJob::most_slices)
    refuse(origin_of(origins, {"job.slice", "job.fusion", "job.workload"}),
           "job.slice is " + (rule.slice.n == 0 ? "\"none\"" : text(rule.slice)) + " and job.fusion " +
               (rule.fusion.n == 0 ? "\"none\"" : text(rule.fusion)) + ", but must make at most " +
               std::to_string(NodeJob::most_slices) + " slices of the model; they make " + std::to_string(slices));
}

}  // namespace ocs
