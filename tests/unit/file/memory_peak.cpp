// SPDX-License-Identifier: Apache-2.0
#include "unit/file/memory_peak.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> in_use{0};
std::atomic<std::size_t> peak{0};
/// The size of each block of memory is stored before it.
constexpr std::size_t room_for_size = alignof(std::max_align_t);

}  // namespace

void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  auto* memory = static_cast<char*>(std::malloc(size + room_for_size));
  if (memory == nullptr) return nullptr;
  *reinterpret_cast<std::size_t*>(memory) = size;
  const std::size_t now = in_use += size;
  peak = std::max(peak.load(), now);
  return memory + room_for_size;
}

void* operator new(std::size_t size) {
  void* memory = operator new(size, std::nothrow);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void operator delete(void* memory) noexcept {
  if (memory == nullptr) return;
  char* begin = static_cast<char*>(memory) - room_for_size;
  in_use -= *reinterpret_cast<std::size_t*>(begin);
  std::free(begin);
}

void operator delete(void* memory, std::size_t /*size*/) noexcept { operator delete(memory); }
void operator delete(void* memory, const std::nothrow_t& /*tag*/) noexcept { operator delete(memory); }

namespace pidforest {

std::size_t memory_peak_of(const std::function<void()>& work) {
  const std::size_t before = in_use;
  peak = before;
  work();
  return peak - before;
}

}  // namespace pidforest
