// SPDX-License-Identifier: Apache-2.0
#include "follow/followed_lines.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "in/compressed.h"
#include "pidforest/error.h"
#include "system/parallel.h"

namespace pidforest::cli {

namespace {

constexpr std::chrono::milliseconds between_looks(100);
constexpr std::size_t longest_beginning = 4096;
constexpr int most_attempts = 20;

/// The first `n` bytes of a file, or fewer.
std::string first_bytes(int descriptor, std::size_t n) {
  std::string bytes(n, '\0');
  const ssize_t found = pread(descriptor, bytes.data(), n, 0);
  bytes.resize(found < 0 ? 0 : static_cast<std::size_t>(found));
  return bytes;
}

std::string_view without_mark(std::string_view line) {
  return line.starts_with("\xEF\xBB\xBF") ? line.substr(3) : line;
}

std::optional<std::size_t> index_of(const std::vector<RotatedFile>& files, const FileStatus& status) {
  const auto found =
      std::ranges::find_if(files, [&](const RotatedFile& one) { return one.status.is_same_file(status); });
  return found == files.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - files.begin()));
}

/// The first file that was modified at this time or later.
std::size_t first_since(const std::vector<RotatedFile>& files, std::uint64_t modified) {
  const auto found =
      std::ranges::find_if(files, [&](const RotatedFile& one) { return one.status.modified >= modified; });
  return static_cast<std::size_t>(found - files.begin());
}

}  // namespace

FollowedLines::FollowedLines(std::string path, const Run& run, std::optional<std::chrono::microseconds> until_idle,
                             Say say)
    : path_(std::move(path)), run_(run), until_idle_(until_idle), say_(std::move(say)), name_(path_) {
  if (compression_by_name(path_) != Compression::none)
    throw InvalidOption(fmt::format("--follow requires a file that is not compressed; got '{}'.", path_));
}

std::optional<std::string_view> FollowedLines::next() {
  for (;;) {
    const bool is_later = n_earlier_ > 0;
    while (const std::optional<std::string_view> line = lines_ ? lines_->next() : std::nullopt) {
      if (is_later && lines_->n_lines() == 1 && without_mark(*line) == header_) continue;
      before_.reset();
      last_line_ = std::chrono::steady_clock::now();
      return line;
    }
    if (!move_on()) return std::nullopt;
  }
}

bool FollowedLines::wait() {
  system::check_cancelled(run_);
  const auto idle = std::chrono::steady_clock::now() - last_line_;
  if (until_idle_ && idle >= *until_idle_) return false;
  std::this_thread::sleep_for(between_looks);
  return true;
}

/// At the end of the file: decides whether it is the end for now. Returns whether lines may have come.
bool FollowedLines::move_on() {
  if (!lines_) return begin_current();
  if (was_copied_) return begin_unseen_copy();
  if (was_truncated_) return begin_after_truncation();
  if (is_ending_) return begin_successor();
  if (!is_superseded()) return false;
  // Bytes may have come between the last look into this file and the first bytes of the later one.
  is_ending_ = true;
  lines_->end_here();
  return true;
}

/// Whether a later file has bytes. A writer that has begun with the next file has finished with this one.
bool FollowedLines::is_superseded() const {
  const FileStatus own = status_of(file_->descriptor());
  const std::optional<FileStatus> current = status_of(path_);
  if (!current || current->is_same_file(own)) return false;
  if (current->size > 0) return true;
  const Files files = listed();
  const std::optional<std::size_t> self = index_of(files, own);
  for (std::size_t i = self ? *self + 1 : files.size(); i < files.size(); ++i)
    if (files[i].status.size > 0) return true;
  return false;
}

/// The file and its rotations, without a copy of the file as it is now: that is unfinished, or about to be followed by
/// the truncation.
FollowedLines::Files FollowedLines::listed() const {
  Files files = rotations_of(path_);
  const bool has_path = !files.empty() && files.back().path == path_;
  if (files.size() < 2 || !has_path || (last_at_path_ && !last_at_path_->is_same_file(files.back().status)))
    return files;
  const auto newest = files.end() - 2;
  if (newest->status.size <= files.back().status.size && begins_with(path_, newest->path)) files.erase(newest);
  return files;
}

