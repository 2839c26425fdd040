// SPDX-License-Identifier: Apache-2.0
#include "arrow/arrow_taken.h"

#include <fmt/format.h>

#include <system_error>

#include "pidforest/error.h"

namespace pidforest::arrow {

namespace {

template <class Struct>
void check(const Taken<Struct>& taken, const char* what) {
  if (!taken.is_there())
    throw InvalidInput(fmt::format("{} must not have been used before; got a released one.", what));
}

}  // namespace

ArrowPair::ArrowPair(ArrowSchema* given_schema, ArrowArray* given_array) : schema(given_schema) {
  Taken<ArrowArray> taken(given_array);
  check(schema, "an Arrow schema");
  check(taken, "an Arrow array");
  array = std::make_shared<const Taken<ArrowArray>>(std::move(taken));
}

ArrowStream::ArrowStream(ArrowArrayStream* stream) : stream_(stream) {
  check(stream_, "an Arrow stream");
  if (const int error = stream_->get_schema(stream_.get(), schema_.get()); error != 0) refuse(error);
  if (!schema_.is_there()) throw InvalidInput("an Arrow stream must have a schema; got none.");
}

TakenArray ArrowStream::next() {
  Taken<ArrowArray> array;
  if (const int error = stream_->get_next(stream_.get(), array.get()); error != 0) refuse(error);
  return array.is_there() ? std::make_shared<const Taken<ArrowArray>>(std::move(array)) : nullptr;
}

void ArrowStream::refuse(int error) {
  const char* words = stream_->get_last_error == nullptr ? nullptr : stream_->get_last_error(stream_.get());
  throw InvalidInput(fmt::format("an Arrow stream must be readable to its end; it says: {}",
                                 words != nullptr ? words : std::generic_category().message(error)));
}

}  // namespace pidforest::arrow
