# SPDX-License-Identifier: Apache-2.0
"""Bans calls whose exceptions are not ours: they would end as an internal error where a bad file or bad data is due.

- Calls of std::filesystem must take a std::error_code, named `error` or `ignored`.
- JSON of others is read in the files of GUARDED only, which catch the exceptions of nlohmann.
- A JSON value must not start as null and become an object by operator[]: nlohmann 3.11.2 crashes if memory is missing
  at that moment.
- The library builds no arrays or objects of nlohmann: their destructors allocate, and end the process if memory is
  missing. The command does, because it has a handler for that end and leaves no files behind.
- `thread_local` variables must not have destructors: glibc ends the process if it lacks the memory to note one.
- std::stoi and its kin throw; std::from_chars does not.
"""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("include", "src", "cli", "python/bindings")
GUARDED = {"cli/in/stream_note.cpp", "cli/net/prometheus.cpp"}
# Digits of a number that the program has printed itself.
OWN_DIGITS = {"src/values/round_number.cpp"}
FILE_CALL = re.compile(r"std::filesystem::(?!path\b)(\w+)\(([^;]*?)\)")
JSON_ACCESS = re.compile(r"(\.at\(\"|\.get<|\bJson::parse\((?!to_json\()|\bjson::parse\((?!to_json\())")
NULL_JSON = re.compile(r"\b(?:Json|nlohmann::(?:ordered_)?json) (\w+)(?:;|\{\};| = nullptr;)")
JSON_TREE = re.compile(r"\b(?:nlohmann::ordered_json|(?:Json|json)::(?:array|object|parse))\b")
THREAD_LOCAL = re.compile(r"\bthread_local\b")
TEXT_TO_NUMBER = re.compile(r"std::sto[a-z]+\(")


def problems(name, text):
    """Return the banned calls of a source file."""
    found = []
    for call in FILE_CALL.finditer(text):
        if not re.search(r",\s*(error|ignored)$", call[2]):
            found.append(f"{name}: std::filesystem::{call[1]} without a std::error_code")
    if "nlohmann" in text and name not in GUARDED:
        found += [f"{name}: unguarded access to JSON: {access[1]}" for access in JSON_ACCESS.finditer(text)]
    if "nlohmann" in text:
        found += [f"{name}: {value[1]} must start as Json::object() or Json::array()" for value in NULL_JSON.finditer(text)]
    if "nlohmann" in text and not name.startswith("cli/"):
        found += [f"{name}: {tree[0]}: its destructor allocates" for tree in JSON_TREE.finditer(text)]
    if name in GUARDED and "catch (const Json::exception&)" not in text:
        found.append(f"{name}: it must catch the exceptions of nlohmann")
    code = re.sub(r"//[^\n]*", "", text)
    found += [f"{name}: thread_local; use system::PerThread" for _ in THREAD_LOCAL.finditer(code)]
    if name not in OWN_DIGITS:
        found += [f"{name}: {call[0]}...) throws; use std::from_chars" for call in TEXT_TO_NUMBER.finditer(text)]
    return found


def sources():
    files = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*")) if path.suffix in (".h", ".cpp")]
    return {str(path.relative_to(ROOT)): path.read_text() for path in files}


class Throwing(unittest.TestCase):
    def test_no_source_has_a_banned_call(self):
        found = [problem for name, text in sources().items() for problem in problems(name, text)]
        self.assertEqual(found, [])

    def test_the_exceptions_name_files_that_exist(self):
        self.assertLessEqual(GUARDED | OWN_DIGITS, set(sources()))

    def test_banned_calls_are_found(self):
        for text in (
            "if (std::filesystem::exists(path)) return;",
            "std::filesystem::file_size(path)",
            "std::filesystem::rename(from,\n to);",
            '#include <nlohmann/json.hpp>\nnote.at("key")',
            "#include <nlohmann/json.hpp>\nnote.get<int>()",
            "#include <nlohmann/json.hpp>\nJson::parse(text)",
            "#include <nlohmann/json.hpp>\nJson members;",
            "#include <nlohmann/json.hpp>\nnlohmann::ordered_json line{};",
            "const int n = std::stoi(text);",
            "static thread_local std::vector<int> kept;",
        ):
            self.assertEqual(len(problems("cli/x.cpp", text)), 1, text)
        self.assertEqual(len(problems("cli/in/stream_note.cpp", "nlohmann")), 1)
        self.assertEqual(len(problems("src/x.cpp", "using Json = nlohmann::ordered_json;")), 1)
        self.assertEqual(len(problems("src/x.cpp", "nlohmann::json::array()")), 1)

    def test_guarded_calls_are_allowed(self):
        for text in (
            "std::filesystem::is_directory(path, ignored)",
            "std::filesystem::path target(path);",
            "std::filesystem::path(target).filename()",
            '#include <nlohmann/json.hpp>\nJson::parse(to_json(witness))',
            "#include <nlohmann/json.hpp>\nJson members = Json::object();",
            'names.at("key")',
        ):
            self.assertEqual(problems("cli/x.cpp", text), [], text)


if __name__ == "__main__":
    unittest.main()
