// SPDX-License-Identifier: Apache-2.0
#include "in/manifest.h"

#include <gtest/gtest.h>

namespace pidforest::cli {
namespace {

TEST(Manifest, names_one_library_for_all_platforms) {
  const ManifestEntries found = parse_manifest(
      "name = 'SQLite'\nversion = '1.0' # of the driver\n\n[ADBC]\nversion = '1.1.0'\nshared = 'wrong'\n\n"
      "[Driver]\nentrypoint = \"AdbcDriverInit\"\nshared = '/lib/a.so'  # here\n");
  EXPECT_EQ(found.library, "/lib/a.so");
  EXPECT_EQ(found.entry, "AdbcDriverInit");
}

TEST(Manifest, names_a_library_for_each_platform) {
  const std::string platform(this_platform());
  for (const std::string& text : {"[Driver.shared]\nother_amd64 = 'x'\n" + platform + " = '/lib/b.so'\n",
                                  "[ Driver . shared ]\r\n\"" + platform + "\" = \"/lib/b.so\"\r\n",
                                  "Driver.shared." + platform + " = '/lib/b.so'"})
    EXPECT_EQ(parse_manifest(text).library, "/lib/b.so") << text;
}

TEST(Manifest, texts_may_have_quotes_and_backslashes) {
  EXPECT_EQ(parse_manifest("[Driver]\nshared = \"/a\\\\b\\\"c=d#e\"").library, "/a\\b\"c=d#e");
  EXPECT_EQ(parse_manifest("[Driver]\nshared = '/a\\b'").library, "/a\\b");
}

TEST(Manifest, anything_else_names_no_library) {
  for (const std::string text : {"", "[Driver]", "[Driver]\nshared", "[Driver]\nshared = 3", "[Driver]\nshared = 'open",
                                 "[Driver]\nshared = \"\\", "shared = '/a'", "# [Driver]\nshared = '/a'",
                                 "[Driver\nshared", "]\n=\n='x'", "[Driver.shared]\nosx_arm64 = 'x'"})
    EXPECT_EQ(parse_manifest(text).library, "") << text;
}

}  // namespace
}  // namespace pidforest::cli
