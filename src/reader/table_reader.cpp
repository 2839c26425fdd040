// SPDX-License-Identifier: Apache-2.0
// Declared in pidforest/reader.h.
#include <algorithm>
#include <utility>

#include "pidforest/reader.h"
#include "reader/text_reader.h"

namespace pidforest {

ByteSource bytes_of(std::string_view text) {
  return [text](std::span<char> room) mutable {
    const std::size_t n = text.copy(room.data(), room.size());
    text.remove_prefix(n);
    return n;
  };
}

struct TableReader::State {
  reader::TextReader reader;
};

TableReader::TableReader(ByteSource bytes, const TextFormat& format, const ColumnSelection& selection, Run run)
    : state_(new State{reader::TextReader(std::move(bytes), format, selection, std::move(run))}) {}
TableReader::~TableReader() = default;
TableReader::TableReader(TableReader&& other) noexcept = default;
TableReader& TableReader::operator=(TableReader&& other) noexcept = default;

std::optional<Table> TableReader::next() { return state_->reader.next(); }
Table TableReader::read_line(std::string_view line, std::uint64_t number) {
  return state_->reader.read_line(line, number);
}
std::vector<std::string> TableReader::undecided() const { return state_->reader.undecided(); }
char TableReader::delimiter() const { return state_->reader.delimiter(); }
const std::vector<std::string>& TableReader::not_in_schema() const { return state_->reader.not_in_schema(); }
std::uint64_t TableReader::n_bad_rows() const { return state_->reader.n_bad_rows(); }
const std::string& TableReader::first_bad_row() const { return state_->reader.first_bad_row(); }
std::vector<MissingByWords> TableReader::missing_by_words() const { return state_->reader.missing_by_words(); }
std::vector<NestedValues> TableReader::nested_values() const { return state_->reader.nested_values(); }
bool TableReader::is_json() const { return state_->reader.is_json(); }
std::uint64_t TableReader::n_bytes_read() const { return state_->reader.n_bytes_read(); }
std::uint64_t TableReader::n_sparse_values() const { return state_->reader.n_sparse_values(); }

}  // namespace pidforest