/// The file that the path leads to, or an older one if files were rotated since the position of the state.
bool FollowedLines::begin_current() {
  const Files files = listed();
  const std::uint64_t since = before_ && before_->followed ? before_->followed->modified : 0;
  const std::size_t first = since > 0 ? first_since(files, since) : files.size();
  if (first < files.size()) return begin(files, first);
  if (!files.empty() && files.back().path == path_) return begin(files, files.size() - 1);
  if (!std::exchange(has_said_waiting_, true)) say_(fmt::format("waiting for '{}', which does not exist yet", path_));
  return false;
}

bool FollowedLines::begin_successor() {
  const Files files = listed();
  const FileStatus own = status_of(file_->descriptor());
  std::optional<std::size_t> self = index_of(files, own);
  if (!self) self = find(files, position());
  const std::size_t next = self ? *self + 1 : first_since(files, own.modified);
  return next < files.size() && begin(files, next);
}

/// The content before the truncation is beside the file if a program has copied it first.
bool FollowedLines::begin_after_truncation() {
  const LinesPosition end = lines_->position();
  const FileStatus own = status_of(file_->descriptor());
  const Files files = listed();
  const std::optional<std::size_t> self = index_of(files, own);
  const std::optional<std::size_t> copy = end.n_bytes > 0 ? find(files, end) : std::nullopt;
  if (copy && copy != self) return go_on_in(files, *copy, end);
  if (!self) return false;
  say_(fmt::format(
      "'{}' was truncated, and no copy of its lines was found beside it: lines may be missing. Reading it from its "
      "beginning",
      path_));
  return begin(files, *self);
}

/// The oldest file since this one was opened, in its place.
bool FollowedLines::begin_unseen_copy() {
  const Files files = listed();
  const std::optional<std::size_t> known = newest_rotated_ ? index_of(files, *newest_rotated_) : std::nullopt;
  const std::size_t first = known ? *known + 1 : newest_rotated_ ? first_since(files, newest_rotated_->modified) : 0;
  return first < files.size() && open(files, first);
}

/// Begins a file after the end of another one.
bool FollowedLines::begin(const Files& files, std::size_t i) {
  const LinesPosition end = position();
  const std::uint64_t n_lines_before = n_lines();
  if (!open(files, i)) return false;
  if (end.n_lines > 0)
    before_ = end;
  else
    before_.reset();
  n_earlier_ = n_lines_before;
  return true;
}

/// False if the file was renamed or removed since it was listed.
bool FollowedLines::open(const Files& files, std::size_t i) {
  const RotatedFile& file = files[i];
  std::unique_ptr<InputFile> opened;
  try {
    opened = std::make_unique<InputFile>(file.path, run_);
  } catch (const FileError&) {
    const std::optional<FileStatus> now = status_of(file.path);
    if (!now || !now->is_same_file(file.status)) return false;
    throw;
  }
  if (!opened->size()) throw InvalidInput(fmt::format("--follow requires a regular file; '{}' is not one.", file.path));
  if (!status_of(opened->descriptor()).is_same_file(file.status)) return false;
  file_ = std::move(opened);
  name_ = file.path;
  if (name_ == path_) last_at_path_ = file.status;
  is_compressed_ = compression_by_name(file.path) != Compression::none;
  newest_rotated_ = i > 0 ? std::optional(files[i - 1].status) : std::nullopt;
  beginning_.clear();
  was_truncated_ = was_copied_ = is_ending_ = false;
  lines_ = std::make_unique<LinesIn>([this](std::span<char> room) { return read(room); }, LinesIn::LastLine::waits);
  return true;
}

