// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "reasons/best_parts.cpp"
#include "reasons/best_parts.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pidforest::reasons::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Doubles = hn::CappedTag<double, 8>;

void See(const HeldPlaces& held, double* most) {
  const Doubles d;
  const auto bits = hn::Set(d, held.part->bits);
  for (std::size_t place = held.first; place <= held.last; place += hn::Lanes(d)) {
    const auto before = hn::LoadU(d, most + place);
    const auto is_more = hn::And(hn::FirstN(d, held.last + 1 - place), hn::Lt(before, bits));
    hn::StoreU(hn::IfThenElse(is_more, bits, before), d, most + place);
  }
}

void Offer(const HeldPlaces& held, const double* most, double* counts, std::uint64_t* numbers) {
  const Doubles d;
  const hn::RebindToUnsigned<Doubles> whole;
  const auto bits = hn::Set(d, held.part->bits);
  const auto count = hn::Set(d, static_cast<double>(held.part->count));
  const auto number = hn::Set(whole, held.part->number);
  for (std::size_t place = held.first; place <= held.last; place += hn::Lanes(d)) {
    const auto before = hn::LoadU(d, counts + place);
    const auto least_bits = hn::Sub(hn::LoadU(d, most + place), hn::Set(d, hardly_less));
    const auto is_better =
        hn::And(hn::FirstN(d, held.last + 1 - place), hn::And(hn::Gt(count, before), hn::Gt(bits, least_bits)));
    hn::StoreU(hn::IfThenElse(is_better, count, before), d, counts + place);
    hn::StoreU(hn::IfThenElse(hn::RebindMask(whole, is_better), number, hn::LoadU(whole, numbers + place)), whole,
               numbers + place);
  }
}

}  // namespace pidforest::reasons::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pidforest::reasons {

HWY_EXPORT(See);
HWY_EXPORT(Offer);

namespace {
constexpr std::size_t padding = 7;  // lanes of the longest vector after the last place
}

BestParts::BestParts(std::size_t n) : n_(n), most_(n + padding), counts_(n + padding, -1), numbers_(n + padding) {}

void BestParts::see(const HeldPlaces& held) { HWY_DYNAMIC_DISPATCH(See)(held, most_.data()); }

void BestParts::offer(const HeldPlaces& held) {
  HWY_DYNAMIC_DISPATCH(Offer)(held, most_.data(), counts_.data(), numbers_.data());
}

std::vector<std::uint32_t> BestParts::numbers() const {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(n_);
  for (std::size_t place = 0; place < n_; ++place) numbers.push_back(static_cast<std::uint32_t>(numbers_[place]));
  return numbers;
}

}  // namespace pidforest::reasons
#endif  // HWY_ONCE
