// The key that the participants of a run share: it proves that a connection is one of theirs, and encrypts it (CURVE).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ocs {

/// A CURVE key pair in Z85, 40 characters each. Who has the secret half is a participant.
struct NodeKey {
  std::string secret, open;
};

/// A new one, from the system's random numbers. @throws Error (run) if this ZeroMQ has no CURVE
NodeKey make_node_key();
/// The text of a key file: the secret half on one line. @throws Error (input) that says what is wrong with it, without
/// the key
NodeKey parse_node_key(std::string_view text);
/// Reads a key file. @throws Error (input) that names the file; also if others than its owner may read or write it
NodeKey read_node_key(const std::string& path);
/// Makes a key and writes it to a new file that only its owner may read. @throws Error (input) if there is such a file
void write_new_node_key(const std::string& path);

/// A file in memory without a name that holds the key as text, for processes that inherit it.
class InheritedKey {
 public:
  explicit InheritedKey(const NodeKey& key);  ///< @throws Error (run)
  ~InheritedKey();
  InheritedKey(const InheritedKey&) = delete;
  InheritedKey& operator=(const InheritedKey&) = delete;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace ocs
