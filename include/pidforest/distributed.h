// SPDX-License-Identifier: Apache-2.0
// A fit in parts, for rows that lie on several machines: pieces of a table are read anywhere and in any order, their
// parts are merged, and the model has the bytes of Model::fit on the whole table. docs/distributed.md has the protocol.
//
//   const std::vector<double> speed(500, 50.0);
//   const pidforest::Table whole = pidforest::Table::row_major(speed, 1, {"speed"});
//   pidforest::Facts facts, more;
//   facts.add(whole.rows(0, 300), 0);
//   more.add(whole.rows(300, 500), 300);
//   facts.merge(more);
//   std::cout << facts.n_rows() << ' ' << pidforest::name_of(facts.schema().columns[0].kind);  // prints 500 continuous
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pidforest/model.h"
#include "pidforest/options.h"
#include "pidforest/schema.h"
#include "pidforest/table.h"

namespace [[gnu::visibility("default")]] pidforest {

/// What becomes of the columns that a declared schema does not name.
enum class Unnamed : std::uint8_t {
  inferred,  ///< their meaning is inferred, as by infer_schema
  ignored,   ///< they are in the schema, in the table's order, and not used
  left_out   ///< they are not in the schema, as in Model::fit
};

/// The first part of a fit: what inference and completion of a schema need to know of the columns. Memory grows with
/// the number of different levels, not with that of rows.
class Facts {
 public:
  /// Everything is inferred.
  Facts();
  explicit Facts(const Schema& declared, Unnamed unnamed = Unnamed::left_out);
  ~Facts();
  Facts(const Facts&);
  Facts& operator=(const Facts&);
  Facts(Facts&&) noexcept;
  Facts& operator=(Facts&&) noexcept;

  /// Adds rows `first_row`, `first_row` + 1, ... of the table. Each row must be added once, in any order. Throws
  /// InvalidInput if the columns differ from those of the rows before, or if a declared column is missing.
  void add(const Batches& rows, std::uint64_t first_row);
  /// Adds the rows of another part. Throws InvalidInput if it has other columns or another declared schema.
  void merge(const Facts& other);

  [[nodiscard]] std::uint64_t n_rows() const;
  /// The complete schema of all rows. Throws InvalidInput for the first value that the schema does not allow: the first
  /// such column, and its first row.
  [[nodiscard]] Schema schema() const;

  [[nodiscard]] std::string to_bytes() const;
  /// Throws BadFile for bytes that are damaged, forged or no such part.
  static Facts from_bytes(std::string_view bytes);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The numbers of the rows that a fit in parts copies, in increasing order: the samples of the trees, of the reasons
/// and of the threshold. Time and memory do not grow with `n_rows`. Throws InvalidOption.
std::vector<std::uint64_t> rows_to_draw(std::uint64_t n_rows, const Options& options);

class GrownForest;

/// The second part: the ranges and the outermost values of the axes, and the drawn rows.
class Survey {
 public:
  /// `schema` is complete, as Facts::schema gives it; `n_rows` is the number of rows of the whole table. Throws
  /// InvalidOption or InvalidInput.
  Survey(const Schema& schema, std::uint64_t n_rows, const Options& options);
  ~Survey();
  Survey(const Survey&);
  Survey& operator=(const Survey&);
  Survey(Survey&&) noexcept;
  Survey& operator=(Survey&&) noexcept;

  /// Adds rows `first_row`, `first_row` + 1, ... of the table. Each row must be added once, in any order. Throws
  /// InvalidInput for values that the schema does not allow, for infinity, and for rows that were added before.
  void add(const Batches& rows, std::uint64_t first_row, const Run& run = {});
  /// Adds the rows of another part. Throws InvalidInput if it is a part of another fit.
  void merge(const Survey& other);

  /// The number of rows that were added so far.
  [[nodiscard]] std::uint64_t n_added() const;

  [[nodiscard]] std::string to_bytes() const;
  /// Throws BadFile.
  static Survey from_bytes(std::string_view bytes);

 private:
  struct State;
  friend class GrownForest;
  explicit Survey(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// The third part: the sets of rare values that occur together in a row, which suggest further cubes as reasons.
class Marks {
 public:
  ~Marks();
  Marks(const Marks&);
  Marks& operator=(const Marks&);
  Marks(Marks&&) noexcept;
  Marks& operator=(Marks&&) noexcept;

  /// Adds the rows of another part. Throws InvalidInput if it is a part of another fit.
  void merge(const Marks& other);

  [[nodiscard]] std::string to_bytes() const;
  /// Throws BadFile.
  static Marks from_bytes(std::string_view bytes);

 private:
  struct State;
  friend class GrownForest;
  explicit Marks(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// The fourth part: numbers that are merged one by one. The first `n_sums` are counts and add up; of each of the others
/// the larger one stays.
struct PartCounts {
  std::size_t n_sums = 0;
  std::vector<std::int64_t> numbers = {};

  /// Adds the rows of another part. Throws InvalidInput if it has another length.
  PartCounts& operator+=(const PartCounts& other);
  bool operator==(const PartCounts&) const = default;
};

/// The trees of a fit whose rows are not counted yet. It never changes and is cheap to copy; its functions may be
/// called from several threads at once.
class GrownForest {
 public:
  /// Grows the trees. Throws InvalidInput unless all rows were added to the survey, or Cancelled.
  static GrownForest grow(const Survey& survey, const Run& run = {});

  /// The complete schema.
  [[nodiscard]] const Schema& schema() const;
  /// Whether the rows must be read for marks before they can be counted.
  [[nodiscard]] bool needs_marks() const;
  /// The marks of rows `first_row`, `first_row` + 1, ... of the table. Throws InvalidInput if it needs none.
  [[nodiscard]] Marks marks(const Batches& rows, std::uint64_t first_row, const Run& run = {}) const;
  /// A forest that is ready to count. `marks` are those of all rows.
  [[nodiscard]] GrownForest with_marks(const Marks& marks, const Survey& survey, const Run& run = {}) const;

  /// The number of numbers that `count` returns, and how many of them add up.
  [[nodiscard]] std::size_t n_counts() const;
  [[nodiscard]] std::size_t n_sums() const;
  /// Counts rows of the table. Throws InvalidInput if the forest needs marks, or Cancelled.
  [[nodiscard]] PartCounts count(const Batches& rows, const Run& run = {}) const;
  /// The model of Model::fit. `counts` are those of all rows. Throws InvalidInput for counts that the rows of the
  /// survey cannot have.
  [[nodiscard]] Model finish(const PartCounts& counts, const Survey& survey, const Run& run = {}) const;

  /// Bytes without the rows of the survey. They are not a model: Model::from_bytes refuses them.
  [[nodiscard]] std::string to_bytes() const;
  /// Throws BadFile.
  static GrownForest from_bytes(std::string_view bytes);

 private:
  struct State;
  explicit GrownForest(std::shared_ptr<const State> state);
  std::shared_ptr<const State> state_;
};

}  // namespace pidforest
