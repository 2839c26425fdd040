// SPDX-License-Identifier: Apache-2.0
// Declared in pidforest/distributed.h.
#include <algorithm>
#include <memory>
#include <ranges>
#include <utility>

#include "parts/marks_state.h"
#include "parts/part_file.h"
#include "pidforest/distributed.h"
#include "pidforest/error.h"
#include "reasons/row_marks.h"

namespace pidforest {

namespace {

constexpr std::string_view marks_kind = "marks";

}  // namespace

Marks::Marks(std::unique_ptr<State> state) : state_(std::move(state)) {}
Marks::~Marks() = default;
Marks::Marks(const Marks& other) : state_(std::make_unique<State>(*other.state_)) {}
Marks& Marks::operator=(const Marks& other) {
  state_ = std::make_unique<State>(*other.state_);
  return *this;
}
Marks::Marks(Marks&&) noexcept = default;
Marks& Marks::operator=(Marks&&) noexcept = default;

void Marks::merge(const Marks& other) {
  if (state_->forest != other.state_->forest)
    throw InvalidInput("the marks are a part of another fit: their forest differs.");
  state_->sets.merge(other.state_->sets);
}

std::string Marks::to_bytes() const {
  const auto& sets = state_->sets.sets();
  file::SectionWriter file = parts::part_file(marks_kind);
  parts::add_number(file, "forest", state_->forest);
  file.add_array("set.first_row", sets | std::views::values, [](std::uint64_t row) { return row; });
  file.add_array("set.n_marks", sets | std::views::keys,
                 [](const auto& marks) { return static_cast<std::uint8_t>(marks.size()); });
  file.add_array("set.mark", sets | std::views::keys | std::views::join, [](std::uint32_t mark) { return mark; });
  return file.finish(file::current_format);
}

Marks Marks::from_bytes(std::string_view bytes) {
  return parts::read_part(bytes, marks_kind, [](file::SectionReader& file) {
    auto state = std::make_unique<State>();
    state->forest = parts::take_number<std::uint32_t>(file, "forest");
    const auto first_row = file.take_array<std::uint64_t>("set.first_row");
    const auto n_marks = file.take_array<std::uint8_t>("set.n_marks");
    const auto mark = file.take_array<std::uint32_t>("set.mark");
    std::size_t next = 0;
    if (n_marks.size() != first_row.size()) throw BadFile("its arrays of sets have different lengths.");
    for (std::size_t i = 0; i < n_marks.size(); ++i) {
      if (n_marks[i] < 2 || n_marks[i] > reasons::RowMarks::most || n_marks[i] > mark.size() - next)
        throw BadFile("its sets must have 2 to 4 marks.");
      const auto marks = mark.copy(next, next + n_marks[i]);
      next += n_marks[i];
      if (std::ranges::adjacent_find(marks, std::ranges::greater_equal{}) != marks.end() || marks[0] == 0)
        throw BadFile("the marks of a set must increase.");
      state->sets.add(marks, first_row[i]);
    }
    if (next != mark.size()) throw BadFile("it has marks that belong to no set.");
    state->sets.keep_bound();
    return Marks(std::move(state));
  });
}

}  // namespace pidforest
