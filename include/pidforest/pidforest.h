// SPDX-License-Identifier: Apache-2.0
// Anomaly detection by partial identification: the whole public API in one include.
#pragma once

#include "pidforest/arrow.h"
#include "pidforest/atomic_file.h"
#include "pidforest/error.h"
#include "pidforest/exact.h"
#include "pidforest/explain.h"
#include "pidforest/model.h"
#include "pidforest/options.h"
#include "pidforest/reader.h"
#include "pidforest/schema.h"
#include "pidforest/series.h"
#include "pidforest/table.h"
#include "pidforest/times.h"
