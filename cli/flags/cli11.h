// SPDX-License-Identifier: Apache-2.0
// The types of CLI11 that our headers name, without CLI11 itself, which is slow to parse.
#pragma once

namespace CLI {
class App;
class Option;
class Validator;
}  // namespace CLI
