// The key that the participants of a run share.
// SPDX-License-Identifier: Apache-2.0
#include "host/transport/node_key.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zmq.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "host/core/error.hpp"

namespace ocs {
namespace {

constexpr std::size_t key_characters = 40;  // of Z85: 32 bytes
constexpr std::string_view z85 =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";

class OpenFile {
 public:
  explicit OpenFile(int descriptor) : descriptor_(descriptor) {}
  ~OpenFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

[[noreturn]] void refuse_file(const std::string& path, const std::string& why) {
  throw Error(ErrorKind::input, "the key file " + path + " " + why);
}

bool write_key(int descriptor, const NodeKey& key) {
  const std::string line = key.secret + "\n";
  return write(descriptor, line.data(), line.size()) == static_cast<ssize_t>(line.size());
}

}  // namespace

NodeKey make_node_key() {
  std::array<char, key_characters + 1> open{}, secret{};
  if (zmq_curve_keypair(open.data(), secret.data()) != 0)
    throw Error(ErrorKind::run, "a key for nodes can't be made: this ZeroMQ was built without CURVE");
  return {secret.data(), open.data()};
}

NodeKey parse_node_key(std::string_view text) {
  const std::string right = ", but must be one key of 40 characters, as `lightloop node --new-key` writes it";
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (text.size() != key_characters)
    throw Error(ErrorKind::input, "has " + std::to_string(text.size()) + " characters" + right);
  if (text.find_first_not_of(z85) != std::string_view::npos)
    throw Error(ErrorKind::input, "has a character that is not of the alphabet Z85" + right);
  std::array<std::uint8_t, 32> bytes{};
  std::array<char, key_characters + 1> open{};
  const std::string secret(text);
  if (!zmq_z85_decode(bytes.data(), secret.c_str()) || zmq_curve_public(open.data(), secret.c_str()) != 0)
    throw Error(ErrorKind::input, "holds 40 characters that are no number of 256 bits" + right);
  return {secret, open.data()};
}

NodeKey read_node_key(const std::string& path) {
  const OpenFile file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) refuse_file(path, std::string("can't be read: ") + std::strerror(errno));
  struct stat status {};
  if (fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) refuse_file(path, "must be a file");
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    refuse_file(path, "can be read or written by others than its owner; `chmod 600` makes it private");
  std::array<char, 2 * key_characters> text{};
  const ssize_t size = read(file.get(), text.data(), text.size());
  if (size < 0) refuse_file(path, std::string("can't be read: ") + std::strerror(errno));
  try {
    return parse_node_key({text.data(), static_cast<std::size_t>(size)});
  } catch (const Error& refusal) {
    refuse_file(path, refusal.what());
  }
}

void write_new_node_key(const std::string& path) {
  const NodeKey key = make_node_key();
  const OpenFile file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (file.get() < 0) refuse_file(path, std::string("can't be made: ") + std::strerror(errno));
  if (!write_key(file.get(), key)) refuse_file(path, std::string("can't be written: ") + std::strerror(errno));
}

InheritedKey::InheritedKey(const NodeKey& key) : descriptor_(memfd_create("lightloop-node-key", MFD_CLOEXEC)) {
  if (descriptor_ >= 0 && fchmod(descriptor_, S_IRUSR | S_IWUSR) == 0 && write_key(descriptor_, key)) return;
  const int problem = errno;
  if (descriptor_ >= 0) close(descriptor_);
  throw Error(ErrorKind::run, std::string("the key for node processes can't be kept: ") + std::strerror(problem));
}

InheritedKey::~InheritedKey() { close(descriptor_); }

}  // namespace ocs
