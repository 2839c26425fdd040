// SPDX-License-Identifier: Apache-2.0
// The verb `prometheus`. Reads series of Prometheus and finds their incidents, or watches them and serves what it
// finds.
#include "net/prometheus.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <memory>
#include <string>
#include <utility>

#include "flags/config_file.h"
#include "flags/exit_codes.h"
#include "flags/flag_values.h"
#include "flags/incident_flags.h"
#include "flags/span.h"
#include "in/lines_in.h"
#include "net/metrics_page.h"
#include "net/prometheus_lines.h"
#include "out/interrupt.h"
#include "out/work.h"
#include "pidforest/error.h"
#include "values/number_words.h"
#include "verbs/detect.h"
#include "verbs/live_stream.h"
#include "verbs/verbs.h"

namespace pidforest::cli {

namespace {

struct Request {
  PrometheusFlags source;
  std::string range = "1d";
  std::string window;
  std::int64_t seed = 0;
  std::string config;
  IncidentFlags in_time;
  /// For runs without --watch.
  DetectRequest detect;
  bool watch = false;
  std::string listen = "127.0.0.1:9709";
  StreamRequest stream;
};

/// The text of a table with the samples of the range.
std::string table_of(const Prometheus& prometheus, std::int64_t from, std::int64_t to) {
  std::string text = prometheus.header() + "\n";
  for (const auto& [sample, line] : prometheus.lines(from, to)) text += line + "\n";
  return text;
}

std::int64_t range_of(const Request& request) { return parse_span("--range", request.range) / 1000; }

void detect(Request& request, const Prometheus& prometheus) {
  const std::int64_t now = latest_time(prometheus.step());
  DetectRequest& wanted = request.detect;
  wanted.training.table.inline_text = table_of(prometheus, now - range_of(request), now);
  wanted.training.table.file = prometheus.shown();
  wanted.training.table.format = "csv";
  wanted.training.options.defaults.seed = request.seed;
  wanted.training.series.time = Prometheus::time_column;
  wanted.training.series.by = Prometheus::series_column;
  wanted.training.series.window = request.window.empty() ? "10" : request.window;
  wanted.incidents = true;
  wanted.in_time = request.in_time;
  run_detect(wanted);
}

/// The window of a stream, 10 by default.
std::size_t window_of(const Request& request) {
  constexpr std::size_t longest = 10'000;
  std::size_t window = 10;
  const std::string& text = request.window;
  if (text.empty()) return window;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), window);
  if (error != std::errc() || end != text.data() + text.size() || window < 1 || window > longest)
    throw InvalidOption(
        fmt::format("--window must be a whole number between 1 and {} with --watch; got {}.", longest, text));
  return window;
}

/// Keeps the page of metrics up to date.
class Watcher final : public StreamWatcher {
 public:
  explicit Watcher(MetricsPage& page) : page_(page) {}
  void take(const std::string& key, std::int64_t time, const EventFinding& finding) override {
    page_.add(key, time, finding);
  }
  void take(const IncidentChange& change) override { page_.add(change.incident, change.news); }

 private:
  MetricsPage& page_;
};

/// "HOST:PORT", "[::1]:PORT" or "PORT".
std::pair<std::string, int> host_and_port(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  std::string host = colon == std::string::npos ? "127.0.0.1" : text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  const std::string digits = colon == std::string::npos ? text : text.substr(colon + 1);
  int port = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  constexpr int highest_port = 65'535;
  if (error != std::errc() || end != digits.data() + digits.size() || port < 0 || port > highest_port || host.empty())
    throw InvalidOption(fmt::format("--listen must be HOST:PORT or PORT; got '{}'.", text));
  return {host, port};
}

void watch(Request& request, const HttpModule& http, const Prometheus& prometheus, Work& work) {
  watch_termination();
  StreamRequest& wanted = request.stream;
  const auto [host, port] = host_and_port(request.listen);
  MetricsPage page(wanted.most_keys);
  const std::unique_ptr<HttpServer> server = http.serve(host, port, "/metrics", [&page] { return page.text(); });
  if (!server)
    throw FileError(
        fmt::format("cannot listen at {}: another program has the port, or the host is not one of this "
                    "machine.",
                    request.listen));
  work.say(fmt::format("serving http://{}:{}/metrics", host.find(':') == std::string::npos ? host : "[" + host + "]",
                       server->port()));
  bool was_up = true;
  const auto told = [&](const std::string& trouble) {
    page.set_source(trouble.empty());
    if (!trouble.empty() && was_up) work.say(trouble + " Trying again every 5 s");
    if (trouble.empty() && !was_up) work.say(fmt::format("{} answers again", prometheus.shown()));
    was_up = trouble.empty();
  };
  const std::int64_t begin = latest_time(prometheus.step());
  std::string past;
  wanted.past_source = [&] {
    past = table_of(prometheus, begin - range_of(request), begin);
    page.set_source(true);
    return std::make_unique<LinesIn>(bytes_of(past), LinesIn::LastLine::is_whole);
  };
  wanted.source = [&] { return std::make_unique<PrometheusLines>(prometheus, work.run(), begin, told); };
  Watcher watcher(page);
  wanted.watcher = &watcher;
  wanted.table.file = prometheus.shown();
  wanted.table.format = "csv";
  wanted.columns.time = Prometheus::time_column;
  wanted.columns.by = Prometheus::series_column;
  wanted.options.defaults.seed = request.seed;
  wanted.sizes.window = window_of(request);
  wanted.min_bits = request.detect.min_bits;
  wanted.incidents = request.in_time;
  wanted.json = request.detect.json;
  run_stream(wanted, work);
}

