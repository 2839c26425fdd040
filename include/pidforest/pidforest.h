// SPDX-License-Identifier: Apache-2.0
// Anomaly detection by partial identification: the whole public API in one include.
#pragma once

#include "pidforest/array_table.h"
#include "pidforest/arrow.h"
#include "pidforest/atomic_file.h"
#include "pidforest/batches.h"
#include "pidforest/error.h"
#include "pidforest/exact.h"
#include "pidforest/explainer.h"
#include "pidforest/explanation.h"
#include "pidforest/mark.h"
#include "pidforest/model.h"
#include "pidforest/options.h"
#include "pidforest/repeated_batches.h"
#include "pidforest/run.h"
#include "pidforest/schema.h"
#include "pidforest/series.h"
#include "pidforest/stream.h"
#include "pidforest/table.h"
#include "pidforest/table_reader.h"
#include "pidforest/table_store.h"
#include "pidforest/times.h"
