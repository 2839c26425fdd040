# SPDX-License-Identifier: Apache-2.0
"""Makes one file of template.html, its styles and its scripts, and C++ of that file.

    python3 src/report/embed.py src/report/template.html page_parts.cpp

The sample data is left out; what remains is cut where it was. A content-security policy allows the styles and scripts
by their hashes, and nothing else.
"""

import base64
import hashlib
import re
import sys
from pathlib import Path

STYLE = re.compile(r'<link rel="stylesheet" href="([^"]+)">')
SCRIPT = re.compile(r'<script src="([^"]+)"></script>')
DATA = re.compile(r'(<script type="application/json" id="report-data">)(.*?)(</script>)', re.DOTALL)
CHARSET = '<meta charset="utf-8">\n'
PIECE = 8000  # compilers need not take longer literals than 65,536 characters


def hashed(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def policy(styles: list[str], scripts: list[str]) -> str:
    parts = [
        "default-src 'none'",
        f"script-src {' '.join(map(hashed, scripts))}",
        f"style-src {' '.join(map(hashed, styles))}",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    return f'<meta http-equiv="Content-Security-Policy" content="{"; ".join(parts)}">\n'


def one_file(template: Path) -> str:
    """The page with its sample, for which nothing else is read."""
    page = template.read_text(encoding="utf-8")
    texts: dict[str, list[str]] = {"style": [], "script": []}
    licences = set()

    def inline(tag: str, match: re.Match[str]) -> str:
        file = template.parent / match[1]
        text = file.read_text(encoding="utf-8")
        if f"</{tag}" in text.lower() or "<!--" in text:
            raise ValueError(f"{file} holds </{tag} or <!--, which would end or change the page around it")
        texts[tag].append(text)
        if "node_modules" in file.parts:
            licences.add(file.parents[1] / "LICENSE")
        return f"<{tag}>{text}</{tag}>"

    page = STYLE.sub(lambda match: inline("style", match), page)
    page = SCRIPT.sub(lambda match: inline("script", match), page)
    notices = "".join(f"<!-- {file.parent.name}:\n{file.read_text(encoding='utf-8')}-->\n" for file in sorted(licences))
    if page.count(CHARSET) != 1:
        raise ValueError(f"{template} must hold {CHARSET.strip()} once, before which the policy would not hold")
    return page.replace(CHARSET, CHARSET + policy(texts["style"], texts["script"]) + notices)


def around_data(page: str) -> tuple[str, str]:
    (match,) = DATA.finditer(page)
    return page[: match.end(1)], page[match.start(3) :]


def literals(text: str) -> str:
    pieces = [text[start : start + PIECE] for start in range(0, len(text), PIECE)]
    if any(')page"' in piece for piece in pieces):
        raise ValueError('the page holds )page", which ends our literals')
    return ",\n".join(f'    R"page({piece})page"' for piece in pieces)


def source(page: str) -> str:
    before, after = around_data(page)
    return f"""// Made by src/report/embed.py of src/report/template.html.
#include "report/page_parts.h"

namespace pidforest::report {{
namespace {{
constexpr std::string_view before[] = {{
{literals(before)}}};
constexpr std::string_view after[] = {{
{literals(after)}}};
}}  // namespace

std::span<const std::string_view> before_data() {{ return before; }}
std::span<const std::string_view> after_data() {{ return after; }}

}}  // namespace pidforest::report
"""


def main() -> None:
    template, output = map(Path, sys.argv[1:])
    output.write_text(source(one_file(template)), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
