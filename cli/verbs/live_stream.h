// SPDX-License-Identifier: Apache-2.0
// A stream of lines: reads events, scores and learns each, and writes its line with what was found.
#pragma once

#include "out/work.h"
#include "verbs/stream_request.h"

namespace pidforest::cli {

/// Reads all lines: scores and learns each, and writes it with what was found. Begins, or resumes from the state if its
/// file exists. Saves the state when it is interrupted, too. Throws Cancelled after SIGINT, and AnomaliesFound if that
/// is asked for.
void run_stream(const StreamRequest& request, Work& work);

}  // namespace pidforest::cli
