// SPDX-License-Identifier: Apache-2.0
#include "verbs/score_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

#include "flags/labels.h"
#include "in/adbc_session.h"
#include "pidforest/error.h"
#include "system/parallel.h"
#include "values/number_words.h"

namespace pidforest::cli {

namespace {

using Texts = std::vector<std::optional<std::string>>;

/// Runs `act`; its messages do not show the password.
template <class Act>
auto without_password(const DatabaseAddress& address, const Act& act) {
  try {
    return act();
  } catch (const InvalidInput& error) {
    throw InvalidInput(address.without_password(error.what()));
  } catch (const FileError& error) {
    throw FileError(address.without_password(error.what()));
  }
}

/// A whole number as anyone writes it, so that it may be stored as a number: 17, but not 007.
std::optional<std::int64_t> as_integer(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  return is_number && std::to_string(number) == text ? std::optional(number) : std::nullopt;
}

/// The names of the rows of a batch, from row `first` on; integers if they all are.
class RowNames {
 public:
  RowNames(const Batches& rows, std::string id, RowNumbers numbers) : id_(std::move(id)), numbers_(std::move(numbers)) {
    if (!id_.empty()) rows.for_each([&](const Table& batch) { are_integers_ = are_integers_ && are_integers(batch); });
  }

  [[nodiscard]] std::string column() const { return id_.empty() ? "row" : id_; }
  [[nodiscard]] const char* type() const { return are_integers_ ? "BIGINT" : "TEXT"; }
  void add(const Table& batch, std::uint64_t first, ArrowBatch& out) const {
    if (!are_integers_) return out.add_texts(column(), texts_of(batch));
    std::vector<std::optional<std::int64_t>> numbers(batch.n_rows());
    const Texts texts = id_.empty() ? Texts(batch.n_rows()) : texts_of(batch);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (id_.empty())
        numbers[i] = static_cast<std::int64_t>(numbers_.of(first + i) + 1);
      else if (texts[i])
        numbers[i] = as_integer(*texts[i]);
    }
    out.add_integers(column(), numbers);
  }

 private:
  /// A missing name is NULL.
  [[nodiscard]] Texts texts_of(const Table& batch) const {
    const Column& column = column_of(batch, id_, "--id");
    Texts texts(batch.n_rows());
    for (std::size_t i = 0; i < texts.size(); ++i)
      if (std::string text = text_of(column, i); !text.empty()) texts[i] = std::move(text);
    return texts;
  }
  [[nodiscard]] bool are_integers(const Table& batch) const {
    return std::ranges::all_of(texts_of(batch), [](const auto& text) { return !text || as_integer(*text); });
  }

  std::string id_;
  RowNumbers numbers_;
  bool are_integers_ = true;
};

void append_batch(AdbcSession& session, const std::string& table, const Table& batch, std::uint64_t first,
                  const RowNames& names, const Scores& scores, const ScoreTable::Columns& columns) {
  const std::size_t n = batch.n_rows();
  std::vector<std::optional<double>> bits(n);
  std::vector<std::optional<bool>> is_anomaly(n);
  Texts reasons(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t row = first + i;
    if (!std::isnan(scores.bits[row])) bits[i] = scores.bits[row];
    is_anomaly[i] = columns.rule.is_anomaly(scores.bits[row], scores.is_suppressed(row));
    if (!columns.reasons[row].empty()) reasons[i] = columns.reasons[row];
  }
  ArrowBatch out(n);
  names.add(batch, first, out);
  out.add_numbers("score", bits);
  out.add_booleans("is_anomaly", is_anomaly);
  out.add_texts("reason", reasons);
  session.append(table, out);
}

std::uint64_t n_anomalies_of(const Scores& scores, const AnomalyRule& rule) {
  std::uint64_t n = 0;
  for (std::size_t row = 0; row < scores.bits.size(); ++row)
    n += rule.is_anomaly(scores.bits[row], scores.is_suppressed(row)).value_or(false) ? 1U : 0U;
  return n;
}

}  // namespace

ScoreTable::ScoreTable(Place place, Work& work) : place_(std::move(place)) {
  const bool exists = without_password(place_.address, [&] {
    AdbcSession session(place_.address, place_.driver, AdbcSession::Access::read, work.run());
    return session.has_table(place_.name);
  });
  if (exists && !place_.replaces)
    throw InvalidInput(
        fmt::format("the table '{}' exists in {}; give --into another name, or replace it with --replace.", place_.name,
                    place_.address.shown()));
}

std::uint64_t ScoreTable::write(const Scores& scores, const Columns& columns, Work& work) const {
  const RowNames names(scores.rows, columns.id, columns.numbers);
  const std::string table = quoted('"', place_.name);
  without_password(place_.address, [&] {
    AdbcSession session(place_.address, place_.driver, AdbcSession::Access::write, work.run());
    session.begin();
    if (place_.replaces) session.execute("DROP TABLE IF EXISTS " + table);
    session.execute(fmt::format("CREATE TABLE {} ({} {}, score DOUBLE PRECISION, is_anomaly BOOLEAN, reason TEXT)",
                                table, quoted('"', names.column()), names.type()));
    std::uint64_t row = 0;
    scores.rows.for_each([&](const Table& batch) {
      system::check_cancelled(work.run());
      append_batch(session, place_.name, batch, row, names, scores, columns);
      row += batch.n_rows();
      work.show({"writing", row, scores.bits.size()});
    });
    work.end_progress();
    session.commit();
  });
  const std::uint64_t n_anomalies = n_anomalies_of(scores, columns.rule);
  work.say(fmt::format("{} written to table '{}', {}", values::counted(scores.bits.size(), "row"), place_.name,
                       values::counted(n_anomalies, "anomaly")));
  return n_anomalies;
}

}  // namespace pidforest::cli
