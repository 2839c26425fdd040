// SPDX-License-Identifier: Apache-2.0
#include "schema/encoded_table.h"

#include <algorithm>

#include "system/parallel.h"

namespace pidforest::schema {

namespace {

constexpr std::size_t rows_per_task = 8192;

/// Rows that are encoded at once: at most 64 MB of numbers, and at least enough for a few blocks.
std::size_t rows_per_batch(std::size_t n_axes) {
  constexpr std::size_t most_values = std::size_t{1} << 23;
  constexpr std::size_t fewest_rows = 1024;
  return std::clamp(most_values / std::max<std::size_t>(n_axes, 1), fewest_rows, 16 * rows_per_task);
}

/// True if no axis needs encoding.
bool is_plain(const Encoder& encoder, const Table& table) {
  const auto columns = encoder.match(table);
  for (std::size_t axis = 0; axis < encoder.axes().size(); ++axis)
    if (!encoder.is_plain(axis, *columns[encoder.axes()[axis].column])) return false;
  return true;
}

/// The run for one batch: it reports progress in rows of the whole table.
Run run_of_batch(const Run& run, std::size_t begin, std::size_t end, std::size_t n_rows) {
  Run part = run;
  if (run.on_progress)
    part.on_progress = [&run, begin, end, n_rows](const Progress& p) {
      run.on_progress({p.stage, begin + p.done * (end - begin) / std::max<std::uint64_t>(p.total, 1), n_rows});
    };
  return part;
}

}  // namespace

EncodedTable::EncodedTable(const Encoder& encoder, const Table& table, const Run& run)
    : EncodedTable(encoder, table, 0, table.n_rows(), run) {}

EncodedTable::EncodedTable(const Encoder& encoder, const Table& table, std::size_t begin, std::size_t end,
                           const Run& run)
    : table_(0, {}) {
  const auto matched = encoder.match(table);
  const auto& axes = encoder.axes();
  const std::size_t n_rows = end - begin;
  std::vector<Column> columns;
  std::vector<std::size_t> to_encode;
  owned_.resize(axes.size());
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    const Column& column = *matched[axes[axis].column];
    if (encoder.is_plain(axis, column)) {
      const Column part = column.from_row(begin);
      columns.push_back(
          {.name = axes[axis].name, .first = part.first, .stride = part.stride, .first_row = part.first_row});
      continue;
    }
    to_encode.push_back(axis);
    owned_[axis].resize(n_rows);
    columns.push_back({.name = axes[axis].name, .first = owned_[axis].data(), .first_row = column.first_row + begin});
  }
  const std::size_t n_tasks = (n_rows + rows_per_task - 1) / rows_per_task;
  if (!to_encode.empty())
    system::parallel_for(n_tasks * to_encode.size(), run, "encoding", [&](std::size_t task, unsigned /*worker*/) {
      const std::size_t axis = to_encode[task / n_tasks];
      const std::size_t first = task % n_tasks * rows_per_task;
      const std::size_t n = std::min(rows_per_task, n_rows - first);
      // Rows are counted from the start of the table, as in messages.
      encoder.encode(axis, *matched[axes[axis].column], begin + first, std::span(owned_[axis]).subspan(first, n));
    });
  table_ = Table(n_rows, std::move(columns));
}

bool EncodedBatches::is_in_memory() const {
  const Table* table = batches_.in_memory();
  return table != nullptr && is_plain(encoder_, *table);
}

void EncodedBatches::for_each(
    const Run& run, const std::function<void(const Table& encoded, std::size_t begin, const Run& run)>& visit) const {
  std::size_t begin = 0;
  batches_.for_each([&](const Table& batch) {
    const std::size_t step =
        is_plain(encoder_, batch) ? std::max<std::size_t>(batch.n_rows(), 1) : rows_per_batch(axes().size());
    for (std::size_t first = 0; first == 0 || first < batch.n_rows(); first += step) {
      const std::size_t end = std::min(first + step, batch.n_rows());
      const Run part = run_of_batch(run, begin + first, begin + end, n_rows());
      // Encoding is a part of the work on the batch and reports no progress of its own.
      const Run silent{.threads = run.threads, .cancel = run.cancel};
      visit(EncodedTable(encoder_, batch, first, end, silent).table(), begin + first, part);
    }
    begin += batch.n_rows();
  });
}

}  // namespace pidforest::schema
