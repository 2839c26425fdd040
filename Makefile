# SPDX-License-Identifier: Apache-2.0
# The commands of this project; CMakePresets.json and scripts/ define what they do.
# `make BOOTSTRAP=: <target>` installs nothing.

BOOTSTRAP ?= scripts/bootstrap
DEMO = build/pidforest detect examples/fleet.csv --label fault --top 15 --report report.html
STREAM_DEMO = python3 examples/live_metrics.py --events 1200 --every 0 | build/pidforest stream --time at --anomalies-only

.PHONY: help tool build demo test bench overhead accuracy losses reproduce comparison machines mixed threshold explain incidents changes wild worlds exact stream-bench report-bench spark-bench test-spark test-asan-python test-connectors torture soak fuzz lint clean
.DEFAULT_GOAL := help

help:
	@echo "make tool       install missing packages and build the command build/pidforest"
	@echo "make build      build the command and the Python package for .venv/bin/python"
	@echo "make demo       build, find the anomalies of a stream and of examples/fleet.csv, and write report.html"
	@echo "make test       run all tests, and the laws and unit tests also under sanitizers"
	@echo "make bench      measure speed against scikit-learn and isotree"
	@echo "make overhead   measure the time and memory that Python adds to the library"
	@echo "make accuracy   measure accuracy on the public data sets"
	@echo "make losses     measure what each option changes where the default preset loses, and noise of other shapes"
	@echo "make reproduce  run the paper's experiments with its rivals (an hour or two; QUICK=1: a part in minutes)"
	@echo "make comparison measure against Isolation Forest, isotree, ECOD and COPOD (20 minutes; PARTS=accuracy,noise,...: a part; QUICK=1)"
	@echo "make machines   measure detection of machines' faults and of their causes (PIDFOREST_DATA: SKAB; FOLDERS=NAME=FOLDER: more)"
	@echo "make mixed      measure rare combinations of categories against scikit-learn and isotree"
	@echo "make threshold  measure how much the automatic threshold flags on regular data and with planted rows (BEFORE: another build)"
	@echo "make explain    measure how often explanations name the planted columns, beside SHAP and a z-score"
	@echo "make incidents  measure incidents and alert budgets on made streams and the series of NAB (PIDFOREST_DATA)"
	@echo "make changes    measure what compare finds, beside plain tests per column"
	@echo "make wild       measure how high one wrong cell ranks in tables that look like real ones, beside five peers"
	@echo "make worlds     measure rare pairs, points off a line and other planted rows against Isolation Forest and ECOD"
	@echo "make exact      measure the cost of exact, and the distance of forests from the sparsest cubes (PIDFOREST_DATA: data sets)"
	@echo "make stream-bench  measure streams against rrcf, river and AWS's forest (PIDFOREST_DATA: the series)"
	@echo "make report-bench  measure the cost of a report on a million rows"
	@echo "make torture    fail every system call and every allocation of every verb and of the Python package (an hour)"
	@echo "make soak       disturb streams in every way for MINUTES=30 and compare their output with that of an undisturbed run"
	@echo "make spark-bench   measure fits, scores and streams on Spark beside local fits and scikit-learn (an hour; PIDFOREST_DATA: data sets)"
	@echo "make test-spark run the tests on Spark: local, a standalone cluster and Spark Connect"
	@echo "make test-connectors  run the tests with a real Prometheus and a real Kafka broker"
	@echo "make test-asan-python  run the tests of the command and of the Python package under sanitizers"
	@echo "make fuzz       fuzz readers, streams and command lines for SECONDS=60 of processor time each, and keep the corpora"
	@echo "make lint       check the format and run clang-tidy (scripts/lint --fix formats)"
	@echo "make clean      remove the build folders"

tool:
	@$(BOOTSTRAP)
	cmake --preset release
	cmake --build --preset release --target pidforest_cli

build:
	@$(BOOTSTRAP) python
	cmake --preset release -DPIDFOREST_BUILD_PYTHON=ON -DPython_EXECUTABLE=$(CURDIR)/.venv/bin/python
	cmake --build --preset release --target pidforest_cli pidforest_python
	.venv/bin/python -c 'import pathlib, sysconfig; pathlib.Path(sysconfig.get_path("purelib"), "pidforest.pth").write_text("$(CURDIR)/build/python\n")'

demo: tool
	$(STREAM_DEMO)
	$(DEMO)

