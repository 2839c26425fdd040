// SPDX-License-Identifier: Apache-2.0
#include "file_io.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "pidforest/error.h"

namespace pidforest::cli {

namespace {

std::string reason(int error) { return std::generic_category().message(error); }

/// An open file that closes itself.
class InputFile {
 public:
  explicit InputFile(const std::string& path)
      : is_stdin_(path == "-"), descriptor_(is_stdin_ ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) throw FileError(fmt::format("cannot open '{}': {}.", path, reason(errno)));
  }
  ~InputFile() {
    if (!is_stdin_) close(descriptor_);
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  InputFile(InputFile&&) = delete;
  InputFile& operator=(InputFile&&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  bool is_stdin_;
  int descriptor_;
};

void check_cancelled(const Run& run) {
  if (run.cancel != nullptr && run.cancel->load()) throw Cancelled();
}

}  // namespace

std::string read_file(const std::string& path, const Run& run) {
  const InputFile file(path);
  constexpr std::size_t least_room = 1 << 20;
  std::string text;
  std::size_t n_read = 0;
  while (true) {
    check_cancelled(run);
    if (n_read == text.size()) text.resize(std::max(least_room, 2 * text.size()));
    const ssize_t n =
        read(file.descriptor(), text.data() + n_read, std::min(text.size() - n_read, std::size_t{1} << 26));
    if (n == 0) break;
    if (n > 0)
      n_read += static_cast<std::size_t>(n);
    else if (errno != EINTR)
      throw FileError(fmt::format("cannot read '{}': {}.", path, reason(errno)));
  }
  text.resize(n_read);
  return text;
}

void write_stdout(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(STDOUT_FILENO, text.data(), text.size());
    if (n >= 0)
      text.remove_prefix(static_cast<std::size_t>(n));
    else if (errno == EPIPE)
      throw PipeClosed();
    else if (errno != EINTR)
      throw FileError(fmt::format("cannot write the output: {}.", reason(errno)));
  }
}

}  // namespace pidforest::cli
