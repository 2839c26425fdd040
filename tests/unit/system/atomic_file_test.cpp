// SPDX-License-Identifier: Apache-2.0
#include "system/atomic_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "pidforest/error.h"
#include "temporary_folder.h"

namespace {

/// The permissions that a file had before they were changed last.
mode_t mode_before_change = 0;

}  // namespace

/// Stands in for the function of the C library, to see a file in the moment before.
extern "C" int fchmod(int descriptor, mode_t mode) noexcept {
  struct stat found{};
  if (fstat(descriptor, &found) == 0) mode_before_change = found.st_mode & 0777;
  return static_cast<int>(syscall(SYS_fchmod, descriptor, mode));
}

namespace pidforest::system {
namespace {

namespace fs = std::filesystem;

void save(const std::string& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

fs::perms permissions_of(const std::string& path) { return fs::status(path).permissions(); }

std::string refusal_of(const std::string& path) {
  try {
    const AtomicFile file(path);
  } catch (const FileError& error) {
    return error.what();
  }
  return "no error";
}

TEST(AtomicFile, a_commit_makes_a_new_file_and_replaces_an_old_one) {
  const TemporaryFolder folder;
  const std::string large(300000, 'x');
  save(folder.at("a"), "one");
  EXPECT_EQ(folder.read("a"), "one");
  save(folder.at("a"), large);
  EXPECT_EQ(folder.read("a"), large);
  EXPECT_EQ(folder.n_files(), 1);
}

TEST(AtomicFile, without_a_commit_the_old_file_is_as_it_was) {
  const TemporaryFolder folder;
  folder.write("a", "old");
  {
    AtomicFile file(folder.at("a"));
    file.write(std::string(300000, 'x'));
    EXPECT_EQ(folder.read("a"), "old");
    EXPECT_EQ(folder.n_files(), 2);
  }
  EXPECT_EQ(folder.read("a"), "old");
  EXPECT_EQ(folder.n_files(), 1);
}

TEST(AtomicFile, a_leftover_is_removed_but_not_what_is_being_written) {
  const TemporaryFolder folder;
  folder.write(".a.pidf-tmp-12345-0", "half");
  folder.write(".b.pidf-tmp-12345-0", "of another name");
  const auto living = std::make_unique<AtomicFile>(folder.at("a"));
  EXPECT_FALSE(fs::exists(folder.at(".a.pidf-tmp-12345-0")));
  EXPECT_EQ(folder.n_files(), 2);
  save(folder.at("a"), "second");
  EXPECT_EQ(folder.read("a"), "second");
  living->write("first");
  living->commit();
  EXPECT_EQ(folder.read("a"), "first");
  EXPECT_TRUE(fs::exists(folder.at(".b.pidf-tmp-12345-0")));
  EXPECT_EQ(folder.n_files(), 2);
}

TEST(AtomicFile, a_link_stays_and_what_it_leads_to_is_replaced) {
  const TemporaryFolder folder;
  fs::create_directory(folder.at("below"));
  folder.write("below/real", "old");
  fs::create_symlink("below/real", folder.at("link"));
  save(folder.at("link"), "new");
  EXPECT_TRUE(fs::is_symlink(folder.at("link")));
  EXPECT_EQ(folder.read("below/real"), "new");
  fs::create_symlink("below/not-yet", folder.at("dangling"));
  save(folder.at("dangling"), "made");
  EXPECT_EQ(folder.read("below/not-yet"), "made");
  fs::create_symlink("loop", folder.at("loop"));
  EXPECT_NE(refusal_of(folder.at("loop")).find("Too many levels of symbolic links"), std::string::npos);
}

TEST(AtomicFile, permissions_are_those_of_the_old_file_or_what_the_umask_leaves) {
  const TemporaryFolder folder;
  const mode_t before = umask(027);
  save(folder.at("a"), "new");
  umask(before);
  EXPECT_EQ(permissions_of(folder.at("a")), fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  const fs::perms odd = fs::perms::owner_read | fs::perms::owner_write | fs::perms::others_read;
  fs::permissions(folder.at("a"), odd);
  save(folder.at("a"), "newer");
  EXPECT_EQ(permissions_of(folder.at("a")), odd);
}

TEST(AtomicFile, a_temporary_file_is_never_open_to_more_users_than_the_old_file) {
  const TemporaryFolder folder;
  const mode_t before = umask(0);
  folder.write("a", "secret");
  fs::permissions(folder.at("a"), fs::perms::owner_read | fs::perms::owner_write);
  save(folder.at("a"), "newer");
  umask(before);
  EXPECT_EQ(mode_before_change, mode_t{0600});
}

TEST(AtomicFile, a_pipe_and_a_device_are_written_to_as_they_are) {
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo(folder.at("pipe").c_str(), 0600), 0);
  const int reader = open(folder.at("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  save(folder.at("pipe"), "through");
  std::string read_back(7, ' ');
  EXPECT_EQ(read(reader, read_back.data(), read_back.size()), 7);
  EXPECT_EQ(read_back, "through");
  close(reader);
  EXPECT_NO_THROW(save("/dev/null", "nothing"));
  EXPECT_EQ(folder.n_files(), 1);
}

TEST(AtomicFile, a_file_below_dev_is_replaced_like_any_other) {
  if (!fs::is_directory("/dev/shm")) GTEST_SKIP() << "no /dev/shm";
  const std::string path = "/dev/shm/pidforest-test-" + std::to_string(getpid());
  save(path, "first");
  save(path, "second");
  std::string found(20, ' ');
  const int reader = open(path.c_str(), O_RDONLY);
  const ssize_t n = read(reader, found.data(), found.size());
  close(reader);
  unlink(path.c_str());
  ASSERT_GE(n, 0);
  EXPECT_EQ(found.substr(0, static_cast<std::size_t>(n)), "second");
}

TEST(AtomicFile, an_open_file_named_by_its_descriptor_is_appended_to) {
  const TemporaryFolder folder;
  folder.write("a", "before ");
  const int descriptor = open(folder.at("a").c_str(), O_WRONLY | O_APPEND);
  ASSERT_GE(descriptor, 0);
  fs::create_symlink("/dev/fd/" + std::to_string(descriptor), folder.at("link"));
  save("/dev/fd/" + std::to_string(descriptor), "one ");
  save(folder.at("link"), "two");
  close(descriptor);
  EXPECT_EQ(folder.read("a"), "before one two");
  EXPECT_EQ(folder.n_files(), 2);
}

TEST(AtomicFile, a_full_device_a_folder_and_a_lacking_folder_are_refused_with_the_path) {
  const TemporaryFolder folder;
  AtomicFile full("/dev/full");
  full.write("x");
  EXPECT_THROW(full.commit(), FileError);
  EXPECT_EQ(refusal_of(folder.at("")), "cannot write '" + folder.at("") + "': Is a directory.");
  EXPECT_EQ(refusal_of(folder.path()), "cannot write '" + folder.path() + "': Is a directory.");
  EXPECT_EQ(refusal_of(folder.at("gone/a")),
            "cannot write '" + folder.at("gone/a") +
                "': cannot create a temporary file next to it: No such file or directory.");
  EXPECT_EQ(refusal_of(""), "cannot write '': No such file or directory.");
}

TEST(AtomicFile, a_name_as_long_as_names_may_be_can_be_written_twice) {
  const TemporaryFolder folder;
  const std::string name(255, 'n');
  save(folder.at(name), "one");
  save(folder.at(name), "two");
  EXPECT_EQ(folder.read(name), "two");
  EXPECT_EQ(folder.n_files(), 1);
}

}  // namespace
}  // namespace pidforest::system