test: build
	@$(BOOTSTRAP) test
	cmake --build --preset release
	cmake --preset asan
	cmake --build --preset asan
	scripts/run_tests release python spark-smoke asan

bench:
	@$(BOOTSTRAP) bench
	@$(BOOTSTRAP) sources
	cmake --preset bench
	cmake --build --preset bench
	.venv/bin/python benchmarks/speed/speed.py $(if $(PARTS),--parts $(PARTS))

overhead: build
	cmake --preset bench
	cmake --build --preset bench --target speed_worker
	.venv/bin/python benchmarks/python/overhead.py

accuracy: tool
	python3 benchmarks/accuracy/accuracy.py

losses: tool
	python3 benchmarks/accuracy/losses.py

reproduce: build
	@$(BOOTSTRAP) bench
	cmake --preset bench
	cmake --build --preset bench --target speed_partition
	.venv/bin/python benchmarks/paper/reproduce.py $(if $(QUICK),--quick)

comparison: build
	@$(BOOTSTRAP) bench
	.venv/bin/python benchmarks/comparison/comparison.py $(if $(PARTS),--parts $(PARTS)) $(if $(QUICK),--quick)

machines: build
	@$(BOOTSTRAP) bench
	.venv/bin/python benchmarks/machines/machines.py $(foreach folder,$(FOLDERS),--folder $(folder))

mixed: tool
	@$(BOOTSTRAP) bench
	.venv/bin/python benchmarks/mixed/mixed.py

threshold: tool
	python3 benchmarks/threshold/threshold.py $(if $(BEFORE),--before $(BEFORE))

explain: tool
	@$(BOOTSTRAP) bench
	.venv/bin/python benchmarks/explain/explain.py

incidents: tool
	@$(BOOTSTRAP) python
	.venv/bin/python benchmarks/incidents/incidents.py

changes: tool
	@$(BOOTSTRAP) bench
	.venv/bin/python benchmarks/compare/changes.py

wild: tool
	@$(BOOTSTRAP) python
	.venv/bin/python benchmarks/wild/wild.py

worlds: tool
	@$(BOOTSTRAP) python
	.venv/bin/python benchmarks/worlds/worlds.py

exact:
	@$(BOOTSTRAP) bench
	cmake --preset bench
	cmake --build --preset bench --target exact_cost exact_gap
	build-bench/exact_cost
	build-bench/exact_gap $(PIDFOREST_DATA)

stream-bench: build
	@$(BOOTSTRAP) bench
	cmake --preset bench
	cmake --build --preset bench --target stream_rate
	.venv/bin/python benchmarks/stream/bench.py

report-bench: tool
	@$(BOOTSTRAP) bench
	.venv/bin/python benchmarks/report/cost.py

test-connectors: tool
	@$(BOOTSTRAP) connectors
	PIDFOREST_BINARY=build/pidforest python3 tests/connectors/prometheus_test.py
	PIDFOREST_BINARY=build/pidforest build-connectors/venv/bin/python tests/connectors/kafka_test.py

torture: build
	cmake --build --preset release --target failing_calls
	PIDFOREST_BINARY=build/pidforest python3 tests/faults/sweep.py --all
	LD_PRELOAD=build/libfailing_calls.so .venv/bin/python tests/faults/python_sweep.py --all

MINUTES ?= 30
soak: tool
	cmake --build --preset release --target failing_calls
	PIDFOREST_BINARY=build/pidforest python3 tests/faults/soak.py --minutes $(MINUTES)
	PIDFOREST_ROTATIONS=1000 PIDFOREST_BINARY=build/pidforest python3 tests/cli/follow_test.py

spark-bench: build
	@$(BOOTSTRAP) spark
	PYTHONPATH=$(CURDIR)/build/python .venv-spark/bin/python benchmarks/spark/bench.py

test-spark: build
	@$(BOOTSTRAP) spark
	scripts/run_tests spark

test-asan-python: build
	cmake --preset asan-python
	cmake --build --preset asan-python
	scripts/run_tests asan-scripts asan-python

SECONDS ?= 60
fuzz: tool
	@$(BOOTSTRAP) fuzz
	cmake --preset fuzz
	cmake --build --preset fuzz
	scripts/fuzz $(SECONDS)

lint:
	@$(BOOTSTRAP) lint
	cmake --preset debug
	scripts/lint

clean:
	rm -rf build build-asan build-bench build-debug build-fuzz build-tsan build-wheel-*
