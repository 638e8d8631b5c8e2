// The coordinator keeps the time contract, and says who breaks it.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/nodes/fake_network.hpp"
#include "tests/nodes/odd_transports.hpp"
#include "tests/nodes/small_job.hpp"

namespace ocs {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// Changes what one node answers.
class OddLogic : public NodeLogic {
 public:
  using Answer = std::function<Picos(NodeLogic&, std::span<const Message>, Picos, std::vector<Message>&)>;
  OddLogic(std::unique_ptr<NodeLogic> inner, Answer answer) : inner_(std::move(inner)), answer_(std::move(answer)) {}
  Picos on(std::span<const Message> batch, Picos now, std::vector<Message>& out) override {
    return answer_(*inner_, batch, now, out);
  }

 private:
  std::unique_ptr<NodeLogic> inner_;
  Answer answer_;
};

JobHooks odd_node(Node odd, OddLogic::Answer answer) {
  JobHooks hooks;
  hooks.logic = [=](std::unique_ptr<NodeLogic> logic, Node node) -> std::unique_ptr<NodeLogic> {
    if (node != odd) return logic;
    return std::make_unique<OddLogic>(std::move(logic), answer);
  };
  return hooks;
}

std::string time_contract_error_of(const JobSpec& spec, const JobHooks& hooks,
                                   std::size_t deliveries = ~std::size_t{0}) {
  FakeNetwork network(spec.word_bytes);
  network.stop_after(deliveries);
  try {
    run_job(spec, network, nullptr, hooks);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(TimeContract, WakesANodeWhenItPromisedToAct) {
  const JobSpec spec = small_job(3, 2);
  FakeNetwork network(spec.word_bytes), same(spec.word_bytes);
  const JobResult plain = run_job(spec, network);
  std::vector<Message> kept;
  std::vector<std::int64_t> woken;
  // Node 3 doesn't say in advance what it will send after computing; it promises to say it then.
  const JobHooks hooks = odd_node(Node{3}, [&](NodeLogic& inner, auto batch, Picos now, std::vector<Message>& out) {
    if (kind_of(batch.front()) == MessageKind::tick) {
      woken.push_back(now.n);
      out = std::move(kept);
      return never<Picos>;
    }
    inner.on(batch, now, out);
    if (kind_of(batch.front()) != MessageKind::compute) return never<Picos>;
    kept = std::exchange(out, {});
    return now + spec.compute;
  });
  const JobResult result = run_job(spec, same, nullptr, hooks);
  ASSERT_EQ(result.iterations.size(), 2u);
  for (std::size_t k = 0; k < 2; ++k) EXPECT_EQ(result.iterations[k].sync_end, plain.iterations[k].sync_end);
  EXPECT_EQ(woken, (std::vector{plain.iterations[0].sync_start.n, plain.iterations[1].sync_start.n}));
  EXPECT_EQ(result.crc_errors + result.sum_errors, 0);
}

TEST(TimeContract, AsksOnlyTheNodesConcernedAndEachOnce) {
  const JobSpec spec = small_job(3, 2);
  FakeNetwork network(spec.word_bytes);
  const JobResult result = run_job(spec, network);
  const std::int64_t compute = 3, release = 2, delivered = 6 + 6, each_iteration = compute + release + delivered;
  EXPECT_EQ(result.messages, 2 * (2 * each_iteration + 5) + 5);  // a batch and an answer; finish and done; stop
}

TEST(TimeContract, NamesEverybodyInADeadlock) {
  const std::string text = time_contract_error_of(small_job(3, 2), {}, 4);
  EXPECT_THAT(text, AllOf(HasSubstr("deadlock"), HasSubstr("node 0: server has"), HasSubstr("node 1: server has"),
                          HasSubstr("of 3 pushes of iteration 0"), HasSubstr("node 2: worker"),
                          HasSubstr("node 4: worker"), HasSubstr("not delivered: push of worker 4 to server")));
}

TEST(TimeContract, NamesWhoWaitsWhenANodeForgetsToSpeak) {
  const auto text =
      time_contract_error_of(small_job(3, 2), odd_node(Node{1}, [](NodeLogic& inner, auto batch, Picos now, auto& out) {
                               inner.on(batch, now, out);
                               out.clear();
                               return never<Picos>;
                             }));
  EXPECT_THAT(text, AllOf(HasSubstr("deadlock"), HasSubstr("node 1: server has 0 of 3 pushes of iteration 0"),
                          HasSubstr("node 2: worker computes or pushes in iteration 0, 1 of 2 servers have its push")));
}

TEST(TimeContract, EndsARingOfMessagesAtOneTime) {
  const auto text = time_contract_error_of(small_job(3, 2),
                                           odd_node(Node{3}, [](NodeLogic&, auto, Picos now, auto&) { return now; }));
  EXPECT_THAT(text, AllOf(HasSubstr("more than 10000 rounds at 0 ps"), HasSubstr("the coordinator to node 3: tick"),
                          HasSubstr("node 3 to the coordinator: ack")));
}

TEST(TimeContract, NamesWhoOwesAPromise) {
  JobSpec spec = small_job(3, 2);
  spec.timeout = std::chrono::milliseconds{250};
  JobHooks hooks;
  hooks.transport = [](std::unique_ptr<Transport> inner, std::uint16_t participant) -> std::unique_ptr<Transport> {
    if (participant != 3) return inner;
    return std::make_unique<MeddlingTransport>(
        std::move(inner), [](Message& message) { return kind_of(message) != MessageKind::offers; });
  };
  EXPECT_EQ(time_contract_error_of(spec, hooks), "a promise is owed by node 3 at 0 ps after 250 ms (nodes.timeout)");
}

TEST(TimeContract, EndsTheRunWhenANodeThrows) {
  const auto throwing = [](auto exception) {
    return odd_node(Node{2}, [exception](NodeLogic& inner, auto batch, Picos now, auto& out) -> Picos {
      if (kind_of(batch.front()) == MessageKind::delivered) throw exception;
      return inner.on(batch, now, out);
    });
  };
  EXPECT_EQ(time_contract_error_of(small_job(3, 2), throwing(std::runtime_error("out of paper"))),
            "node 2 failed: out of paper");
  EXPECT_EQ(time_contract_error_of(small_job(3, 2), throwing(Error(ErrorKind::run, "no ink"))),
            "node 2 failed: no ink");
  EXPECT_THAT(time_contract_error_of(small_job(3, 2), throwing(5)), HasSubstr("node 2 failed: something"));
}

TEST(TimeContract, RefusesAPromiseAndAStampThatArePast) {
  const auto late = [](bool promise) {
    return odd_node(Node{3}, [promise](NodeLogic& inner, auto batch, Picos now, std::vector<Message>& out) {
      inner.on(batch, now, out);
      if (now.n == 0) return never<Picos>;
      if (promise) return now - Picos{1};
      out.push_back(make_message(coordinator_id, now - Picos{1}, PulledFields{0}));
      return never<Picos>;
    });
  };
  EXPECT_THAT(time_contract_error_of(small_job(3, 2), late(true)), HasSubstr("node 3 promised to act at"));
  EXPECT_THAT(time_contract_error_of(small_job(3, 2), late(false)), HasSubstr("node 3 stamped \"pulled\""));
}

TEST(TimeContract, RefusesTalkOfTransfersThatTheJobHasNot) {
  const auto saying = [](auto fields) {
    return time_contract_error_of(small_job(3, 2),
                                  odd_node(Node{3}, [fields](NodeLogic&, auto, Picos now, std::vector<Message>& out) {
                                    out.push_back(make_message(coordinator_id, now, fields));
                                    return never<Picos>;
                                  }));
  };
  const TransferKey late{2, TransferPhase::push, Node{3}, Node{0}}, nobody{0, TransferPhase::push, Node{9}, Node{0}},
      nowhere{0, TransferPhase::push, Node{3}, Node{4}};
  EXPECT_THAT(saying(OffersFields{{{late, Words{1}}}}), HasSubstr("node 3 spoke of a transfer that the job hasn't"));
  EXPECT_THAT(saying(OffersFields{{{nobody, Words{1}}}}), HasSubstr("push of worker 9 to server 0"));
  EXPECT_THAT(saying(PushedFields{nowhere}), HasSubstr("push of worker 3 to server 4"));
  EXPECT_THAT(saying(PulledFields{7}), HasSubstr("iteration 7"));
  EXPECT_THAT(saying(MissingFields{late, Words{1}, {{Words{0}, Words{1}}}}), HasSubstr("iteration 2"));
  EXPECT_THAT(saying(ComputeFields{0}), HasSubstr("said \"compute\" to the coordinator"));
}

TEST(TimeContract, RefusesANodeThatSpeaksWithoutBeingAsked) {
  JobHooks hooks;
  // Sent twice by the node, the second could come after the coordinator's next question and pass for its answer.
  hooks.transport = [](std::unique_ptr<Transport> inner, std::uint16_t participant) -> std::unique_ptr<Transport> {
    if (participant != coordinator_id) return inner;
    return std::make_unique<RepeatingTransport>(std::move(inner), [](const Message& message) {
      return message.header.from == 3 && kind_of(message) == MessageKind::offers;
    });
  };
  EXPECT_THAT(time_contract_error_of(small_job(3, 2), hooks), HasSubstr("node 3 said \"offers\" without being asked"));
}

TEST(TimeContract, RefusesAnAnswerToOtherMessagesThanWereSent) {
  JobHooks hooks;
  hooks.transport = [](std::unique_ptr<Transport> inner, std::uint16_t participant) -> std::unique_ptr<Transport> {
    if (participant != coordinator_id) return inner;
    Transport* raw = inner.get();
    return std::make_unique<MeddlingTransport>(std::move(inner), [raw](Message& message) {
      Message twin = message;
      twin.header.flags = 0;
      if (message.header.to == 3 && kind_of(message) == MessageKind::compute) raw->send(twin);
      return true;
    });
  };
  EXPECT_THAT(time_contract_error_of(small_job(3, 2), hooks),
              HasSubstr("node 3 answered when it had seen 2 of 1 messages"));
}

TEST(TimeContract, RefusesTheNetworksWordOnATransferThatNobodyWaitsFor) {
  struct Wrong : FakeNetwork {
    using FakeNetwork::FakeNetwork;
    Picos advance(Picos limit, std::vector<Delivery>& append) override {
      const Picos at = FakeNetwork::advance(limit, append);
      for (Delivery& delivery : append) delivery.transfer = Id{4711};
      return at;
    }
  };
  const JobSpec spec = small_job(3, 2);
  Wrong network(spec.word_bytes);
  EXPECT_THROW(run_job(spec, network), Error);
}

}  // namespace
}  // namespace ocs
