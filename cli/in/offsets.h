// SPDX-License-Identifier: Apache-2.0
// The offsets of events in a log with partitions, such as Kafka's: `pidforest stream --offsets`.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pidforest/reader.h"
#include "pidforest/schema.h"

namespace pidforest::cli {

class Offsets {
 public:
  /// The columns of the partition and of the offset.
  Offsets(std::string partition, std::string offset);

  /// Reads the columns from lines of this format; `header` is that of CSV. Throws InvalidInput if it misses one.
  void begin(const TextFormat& format, const std::string& header);
  /// Whether the event comes after those of its partition so far; it is the last one then. Throws InvalidInput for a
  /// line that is not a row, and an offset that is not a whole number.
  bool is_new(std::string_view line, std::uint64_t number);

  /// The offset of the last event of each partition.
  [[nodiscard]] const std::map<std::string, std::uint64_t>& last() const { return last_; }
  void restore(std::map<std::string, std::uint64_t> last) { last_ = std::move(last); }

 private:
  std::string partition_;
  std::string offset_;
  Schema schema_;
  std::unique_ptr<TableReader> reader_;
  std::map<std::string, std::uint64_t> last_;
};

}  // namespace pidforest::cli
