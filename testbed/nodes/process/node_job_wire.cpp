// A NodeJob to bytes and back.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/nodes/process/node_job_wire.hpp"

#include <algorithm>
#include <string>

#include "host/transport/bytes.hpp"

namespace ocs {

template <class A, class T>
requires std::same_as<std::remove_const_t<T>, Served>
void visit(A& a, T& s) { a(s.node, s.words, s.bytes, s.slices, s.pieces); }
template <class A, class T>
requires std::same_as<std::remove_const_t<T>, Piece>
void visit(A& a, T& p) { a(p.at, p.first, p.count); }
template <class A, class T>
requires std::same_as<std::remove_const_t<T>, LearningJob>
void visit(A& a, T& l) { a(l.folder, l.model, l.shards, l.rate_num, l.rate_den, l.batch, l.every); }  // not `loaded`
template <class A, class T>
requires std::same_as<std::remove_const_t<T>, Slice>
void visit(A& a, T& s) { a(s.first, s.words, s.bytes, s.ahead, s.priority); }

namespace {

template <class A, class Job>
void layout(A& archive, Job& job) {
  // Fails to compile when NodeJob gets a member: it belongs here too, and in WireHeader::version.
  auto& [workers, servers, word_bytes, iterations, memory, payload, seed, chunk, control_latency, attempts, ahead_of,
         owner, learning] = job;
  archive(workers, servers, word_bytes, iterations, memory, payload, seed, chunk, control_latency, attempts, ahead_of,
          owner, learning);
}

void check(bool right, const std::string& field, std::int64_t value, const std::string& expected) {
  if (!right) throw Malformed("job: " + field + " is " + std::to_string(value) + "; it should be " + expected);
}

void check_range(const std::string& field, std::int64_t value, std::int64_t least, std::int64_t most) {
  check(value >= least && value <= most, field, value, std::to_string(least) + " to " + std::to_string(most));
}

void check_slices(const NodeJob& job, const Served& server) {
  Words covered;
  Bytes bytes;
  const std::int64_t most = job.ranks() ? NodeJob::most_blocks : NodeJob::most_slices;
  const std::int64_t least = job.ranks() ? 0 : 1;  // a block may be empty
  check_range("number of slices", static_cast<std::int64_t>(server.slices.size()), 1, most);
  for (const Slice& slice : server.slices) {
    check(slice.first == covered, "first word of a slice", slice.first.n, std::to_string(covered.n));
    check_range("words of a slice", slice.words.n, least, server.words.n - covered.n);
    check_range("bytes of a slice", slice.bytes.n, least, slice.words.n * job.word_bytes);
    check_range("ahead of a slice", slice.ahead, 0, job.ahead_of);
    covered += slice.words;
    bytes += slice.bytes;
  }
  check(covered == server.words, "words of the slices of a server", covered.n, std::to_string(server.words.n));
  check(bytes == server.bytes, "bytes of the slices of a server", bytes.n, std::to_string(server.bytes.n));
}

/// Where servers own keys by a map: each has all of them in its layout.
void check_owners(const NodeJob& job) {
  if (!job.by_keys()) return;
  for (const Served& server : job.servers) {
    check(server.slices.size() == job.owner.size(), "number of owners", static_cast<std::int64_t>(job.owner.size()),
          std::to_string(server.slices.size()) + ", the number of keys of every server");
    check(server.pieces == job.servers.front().pieces, "places of parameters of a server that owns keys",
          static_cast<std::int64_t>(server.pieces.size()), "those of every server");
  }
  for (const Node owner : job.owner) check(job.server_at(owner) != nullptr, "owner of a key", index(owner), "a server");
}

/// Real learning: each parameter lies at one place.
void check_learning(const NodeJob& job) {
  constexpr std::int64_t most_parameters = std::int64_t{1} << 26;
  std::vector<Piece> pieces;
  for (const Served& server : job.servers) {
    std::int64_t end = 0;
    for (const Piece& piece : server.pieces) {
      check_range("place of parameters", piece.at, end, server.words.n * job.word_bytes / 4);
      end = piece.at + piece.count;
      check_range("number of parameters at a place", piece.count, 1, server.words.n * job.word_bytes / 4 - piece.at);
      pieces.push_back(piece);
    }
    if (job.peers() || job.by_keys()) break;  // each has all of them
  }
  std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.first < b.first; });
  std::int64_t next = 0;
  for (const Piece& piece : pieces) {
    check(piece.first == next, "first parameter at a place", piece.first, std::to_string(next));
    next += piece.count;
    check_range("number of parameters", next, 1, most_parameters);
  }
  check(job.learning.has_value() == !pieces.empty(), "places of parameters", static_cast<std::int64_t>(pieces.size()),
        job.learning ? "1 or more in real learning" : "0 without real learning");
  if (!job.learning) return;
  const LearningJob& learning = *job.learning;
  check_range("model", static_cast<std::int64_t>(learning.model), 0, static_cast<std::int64_t>(ModelKind::mlp));
  check_range("kind of shards", static_cast<std::int64_t>(learning.shards), 0,
              static_cast<std::int64_t>(ShardKind::sorted));
  check_range("rate's numerator", learning.rate_num, 1, 1'000'000'000);
  check_range("rate's denominator", learning.rate_den, 1, 1'000'000'000);
  check_range("batch", learning.batch, 1, 1'000'000);
  check(job.payload == PayloadMode::full, "payload mode of real learning", static_cast<std::int64_t>(job.payload), "0");
  check(job.memory != ServerMemory::sums, "memory of servers in real learning", static_cast<std::int64_t>(job.memory),
        "1, 2 or 3");
}

/// Every worker has a model, the same size as the others'.
void check_peers(const NodeJob& job) {
  if (!job.peers()) return;
  check(job.servers.size() == job.workers.size(), "number of servers", static_cast<std::int64_t>(job.servers.size()),
        std::to_string(job.workers.size()) + ", the number of peers");
  check(!job.by_keys(), "number of owners", static_cast<std::int64_t>(job.owner.size()), "0 among peers");
  for (const Served& peer : job.servers) {
    check(job.worker_index(peer.node) >= 0, "a server", index(peer.node), "a worker, which all peers are");
    check(peer.slices.size() == 1, "number of slices", static_cast<std::int64_t>(peer.slices.size()), "1 among peers");
    check(peer.words == job.servers.front().words, "words of a server", peer.words.n,
          std::to_string(job.servers.front().words.n) + ", as every peer's");
    const bool one_piece = peer.pieces.size() == 1 && peer.pieces.front().at == 0;
    check(peer.pieces == job.servers.front().pieces && (peer.pieces.empty() || one_piece),
          "a peer's places of parameters", static_cast<std::int64_t>(peer.pieces.size()),
          "the same one for all, at 0, or none");
  }
}

/// Every worker is a rank, and one layout is that of all.
void check_ranks(const NodeJob& job) {
  if (!job.ranks()) return;
  check(job.servers.size() == 1, "number of servers", static_cast<std::int64_t>(job.servers.size()),
        "1, the layout of all ranks");
  check(job.worker_index(job.servers.front().node) >= 0, "a server", index(job.servers.front().node),
        "a worker, which all ranks are");
  check(!job.by_keys(), "number of owners", static_cast<std::int64_t>(job.owner.size()), "0 in a collective");
  const std::vector<Piece>& pieces = job.servers.front().pieces;
  const bool one_piece = pieces.size() == 1 && pieces.front().at == 0;
  check(pieces.empty() || one_piece, "number of places of parameters", static_cast<std::int64_t>(pieces.size()),
        "1, at 0, or 0 in a collective");
}

/// Every sender and every receiver is a worker.
void check_coflows(const NodeJob& job) {
  if (!job.coflows()) return;
  check(job.servers.empty(), "number of servers", static_cast<std::int64_t>(job.servers.size()), "0 for coflows");
  check(!job.learning, "real learning", 1, "left out for coflows");
}

void check(const NodeJob& job) {
  constexpr auto largest = static_cast<std::int64_t>(max_payload_bytes);
  constexpr std::int64_t most_bytes = std::int64_t{1} << 46;  // of one server; sums of a job stay far from overflow
  check_range("number of workers", static_cast<std::int64_t>(job.workers.size()), 1, max_ports);
  check_range("number of servers", static_cast<std::int64_t>(job.servers.size()), job.coflows() ? 0 : 1, max_ports);
  for (std::size_t i = 0; i < job.workers.size(); ++i)
    check_range("worker", index(job.workers[i]), i == 0 ? 0 : index(job.workers[i - 1]) + 1, max_ports - 1);
  check_range("word size in bytes", job.word_bytes, 1, largest);
  check_range("parts of the computing time", job.ahead_of, 1, never<Picos>.n);
  for (std::size_t i = 0; i < job.servers.size(); ++i) {
    const Served& server = job.servers[i];
    check_range("server", index(server.node), i == 0 ? 0 : index(job.servers[i - 1].node) + 1, max_ports - 1);
    check_range("words of a server", server.words.n, 1, most_bytes / job.word_bytes);
    check_range("bytes of a server", server.bytes.n, 1, server.words.n * job.word_bytes);
    check_slices(job, server);
  }
  check_range("number of iterations", job.iterations, 1, 1'000'000);
  check_range("memory of servers", static_cast<std::int64_t>(job.memory), 0,
              static_cast<std::int64_t>(ServerMemory::coflows));
  check_range("payload mode", static_cast<std::int64_t>(job.payload), 0, static_cast<std::int64_t>(PayloadMode::none));
  check(job.payload == PayloadMode::none || job.word_bytes % 4 == 0, "word size in bytes", job.word_bytes,
        "a multiple of 4");
  check_range("control latency in ps", job.control_latency.n, 0, never<Picos>.n / 1'000'000 / 4);
  check_range("number of attempts", job.attempts, 1, 1'000'000);
  const bool bytes = !job.coflows() || job.payload == PayloadMode::full;
  check_range("chunk in words", job.chunk.n, 1, bytes ? largest / job.word_bytes : NodeJob::most_digest_words);
  check_owners(job);
  check_learning(job);
  check_peers(job);
  check_ranks(job);
  check_coflows(job);
}

}  // namespace

std::vector<std::byte> encode(const NodeJob& job) {
  ByteAppender appender;
  layout(appender, job);
  return appender.take();
}

NodeJob decode_node_job(std::span<const std::byte> bytes) {
  NodeJob job;
  ByteReader reader(bytes, "job");
  layout(reader, job);
  reader.finish();
  check(job);
  return job;
}

}  // namespace ocs
