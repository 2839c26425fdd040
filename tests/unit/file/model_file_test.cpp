// SPDX-License-Identifier: Apache-2.0
// Model files as written, and as accidents damage them; forged files are in forged_file_test.cpp.
#include <gtest/gtest.h>

#include <string>

#include "file/crc32c.h"
#include "file/options_json.h"
#include "fixed_checksums.h"
#include "pidforest/error.h"
#include "pidforest/explain.h"
#include "random_table.h"
#include "temporary_folder.h"
#include "unit/file/refusal.h"

namespace pidforest {
namespace {

/// A table with every sort of column.
OwnedTable all_sorts(std::size_t n_rows) {
  std::vector<ColumnSort> sorts = sorts_of_numbers;
  for (const auto& more : {sorts_with_missing, other_sorts, other_sorts_with_missing})
    sorts.insert(sorts.end(), more.begin(), more.end());
  return random_table(sorts, n_rows, 4);
}

/// A file of a few thousand bytes.
const std::string& small_file() {
  static const std::string bytes =
      random_table({ColumnSort::normal, ColumnSort::category_or_missing, ColumnSort::cyclic, ColumnSort::hierarchy},
                   200, 3)
          .fit({.n_estimators = 2, .max_samples = 40, .contamination = 0.05})
          .to_bytes();
  return bytes;
}

TEST(Crc32c, has_the_known_values) {
  EXPECT_EQ(file::crc32c(""), 0U);
  EXPECT_EQ(file::crc32c("123456789"), 0xE3069283U);
  EXPECT_EQ(file::crc32c(std::string(32, '\0')), 0x8A9136AAU);
  EXPECT_EQ(file::crc32c(std::string(32, '\xFF')), 0x62A8AB43U);
}

TEST(ModelFile, all_presets_and_all_sorts_of_columns_come_back_as_they_were) {
  const OwnedTable owned = all_sorts(2000);
  for (const auto name : preset_names()) {
    const Model model = owned.fit(preset(name));
    EXPECT_TRUE(Model::from_bytes(model.to_bytes()) == model) << name;
  }
}

TEST(ModelFile, counts_that_came_later_are_kept) {
  const OwnedTable owned = all_sorts(300);
  const Model model = owned.fit({.n_estimators = 3});
  Counts counts = model.counts();
  counts += model.count(all_sorts(50).table());
  EXPECT_TRUE(Model::from_bytes(model.with_counts(counts).to_bytes()) == model.with_counts(counts));
}

TEST(ModelFile, options_come_back_from_their_json_and_lacking_ones_have_their_default) {
  for (const auto name : preset_names()) EXPECT_EQ(file::parse_options(file::to_json(preset(name))), preset(name));
  EXPECT_EQ(file::parse_options("{\"seed\": 7}").seed, 7);
  EXPECT_EQ(file::parse_options("{\"seed\": 7}").n_estimators, Options().n_estimators);
  EXPECT_EQ(file::parse_options("{\"seed\": 7}").reasons, false);  // files of version 1.0 have none
}

TEST(ModelFile, is_saved_and_loaded_by_path) {
  const TemporaryFolder folder;
  const Model model = all_sorts(300).fit({.n_estimators = 3});
  model.save(folder.at("m.pidf"));
  EXPECT_EQ(folder.read("m.pidf"), model.to_bytes());
  EXPECT_TRUE(Model::load(folder.at("m.pidf")) == model);
  EXPECT_EQ(folder.n_files(), 1);
}

TEST(ModelFile, every_truncation_is_refused) {
  const std::string& bytes = small_file();
  for (std::size_t size = 0; size < bytes.size(); ++size)
    ASSERT_THROW((void)Model::from_bytes(bytes.substr(0, size)), BadFile) << size;
  EXPECT_EQ(refusal_of(bytes.substr(0, 4)), "model file: it is truncated after 4 bytes. Copy or save it again.");
  EXPECT_EQ(refusal_of(bytes.substr(0, 1000)), "model file: it is truncated after 1000 bytes. Copy or save it again.");
}

TEST(ModelFile, every_change_of_one_bit_is_refused) {
  std::string bytes = small_file();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto bit = static_cast<char>(1U << (i % 8));
    bytes[i] = static_cast<char>(bytes[i] ^ bit);
    ASSERT_THROW((void)Model::from_bytes(bytes), BadFile) << i;
    bytes[i] = static_cast<char>(bytes[i] ^ bit);
  }
}

TEST(ModelFile, every_changed_byte_with_right_checksums_is_refused_or_scores) {
  const OwnedTable owned = random_table(
      {ColumnSort::normal, ColumnSort::category_or_missing, ColumnSort::cyclic, ColumnSort::hierarchy}, 40, 9);
  std::size_t n_refused = 0;
  std::size_t n_not_scored = 0;
  for (std::size_t i = 0; i < small_file().size(); ++i) {
    std::string bytes = small_file();
    bytes[i] = static_cast<char>(bytes[i] ^ static_cast<char>(i % 3 == 0 ? 0xFF : 1U << (i % 8)));
    try {
      const Model model = Model::from_bytes(with_fixed_checksums(bytes));
      if (model.schema().columns.size() != 4) continue;
      (void)model.score(owned.table());
      if (model.has_reasons()) (void)Explainer(model).explain(owned.table());
    } catch (const BadFile&) {
      ++n_refused;
    } catch (const InvalidInput&) {
      ++n_not_scored;  // the name or kind of a column has changed
    }
  }
  EXPECT_GT(n_refused, small_file().size() / 4);
  EXPECT_LT(n_not_scored, small_file().size() / 50);
}

TEST(ModelFile, what_is_no_model_file_is_named) {
  const auto expect = [](std::string_view bytes, std::string_view words) {
    EXPECT_NE(refusal_of(bytes).find(words), std::string::npos) << refusal_of(bytes);
  };
  using namespace std::string_view_literals;
  expect("", "it is empty");
  expect("\x80\x04\x95.", "a Python pickle");
  expect("PK\x03\x04....", "a zip file");
  expect("\x1F\x8B\x08....", "gzip");
  expect("{\"a\": 1}", "JSON");
  expect("a,b\n1,2\n", "CSV");
  expect("<!doctype html>", "HTML");
  expect("\x89PIDF\n\x1A....", "in text mode");
  expect("\x7F\x45LF\0\0"sv, "another kind of file");
  EXPECT_EQ(refusal_of("{\"a\": 1}"), "model file: it is not a pidforest model file; it seems to be JSON.");
}

TEST(ModelFile, a_folder_a_lacking_file_and_a_table_are_refused_with_their_path) {
  const TemporaryFolder folder;
  folder.write("t.csv", "a,b\n1,2\n");
  const auto refusal = [](const std::string& path) -> std::string {
    try {
      (void)Model::load(path);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(refusal(folder.path()), "model file '" + folder.path() + "': it is a folder.");
  EXPECT_EQ(refusal(folder.at("t.csv")),
            "model file '" + folder.at("t.csv") +
                "': it is not a pidforest model file; it seems to be a text table, such as CSV.");
  EXPECT_EQ(refusal(folder.at("gone")), "cannot open '" + folder.at("gone") + "': No such file or directory.");
  EXPECT_THROW((void)Model::load(folder.at("gone")), FileError);
  EXPECT_THROW((void)Model::load(folder.path()), BadFile);
}

TEST(ModelFile, a_later_version_is_named) {
  std::string later_major = small_file();
  later_major[8] = 2;
  EXPECT_EQ(refusal_of(later_major),
            "model file: it was written by a later version of pidforest (format 2.5); this version reads 1.x.");
  std::string later_minor = small_file();
  later_minor[10] = 7;
  EXPECT_EQ(refusal_of(with_fixed_checksums(later_minor)), "no error");
}

}  // namespace
}  // namespace pidforest
