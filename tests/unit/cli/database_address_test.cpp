// SPDX-License-Identifier: Apache-2.0
#include "in/database_address.h"

#include <gtest/gtest.h>

#include "pidforest/error.h"

namespace pidforest::cli {
namespace {

std::string complaint_of(const std::string& address) {
  try {
    (void)DatabaseAddress(address);
  } catch (const InvalidOption& error) {
    return error.what();
  }
  return "";
}

TEST(DatabaseAddress, files_and_urls_are_told_apart) {
  EXPECT_EQ(DatabaseAddress("duckdb:a b.db").place(), "a b.db");
  EXPECT_EQ(DatabaseAddress("sqlite:/x/y.db").kind(), DatabaseKind::sqlite);
  EXPECT_TRUE(DatabaseAddress("duckdb::memory:").is_in_memory());
  EXPECT_EQ(DatabaseAddress("postgres://h/d").kind(), DatabaseKind::postgresql);
  EXPECT_FALSE(DatabaseAddress("postgresql://h").is_in_memory());
}

TEST(DatabaseAddress, the_password_is_never_shown) {
  EXPECT_EQ(DatabaseAddress("postgresql://me:secret@host:5432/db").shown(), "postgresql://me:***@host:5432/db");
  EXPECT_EQ(DatabaseAddress("postgresql://me@host/db?password=secret&user=x").shown(),
            "postgresql://me@host/db?password=***&user=x");
  EXPECT_EQ(DatabaseAddress("postgresql://me:one@h/d?sslpassword=two").shown(),
            "postgresql://me:***@h/d?sslpassword=***");
  EXPECT_EQ(DatabaseAddress("postgresql://postgres:postgres@h/d").shown(), "postgresql://postgres:***@h/d");
  EXPECT_EQ(DatabaseAddress("postgresql://h:5432/d").shown(), "postgresql://h:5432/d");
}

TEST(DatabaseAddress, texts_lose_the_password_as_written_and_as_decoded) {
  const DatabaseAddress address("postgresql://me:s%2Fcret@host/db");
  EXPECT_EQ(address.without_password("'s/cret' or 's%2Fcret' of me"), "'***' or '***' of me");
  EXPECT_EQ(address.without_password("cannot open postgresql://me:s%2Fcret@host/db"),
            "cannot open postgresql://me:***@host/db");
  EXPECT_EQ(DatabaseAddress("sqlite:x").without_password("x"), "x");
}

TEST(DatabaseAddress, refusals_show_no_part_of_a_password) {
  for (const std::string address : {"postgresql://me:sec@ret@h/d", "postgresql://me:sec/ret@h/d",
                                    "postgresql://me:sec?ret@h/d", "postgresql://me:sec#ret@h/d"}) {
    const std::string complaint = complaint_of(address);
    EXPECT_NE(complaint.find("percent-encoded"), std::string::npos) << address;
    EXPECT_EQ(complaint.find("sec"), std::string::npos) << complaint;
    EXPECT_EQ(complaint.find("ret"), std::string::npos) << complaint;
  }
  EXPECT_EQ(complaint_of("mysql://me:secret@h/d").find("secret"), std::string::npos);
  EXPECT_EQ(complaint_of("me:secret@h").find("secret"), std::string::npos);
  EXPECT_NE(complaint_of("shop.db").find("--db must be duckdb:FILE"), std::string::npos);
}

}  // namespace
}  // namespace pidforest::cli
