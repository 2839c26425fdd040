// SPDX-License-Identifier: Apache-2.0
// Changes one section of a model file or of a stream's state at a time and reassembles the file, so that the fuzzer
// gets past the container format.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>

#include "fixed_checksums.h"
#include "forged_file.h"
#include "pidforest/error.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

/// Returns the bytes after one of libFuzzer's own mutations.
std::string mutated(std::string bytes, std::size_t max_size) {
  const std::size_t size = bytes.size();
  bytes.resize(std::max(max_size, size));
  bytes.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(bytes.data()), size, bytes.size()));
  return bytes;
}

std::string mutated_file(const std::string& bytes, std::size_t max_size, unsigned seed) {
  std::minstd_rand random(seed);
  constexpr unsigned one_in_so_many_is_raw = 20;
  if (random() % one_in_so_many_is_raw == 0) return mutated(bytes, max_size);
  try {
    const pidforest::file::SectionReader is_a_file(bytes);
    pidforest::ForgedFile file(bytes);
    const auto names = file.names();
    if (names.empty()) return mutated(bytes, max_size);
    const std::string& name = names[random() % names.size()];
    file.set_text(name, mutated(file.text(name), file.text(name).size() + 64));
    return file.bytes();
  } catch (const pidforest::BadFile&) {
    return mutated(bytes, max_size);
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const std::string changed = mutated_file(pidforest::with_fixed_checksums(bytes), max_size, seed);
  const std::size_t n = std::min(changed.size(), max_size);
  std::memcpy(data, changed.data(), n);
  return n;
}
