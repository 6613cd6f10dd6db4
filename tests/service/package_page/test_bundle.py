"""The modules of the page as one file."""

from __future__ import annotations

from importlib.resources import files

import pytest

from proofbase.service.package_page import MODULES, page_files
from proofbase.service.package_page.bundle import bundled


def test_each_module_comes_after_those_that_it_imports() -> None:
    script = page_files()["page.js"].decode()
    places = [script.index(f'modules["{name}"] = (') for name in MODULES]
    assert max(places) == places[0], "the page itself comes last"
    static = files("proofbase.service").joinpath("package_page", "static")
    assert sorted(MODULES) == sorted(place.name for place in static.iterdir() if place.name.endswith(".js"))


def test_imports_and_exports_become_names_of_modules() -> None:
    script = bundled(
        {
            "a.js": 'import { one, two } from "./b.js";\none(two);\n',
            "b.js": "export const one = (x) => x;\nexport async function* two() {}\nconst hidden = 1;\n",
        }
    )
    assert script.index("hidden") < script.index("one(two)")
    assert "\nconst one = (x) => x;\nasync function* two() {}\n" in script
    assert "\nreturn { one, two };\n" in script
    assert '\nconst { one, two } = modules["b.js"];\n' in script


@pytest.mark.parametrize(
    "text", ['import * as b from "./b.js";', "export default 1;", "export { x };", 'import { x } from "./c.js";']
)
def test_other_forms_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"a\.js: (im|ex)port|no module c\.js"):
        bundled({"a.js": text, "b.js": ""})
