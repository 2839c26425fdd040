// SPDX-License-Identifier: Apache-2.0
#include "system/paths.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "pidforest/error.h"
#include "temporary_folder.h"

namespace pidforest::system {
namespace {

namespace fs = std::filesystem;

TEST(Paths, links_of_both_kinds_lead_to_the_same_file) {
  const TemporaryFolder folder;
  folder.write("a", "text");
  folder.write("b", "text");
  fs::create_symlink("a", folder.at("soft"));
  fs::create_hard_link(folder.at("a"), folder.at("hard"));
  const auto a = identity_of(folder.at("a"));
  ASSERT_TRUE(a);
  EXPECT_EQ(identity_of(folder.at("soft")), a);
  EXPECT_EQ(identity_of(folder.at("hard")), a);
  EXPECT_EQ(identity_of(folder.at("./a")), a);
  EXPECT_NE(identity_of(folder.at("b")), a);
}

TEST(Paths, files_that_do_not_exist_yet_are_told_apart_by_folder_and_name) {
  const TemporaryFolder folder;
  fs::create_directory(folder.at("below"));
  fs::create_symlink("below/new", folder.at("link"));
  const auto below = identity_of(folder.at("below/new"));
  ASSERT_TRUE(below);
  EXPECT_EQ(identity_of(folder.at("link")), below);
  EXPECT_EQ(identity_of(folder.at("below/../below/new")), below);
  EXPECT_NE(identity_of(folder.at("new")), below);
  EXPECT_NE(identity_of(folder.at("below/newer")), below);
  EXPECT_EQ(identity_of(folder.at("gone/new")), std::nullopt);
}

TEST(Paths, pipes_devices_and_folders_have_no_identity) {
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo(folder.at("pipe").c_str(), 0600), 0);
  EXPECT_EQ(identity_of(folder.at("pipe")), std::nullopt);
  EXPECT_EQ(identity_of("/dev/null"), std::nullopt);
  EXPECT_EQ(identity_of(folder.path()), std::nullopt);
}

TEST(Paths, a_check_leaves_no_file_and_refuses_a_folder_and_a_file_without_one) {
  const TemporaryFolder folder;
  check_writable(folder.at("new"));
  EXPECT_EQ(folder.n_files(), 0);
  EXPECT_THROW(check_writable(folder.path()), FileError);
  EXPECT_THROW(check_writable(folder.at("gone/new")), FileError);
}

}  // namespace
}  // namespace pidforest::system
