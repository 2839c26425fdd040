// SPDX-License-Identifier: Apache-2.0
// Tables in the memory of other libraries: arrays of any layout, and Arrow. Only values that need a conversion are
// copied, a batch at a time.
//
//   const std::vector<float> speed = {50, 52, 49};
//   pidforest::ArrayTable table(speed.size());
//   table.add_numbers("speed", pidforest::ElementType::float32, {.first = speed.data(), .stride = sizeof(float)});
//   table.for_each([](const pidforest::Table& batch) { std::cout << batch.columns()[0].number(1); });  // prints 52
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pidforest/schema.h"
#include "pidforest/table.h"

// The structs of the Arrow C data and C stream interfaces. Names, members and guards follow the specification, so that
// several libraries may declare them in one program.

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

// NOLINTBEGIN(modernize-macro-to-enum): macros by specification
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4
// NOLINTEND(modernize-macro-to-enum)

extern "C" {

/// The type of an array. `release` frees it and is null afterwards. To move a struct, copy it and set the `release` of
/// the original to null.
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

/// The values of an array.
struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

}  // extern "C"

#endif  // ARROW_C_DATA_INTERFACE

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

extern "C" {

/// A sequence of arrays with one schema. The functions return 0 or an errno. At the end `get_next` writes an array
/// without `release`.
struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};

}  // extern "C"

#endif  // ARROW_C_STREAM_INTERFACE

namespace [[gnu::visibility("default")]] pidforest {

/// The type of an array's elements. A boolean is a byte; any value but 0 is true. Integers beyond 2^53 are rounded to
/// the nearest double.
enum class ElementType : std::uint8_t {
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float16,
  float32,
  float64
};

/// The unit of durations, and of times since 1970-01-01 00:00 UTC.
enum class TimeUnit : std::uint8_t { days, hours, minutes, seconds, milliseconds, microseconds, nanoseconds };

/// One value per row in the caller's memory, which must outlive the table.
struct ArrayView {
  /// Value i starts i * stride bytes after this address. It need not be aligned.
  const void* first = nullptr;
  /// May be negative or 0.
  std::ptrdiff_t stride = 0;
  /// One byte per row, not 0 where the value is missing; or null if no value is masked.
  const std::uint8_t* missing = nullptr;
};

/// A table of columns that are added one by one. Columns with the layout of a `Column` (doubles, texts, microseconds
/// since 1970; none of them masked) are viewed. Others are converted when rows are read, at most 65,536 rows at a time.
class ArrayTable : public Batches {
 public:
  explicit ArrayTable(std::size_t n_rows);
  ~ArrayTable() override;
  ArrayTable(ArrayTable&&) noexcept;
  ArrayTable& operator=(ArrayTable&&) noexcept;
  ArrayTable(const ArrayTable&) = delete;
  ArrayTable& operator=(const ArrayTable&) = delete;

  // Each of these functions throws InvalidInput for a name that is empty or taken.

  /// Adds numbers, or booleans for `ElementType::boolean`. NaN is missing.
  void add_numbers(std::string name, ElementType element, const ArrayView& values);
  /// Adds one text per row, as in `Column::texts`. Their characters must outlive the table. Throws InvalidInput for
  /// another number of texts.
  void add_texts(std::string name, std::vector<std::string_view> texts);
  /// Adds times as 64-bit integers; the smallest integer is missing, as in numpy. Nanoseconds are rounded down to
  /// microseconds. With a zone, which `declared` then has, they count from 1970 in UTC. Without a zone they are local
  /// times (`Column::are_local`).
  void add_times(std::string name, TimeUnit unit, const ArrayView& values, std::string zone = {});
  /// Adds durations as 64-bit integers; the smallest integer is missing. They become numbers in seconds.
  void add_durations(std::string name, TimeUnit unit, const ArrayView& values);
  /// Adds integer codes that index `levels`; a negative code is missing. Reading a row with a code beyond the levels
  /// throws InvalidInput.
  void add_codes(std::string name, ElementType codes, const ArrayView& values, std::vector<std::string> levels,
                 bool are_ordered);
  void add_codes(std::string name, ElementType codes, const ArrayView& values, std::vector<double> levels,
                 bool are_ordered);

  // Arrow: these functions take ownership of their arguments (`release` is null afterwards) and release them exactly
  // once, also when they throw. The table keeps the arrays. They throw InvalidInput for unsupported types such as
  // lists, for arrays that contradict themselves, and for errors that the stream reports.

  /// Adds one column, which may come in several arrays. Throws InvalidInput unless it has one value per row.
  void add_arrow(std::string name, ArrowArrayStream* stream);
  void add_arrow(std::string name, ArrowSchema* schema, ArrowArray* array);
  /// A table of all record batches of a stream, or of one batch.
  static ArrayTable from_arrow(ArrowArrayStream* stream);
  static ArrayTable from_arrow(ArrowSchema* schema, ArrowArray* array);

  [[nodiscard]] std::size_t n_rows() const override;
  [[nodiscard]] Table header() const override;
  /// Throws InvalidInput that names row and column for a value that cannot be read: a code beyond the levels, or a time
  /// that does not fit into 64 bits of microseconds.
  void for_each(const std::function<void(const Table& batch)>& visit) const override;
  void for_each_part(std::size_t column,
                     const std::function<void(const Column& part, std::size_t n_rows)>& visit) const override;
  /// Not null if every column is viewed and in one piece.
  [[nodiscard]] const Table* in_memory() const override;

  /// The columns whose types tell more than `infer_schema` could see: codes are categories, or ordinal with their
  /// levels; times have a zone, durations a unit; a time of day is cyclic, in hours. Pass it to `infer_schema`.
  [[nodiscard]] Schema declared() const;

 private:
  struct State;
  explicit ArrayTable(std::unique_ptr<State> state);
  friend void for_each_batch(ArrowArrayStream* stream, const std::function<void(const ArrayTable& batch)>& visit);

  std::unique_ptr<State> state_;
};

/// Calls `visit` with each record batch of a stream and releases it before the next one, so that memory stays constant.
/// For a stream without batches, calls `visit` once without rows. Messages count rows of the whole stream. Takes
/// ownership of the stream and throws as `from_arrow` does.
void for_each_batch(ArrowArrayStream* stream, const std::function<void(const ArrayTable& batch)>& visit);

}  // namespace pidforest
