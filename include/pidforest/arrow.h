// SPDX-License-Identifier: Apache-2.0
// Columns as other programs hold them: arrays of numbers in any layout, and Arrow. Nothing is copied but values that
// must be converted, and those a batch at a time.
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

// The structs of the Arrow C data and C stream interfaces. Names, members and guards are those of their specification,
// so that every library that declares them agrees.

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

// NOLINTBEGIN(modernize-macro-to-enum): macros by specification
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4
// NOLINTEND(modernize-macro-to-enum)

extern "C" {

/// What an array holds. `release` frees it and is null afterwards; one who takes a struct over copies it and sets the
/// `release` of the original to null.
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

/// The values.
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

/// Arrays of one schema, one after the other. The functions return 0 or an errno; at the end the array that they write
/// has no `release`.
struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};

}  // extern "C"

#endif  // ARROW_C_STREAM_INTERFACE

namespace pidforest {

/// What the elements of an array are. A boolean is a byte that is 0 or not; integers beyond 2^53 are rounded to the
/// nearest double.
enum class Element : std::uint8_t {
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

/// What times, counted from 1970-01-01 00:00 UTC, and durations are counted in.
enum class TimeUnit : std::uint8_t { days, hours, minutes, seconds, milliseconds, microseconds, nanoseconds };

/// One value per row in the caller's memory, which must outlive the table that it is added to.
struct Array {
  /// Value i is i * stride bytes behind it. It need not be aligned.
  const void* first = nullptr;
  /// May be negative or 0.
  std::ptrdiff_t stride = 0;
  /// Null, or a byte per row that is not 0 where the value is missing.
  const std::uint8_t* missing = nullptr;
};

/// Columns are added one by one; those that have the layout of a `Column` (doubles, texts, microseconds since 1970;
/// none of them masked) are viewed, the others converted whenever rows are asked for, at most 65,536 at a time.
class ArrayTable : public Batches {
 public:
  explicit ArrayTable(std::size_t n_rows);
  ~ArrayTable() override;
  ArrayTable(ArrayTable&&) noexcept;
  ArrayTable& operator=(ArrayTable&&) noexcept;
  ArrayTable(const ArrayTable&) = delete;
  ArrayTable& operator=(const ArrayTable&) = delete;

  // All of these throw InvalidInput for a name that is empty or taken.

  /// Booleans make a column of booleans. NaN is missing.
  void add_numbers(std::string name, Element element, const Array& values);
  /// One text per row, as in `Column::texts`; what they view must outlive the table. Throws InvalidInput for another
  /// number of them.
  void add_texts(std::string name, std::vector<std::string_view> texts);
  /// 64-bit integers, of which the least is missing, as in numpy. Nanoseconds are rounded down to microseconds. With
  /// a zone, which `declared` has, they count from 1970 in UTC; without one they are those of clocks on the wall
  /// (`Column::are_local`).
  void add_times(std::string name, TimeUnit unit, const Array& values, std::string zone = {});
  /// 64-bit integers, of which the least is missing: a column of numbers, in seconds.
  void add_durations(std::string name, TimeUnit unit, const Array& values);
  /// Places among `levels`, as integers; a negative one is missing. A code beyond the levels is refused when its row is
  /// asked for.
  void add_codes(std::string name, Element codes, const Array& values, std::vector<std::string> levels,
                 bool are_ordered);
  void add_codes(std::string name, Element codes, const Array& values, std::vector<double> levels, bool are_ordered);

  // Arrow: what is given is taken over (its `release` is null afterwards) and released once, even if something is
  // thrown; arrays are kept as long as the table. InvalidInput is thrown for types that are no column of ours, such as
  // lists, for arrays that contradict themselves, and for what the stream itself reports.

  /// One column, in as many arrays as it comes in. Throws InvalidInput for another number of values than rows.
  void add_arrow(std::string name, ArrowArrayStream* stream);
  void add_arrow(std::string name, ArrowSchema* schema, ArrowArray* array);
  /// The record batches of a stream, or one alone.
  static ArrayTable from_arrow(ArrowArrayStream* stream);
  static ArrayTable from_arrow(ArrowSchema* schema, ArrowArray* array);

  [[nodiscard]] std::size_t n_rows() const override;
  [[nodiscard]] Table columns() const override;
  /// Throws InvalidInput that names row and column for a value that cannot be read: a code beyond the levels, a time
  /// beyond what microseconds in 64 bits reach.
  void for_each(const std::function<void(const Table& batch)>& visit) const override;
  void for_each_part(std::size_t column,
                     const std::function<void(const Column& part, std::size_t n_rows)>& visit) const override;
  /// Where every column is viewed, and in one piece.
  [[nodiscard]] const Table* in_memory() const override;

  /// What the types of columns say of their meaning, for those of which `infer_schema` would not know it: codes are
  /// categories, or ordinal with their levels; times have a zone, durations a unit; a time of day is hours around a
  /// circle.
  [[nodiscard]] Schema declared() const;

 private:
  struct State;
  explicit ArrayTable(std::unique_ptr<State> state);
  friend void for_each_batch(ArrowArrayStream* stream, const std::function<void(const ArrayTable& batch)>& visit);

  std::unique_ptr<State> state_;
};

/// Calls `visit` with each record batch of a stream, and releases it before the next one: memory stays constant.
/// A stream without batches is visited once, without rows. Messages name rows of the whole stream. Takes the stream
/// over and throws as `from_arrow` does.
void for_each_batch(ArrowArrayStream* stream, const std::function<void(const ArrayTable& batch)>& visit);

}  // namespace pidforest
