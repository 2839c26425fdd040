# SPDX-License-Identifier: Apache-2.0
"""The examples of docs/spark.md print what they show."""

import doctest
import re

from sessions import ROOT

FENCE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_page_on_spark_prints_what_it_shows(spark, monkeypatch):
    monkeypatch.chdir(ROOT)
    zone = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", "UTC")  # in which toArrow gives points in time
    parser = doctest.DocTestParser()
    snippets = FENCE.findall((ROOT / "docs" / "spark.md").read_text())
    assert all(parser.get_examples(snippet) for snippet in snippets)
    test = parser.get_doctest("\n".join(snippets), {}, "spark.md", None, None)
    report = []
    doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    spark.conf.set("spark.sql.session.timeZone", zone)
    assert "".join(report) == ""