void run(Request& request) {
  if (range_of(request) <= 0) throw InvalidOption("--range must be longer than 0.");
  const StreamRequest& stream = request.stream;
  if (!request.watch && (!stream.state.empty() || !stream.notify.empty() || !stream.silent_after.empty()))
    throw InvalidOption("--state, --notify and --silent-after require --watch.");
  if (request.watch && (!request.detect.report.file.empty() || request.detect.fail_on_anomaly))
    throw InvalidOption("--report and --fail-on-anomaly cannot be combined with --watch, which has no end.");
  const HttpModule& http = http_for("prometheus");
  Work work(request.stream.run);
  const Prometheus prometheus(http, request.source, work.run().cancel);
  if (request.watch) return watch(request, http, prometheus, work);
  detect(request, prometheus);
}

void add_source_flags(CLI::App& verb, Request& request) {
  constexpr const char* group = "Prometheus";
  verb.add_option(
          "--url", request.source.url,
          "address of Prometheus, such as http://localhost:9090, with USER:PASSWORD@ if it needs them; @FILE: the "
          "first line of a file")
      ->type_name("URL")
      ->required()
      ->group(group);
  verb.add_option("--query", request.source.queries,
                  "a query in PromQL whose series are a metric, with a name for it; may be given several times")
      ->type_name("[NAME=]PROMQL")
      ->required()
      ->allow_extra_args(false)
      ->group(group);
  verb.add_option("--range", request.range, "how much of the past to read; default 1d")
      ->type_name("SPAN")
      ->group(group);
  verb.add_option("--step", request.source.step, "time between two samples; default 1min")
      ->type_name("SPAN")
      ->group(group);
  verb.add_option("--by", request.source.by, "labels that tell series apart; all by default")
      ->type_name("LABEL[,LABEL]")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(group);
  verb.add_option("--bearer-token-file", request.source.token_file,
                  "file with a token for Prometheus; by default PIDFOREST_BEARER_TOKEN of the environment, if set")
      ->type_name("FILE")
      ->group(group);
  verb.add_option("--timeout", request.source.timeout, "longest time for an answer; default 30s")
      ->type_name("SPAN")
      ->group(group);
}

void add_watch_flags(CLI::App& verb, Request& request) {
  constexpr const char* group = "Watching";
  StreamRequest& stream = request.stream;
  verb.add_flag("--watch", request.watch,
                "learn the range, then score each new sample as it comes, write incidents and serve /metrics")
      ->group(group);
  verb.add_option("--listen", request.listen, "where to serve /metrics; port 0: any; default 127.0.0.1:9709")
      ->type_name("HOST:PORT")
      ->group(group);
  verb.add_flag("--every-event", stream.every_event, "write a line for each sample instead of lines about incidents")
      ->group(group);
  verb.add_option("--output", stream.output, "output file, written line by line; standard output by default, or with -")
      ->type_name("FILE")
      ->group(group);
  verb.add_option("--state", stream.state, "a file to resume from, if it exists; written every minute and at the end")
      ->type_name("FILE")
      ->group(group);
  verb.add_option("--notify", stream.notify, "send incidents as JSON to this URL, as `stream --notify`")
      ->type_name("URL")
      ->group(group);
  verb.add_option("--silent-after", stream.silent_after, "write a line when a series has had no sample for this long")
      ->type_name("SPAN")
      ->group(group);
  verb.add_option("--max-keys", stream.most_keys, "maximum number of series kept; default 100")
      ->type_name("N")
      ->check(whole_number(1, 10'000'000))
      ->group(group);
}

void add_own_flags(CLI::App& verb, Request& request) {
  verb.add_option("--window", request.window, "score windows of this many samples; default 10")->type_name("W|auto");
  add_min_bits_flag(verb, request.detect.min_bits);
  verb.add_option("--top", request.detect.top, "number of incidents to print; default 10")
      ->type_name("N")
      ->check(whole_number(0, 1'000'000'000));
  verb.add_flag("--json", request.detect.json, "print one JSON document; with --watch, lines of JSON");
  verb.add_option("--report", request.detect.report.file, "HTML report to write: the incidents and their reasons")
      ->type_name("FILE");
  add_fail_flag(verb, request.detect.fail_on_anomaly);
  verb.add_option("--seed", request.seed, "seed of the random numbers; default 0")
      ->type_name("N")
      ->check(whole_number(0, 4'294'967'295));
  verb.add_flag_callback(
      "--quiet", [&request] { request.stream.run.quiet = request.detect.training.run.quiet = true; },
      "print only results and errors");
  add_incident_flags(verb, request.in_time);
  add_config_flag(verb, request.config);
}

}  // namespace

void add_prometheus(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("prometheus", "Find incidents in series of Prometheus, once or as they come");
  const auto request = std::make_shared<Request>();
  add_source_flags(*verb, *request);
  add_own_flags(*verb, *request);
  add_watch_flags(*verb, *request);
  verb->footer(
      "Example:\n  pidforest prometheus --url http://localhost:9090 --query 'rate(node_cpu_seconds_total[5m])' --range "
      "14d --step 5min\n"
      "  pidforest prometheus --url http://localhost:9090 --query 'load=node_load1' --watch --listen 127.0.0.1:9709");
  verb->callback([request, verb] {
    request->stream.flags = flag_values(*verb);
    run(*request);
  });
}

}  // namespace pidforest::cli
