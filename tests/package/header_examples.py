# SPDX-License-Identifier: Apache-2.0
"""Makes one program of the examples at the heads of the public headers.

    python3 tests/package/header_examples.py examples.cpp include/pidforest/*.h

The program runs every example and compares its output with the text after `// prints` in the example.
"""

import re
import sys
from pathlib import Path

PROGRAM = """\
// Made by tests/package/header_examples.py.
{includes}

#include <algorithm>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {{
{functions}
struct Example {{
  const char* header;
  void (*run)();
  const char* expected;
}};
}}  // namespace

int main() {{
  int n_wrong = 0;
  for (const Example& example : {{{calls}}}) {{
    std::ostringstream printed;
    std::streambuf* const standard = std::cout.rdbuf(printed.rdbuf());
    example.run();
    std::cout.rdbuf(standard);
    if (printed.str() == example.expected) continue;
    std::cerr << example.header << ": the example printed '" << printed.str() << "' instead of '" << example.expected << "'\\n";
    ++n_wrong;
  }}
  return n_wrong == 0 ? 0 : 1;
}}
"""


def example_in(header: Path) -> list[str]:
    head = header.read_text(encoding="utf-8").split("#pragma once")[0]
    code = [line.removeprefix("//   ") for line in head.splitlines() if line.startswith("//   ")]
    if not 3 <= len(code) <= 8:
        sys.exit(f"{header}: the head comment must have an example of 3 to 8 lines, indented by 3 blanks; got {len(code)} lines.")
    return code


def output_of(code: list[str]) -> str:
    return "\n".join(found.group(1) for line in code if (found := re.search(r"// prints (.+)$", line)))


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def program_of(headers: list[Path]) -> str:
    functions, calls = [], []
    for header in headers:
        code = example_in(header)
        functions.append(f"void {header.stem}_example() {{\n" + "".join(f"  {line}\n" for line in code) + "}\n")
        calls.append(f"Example{{{quoted(header.name)}, {header.stem}_example, {quoted(output_of(code))}}}")
    includes = "\n".join(f'#include "pidforest/{header.name}"' for header in headers)
    return PROGRAM.format(includes=includes, functions="\n".join(functions), calls=", ".join(calls))


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(program_of([Path(name) for name in sys.argv[2:]]), encoding="utf-8")