/// The bytes that were appended; 0 is the end for now.
std::size_t FollowedLines::read(std::span<char> room) {
  if (is_compressed_) return file_->read(room);
  was_truncated_ = was_truncated_ || was_replaced();
  was_copied_ = was_copied_ || was_copied_before();
  if (was_truncated_ || was_copied_) return 0;
  const std::size_t n = file_->read(room);
  if (beginning_.size() < longest_beginning && n > 0)
    beginning_ = first_bytes(file_->descriptor(),
                             static_cast<std::size_t>(std::min<std::uint64_t>(longest_beginning, file_->n_taken())));
  return n;
}

/// Whether the file is shorter than what was read of it, or begins with other bytes.
bool FollowedLines::was_replaced() const {
  if (status_of(file_->descriptor()).size < file_->n_taken()) return true;
  return first_bytes(file_->descriptor(), beginning_.size()) != beginning_;
}

/// Whether there is a newer rotated file than when this file was opened, which has no line of its own yet.
bool FollowedLines::was_copied_before() const {
  if (name_ != path_ || lines_->n_lines() > 1) return false;
  Files files = rotations_of(path_);
  const auto is_known = [&](std::size_t i) {
    return newest_rotated_ && files[i].status.is_same_file(*newest_rotated_);
  };
  if (files.size() < 2 || is_known(files.size() - 2)) return false;
  files = listed();
  const std::optional<std::size_t> self = index_of(files, status_of(file_->descriptor()));
  return self && *self > 0 && files[*self].path == path_ && !is_known(*self - 1);
}

LinesPosition FollowedLines::position() const {
  if (before_ || !lines_) return before_.value_or(LinesPosition{.followed = FollowedFile{}});
  LinesPosition position = lines_->position();
  const FileStatus status = status_of(file_->descriptor());
  position.n_lines = n_lines();
  position.followed = FollowedFile{
      .device = status.device, .inode = status.inode, .modified = status.modified, .n_earlier_lines = n_earlier_};
  return position;
}

void FollowedLines::resume(const LinesPosition& position) {
  before_ = position;
  n_earlier_ = position.n_lines;
  if (!position.followed) return;
  LinesPosition within = position;
  within.n_lines -= position.followed->n_earlier_lines;
  for (int i = 0; i < most_attempts; ++i) {
    const Files files = listed();
    const std::optional<std::size_t> found = find(files, position);
    if (found && go_on_in(files, *found, within)) {
      n_earlier_ = position.followed->n_earlier_lines;
      return;
    }
    if (!found && (i > 0 || files.empty())) break;  // a rename between the list and the look would hide the file
    std::this_thread::sleep_for(between_looks);
  }
  if (position.n_bytes == 0) return;
  say_(fmt::format(
      "the file that the state ends in was not found beside '{}': lines may be missing. Resuming in the first file "
      "that was written after it",
      path_));
}

/// Reads a file from a position in it; the lines of the position are those of this file.
bool FollowedLines::go_on_in(const Files& files, std::size_t i, const LinesPosition& position) {
  if (!open(files, i)) return false;
  lines_->resume(position);
  before_.reset();
  return true;
}

/// The file that begins with the bytes of the position: that of its inode, or else the newest. Other files of one
/// writer begin with other events.
std::optional<std::size_t> FollowedLines::find(const Files& files, const LinesPosition& position) const {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const FileStatus& status = files[i].status;
    const bool is_inode =
        position.followed && status.inode == position.followed->inode && status.device == position.followed->device;
    if (!has_beginning(files[i], position)) continue;
    if (is_inode) return i;
    found = i;
  }
  return found;
}

bool FollowedLines::has_beginning(const RotatedFile& file, const LinesPosition& position) const {
  const bool is_compressed = compression_by_name(file.path) != Compression::none;
  if (!is_compressed && file.status.size < position.n_bytes) return false;
  try {
    LinesIn lines(file.path, run_, LinesIn::LastLine::waits);
    lines.resume(position);
    return true;
  } catch (const InvalidInput&) {
    return false;
  } catch (const FileError&) {  // renamed or removed in the meantime
    return false;
  }
}

std::string FollowedLines::name() const { return fmt::format("'{}'", name_); }

}  // namespace pidforest::cli
