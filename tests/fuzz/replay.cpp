// SPDX-License-Identifier: Apache-2.0
// Runs a fuzz target on all files of the given folders, without libFuzzer.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int n_arguments, char** arguments) {
  std::size_t n_files = 0;
  for (int i = 1; i < n_arguments; ++i)
    for (const auto& entry : std::filesystem::directory_iterator(arguments[i])) {
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(file), {}};
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
      ++n_files;
    }
  std::cout << n_files << " files were replayed\n";
  return n_files > 0 ? 0 : 1;
}
