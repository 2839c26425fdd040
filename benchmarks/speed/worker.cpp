// SPDX-License-Identifier: Apache-2.0
// Our side of the speed comparison: reads commands from speed.py on standard input and answers each with one line,
// which is empty or gives the cost of the work: seconds of CPU time, seconds of wall time, and the peak resident
// kilobytes so far.
//   load FILE D            reads row-major doubles, D columns
//   fit [NAME=VALUE ...]   fits with these options
//   score                  scores the loaded rows
//   threads N              for the following commands
//   save FILE              writes the last scores as doubles
#include <pidforest/pidforest.h>

#include <chrono>
#include <ctime>
#include <fstream>
#include <functional>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>

namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Does not use getrusage, which starts with the peak of the parent process.
long peak_kilobytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::stol(line.substr(6));
  return 0;
}

std::vector<double> load(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw std::runtime_error("cannot open " + path);
  std::vector<double> values(static_cast<std::size_t>(file.tellg()) / sizeof(double));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(double)));
  return values;
}

void timed(const std::function<void()>& work) {
  const double cpu = cpu_seconds();
  const double wall = wall_seconds();
  work();
  std::cout << cpu_seconds() - cpu << ' ' << wall_seconds() - wall << ' ' << peak_kilobytes() << '\n' << std::flush;
}

}  // namespace

int main() {
  std::vector<double> values;
  std::size_t n_columns = 1;
  std::vector<double> scores;
  std::optional<pidforest::Model> model;
  pidforest::Run run{.threads = 1};
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream order(line);
    std::string verb;
    std::string word;
    order >> verb;
    const auto table = [&] { return pidforest::Table::row_major(values, n_columns); };
    if (verb == "load") {
      order >> word >> n_columns;
      timed([&] { values = load(word); });
    } else if (verb == "threads") {
      order >> run.threads;
      std::cout << '\n' << std::flush;
    } else if (verb == "fit") {
      pidforest::Options options;
      while (order >> word) {
        const auto split = word.find('=');
        if (word.substr(0, split) == "preset")
          options = pidforest::preset(word.substr(split + 1));
        else
          set_option(options, word.substr(0, split), word.substr(split + 1));
      }
      timed([&] { model = pidforest::Model::fit(table(), options, run); });
    } else if (verb == "score") {
      scores.resize(table().n_rows());
      timed([&] { model->score_into(scores, table(), run); });
    } else if (verb == "save") {
      order >> word;
      std::ofstream(word, std::ios::binary)
          .write(reinterpret_cast<const char*>(scores.data()),
                 static_cast<std::streamsize>(scores.size() * sizeof(double)));
      std::cout << '\n' << std::flush;
    }
  }
}
