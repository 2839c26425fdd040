// SPDX-License-Identifier: Apache-2.0
// The lines of a file that grows and is rotated: `pidforest stream --follow`.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "follow/rotated_files.h"
#include "in/input_file.h"
#include "in/line_source.h"
#include "in/lines_in.h"
#include "pidforest/options.h"

namespace pidforest::cli {

class FollowedLines final : public LineSource {
 public:
  using Say = std::function<void(const std::string& words)>;
  /// Ends after `until_idle` without a line; never without it. `run` must outlive this.
  FollowedLines(std::string path, const Run& run, std::optional<std::chrono::microseconds> until_idle, Say say);

  std::optional<std::string_view> next() override;
  bool wait() override;
  void leave_out_later(std::string_view header) override { header_ = header; }

  [[nodiscard]] std::uint64_t n_lines() const override { return n_earlier_ + (lines_ ? lines_->n_lines() : 0); }
  /// Until a later file has had a line other than its header, this is the end of the file before it: the beginning of a
  /// file identifies it only once it is the file's own.
  [[nodiscard]] LinesPosition position() const override;
  /// A file that is not found by its inode is sought by its bytes. Without it, the files that are newer follow.
  void resume(const LinesPosition& position) override;
  [[nodiscard]] std::string name() const override;

 private:
  bool move_on();
  using Files = std::vector<RotatedFile>;
  [[nodiscard]] Files listed() const;
  bool begin(const Files& files, std::size_t i);
  bool open(const Files& files, std::size_t i);
  std::size_t read(std::span<char> room);
  [[nodiscard]] bool was_replaced() const;
  [[nodiscard]] bool was_copied_before() const;
  bool begin_current();
  bool begin_successor();
  bool begin_after_truncation();
  bool begin_unseen_copy();
  [[nodiscard]] bool is_superseded() const;
  [[nodiscard]] bool has_beginning(const RotatedFile& file, const LinesPosition& position) const;
  [[nodiscard]] std::optional<std::size_t> find(const Files& files, const LinesPosition& position) const;
  bool go_on_in(const Files& files, std::size_t i, const LinesPosition& position);

  std::string path_;
  const Run& run_;
  std::optional<std::chrono::microseconds> until_idle_;
  Say say_;
  std::string header_;

  /// The file that is read now; none before the first one appears.
  std::unique_ptr<InputFile> file_;
  std::unique_ptr<LinesIn> lines_;
  std::string name_;
  bool is_compressed_ = false;
  /// The first bytes of the file, which change if it is truncated and written again.
  std::string beginning_;
  bool was_truncated_ = false;
  /// Whether the file was copied and truncated before a line of its own was read: only the copy shows it.
  bool was_copied_ = false;
  /// The file that the path led to when it was last opened.
  std::optional<FileStatus> last_at_path_;
  /// The newest rotated file when this one was opened.
  std::optional<FileStatus> newest_rotated_;
  /// Whether a later file has bytes, so that no more will come in this one.
  bool is_ending_ = false;

  /// The lines of the files before this one.
  std::uint64_t n_earlier_ = 0;
  /// The end of the file before, while it is the position.
  std::optional<LinesPosition> before_ = LinesPosition{.followed = FollowedFile{}};
  bool has_said_waiting_ = false;
  std::chrono::steady_clock::time_point last_line_ = std::chrono::steady_clock::now();
};

}  // namespace pidforest::cli
