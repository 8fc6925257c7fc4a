"""The matrix page in a real browser: content, filters, keys, colours, and that it loads nothing.

The page is that of the project; a second one with 300 families tests the size.
"""

import base64
import json
import os
import re
import shutil
import struct
import subprocess
import zlib

import pytest
from needs import need
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from wheelwright import ROOT, SETTINGS, Project, wheelwright

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
WIDE, NARROW = (1280, 900), (400, 844)

TEMPLATE = """\
$[[ template ]]:
  for:
    - platform in combo_sets.release.platforms
    - family in platform.families
  file: release_$[[ platform.name ]]_$[[ family.name ]].yml
name: Release | $[[ platform.title ]] | $[[ family.name ]]
on:
  workflow_dispatch:
permissions: {}
jobs:
  $[[ for combo in family.combos ]]:
    build_$[[ combo.id ]]:
      name: Build | $[[ combo.label ]]
      runs-on: ubuntu-24.04
      timeout-minutes: 5
      steps:
        - run: echo build
"""


def run(*arguments):
    done = wheelwright(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "matrix.html"
    run("graph", "--root", ROOT, "--format", "html", "--out", path)
    return path


@pytest.fixture(scope="module")
def plan():
    return json.loads(run("plan", "--root", ROOT, "--combos", "--format", "json"))


@pytest.fixture(scope="module")
def large_page(tmp_path_factory):
    """300 families, each on two platforms, with a workflow each."""
    root = tmp_path_factory.mktemp("large")
    shutil.copytree(ROOT / "matrix", root / "matrix")
    (root / "templates/workflows").mkdir(parents=True)
    (root / "templates/workflows/release.yml").write_text(TEMPLATE)
    shutil.copy(ROOT / "templates/plan.yml", root / "templates/plan.yml")
    families = root / "matrix/families.yml"
    head, rest = families.read_text().split("\nfamilies:\n", 1)
    tail = rest[rest.index("\ntarget_groups:") :]
    # Rules and triggers refer to existing families.
    named = rest[: rest.index("\ntarget_groups:")].rstrip().rsplit("\n\n#", 1)[0]
    more = "".join(
        f"  gfx9{number:03}:\n    tier: nightly\n"
        f"    linux: {{ family: gfx9{number:03}, targets: [gfx9{number:03}] }}\n"
        f"    windows: {{ family: gfx9{number:03}, targets: [gfx9{number:03}] }}\n"
        for number in range(300)
    )
    families.write_text(f"{head}\nfamilies:\n{named}\n{more}{tail}")
    path = root / "matrix.html"
    run("graph", "--root", root, "--format", "html", "--out", path)
    return path


class Browser:
    def __init__(self):
        options = webdriver.ChromeOptions()
        options.binary_location = BROWSER
        for argument in ("--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
            options.add_argument(argument)
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")  # which root may not have
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(DRIVER))

    def open(self, path, hash="", size=WIDE, scheme="light", media="screen"):
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False},
        )
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {"media": media, "features": [{"name": "prefers-color-scheme", "value": scheme}]},
        )
        self.driver.get("about:blank")
        for log in ("browser", "performance"):
            self.driver.get_log(log)
        self.driver.get(path.as_uri() + hash)

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def press(self, *keys):
        self.driver.switch_to.active_element.send_keys(*keys)

    def choose(self, name, value):
        """Clicks a filter."""
        self.one(f"input[name='{name}'][value='{value}']").click()

    def status(self):
        return self.one("#status").text

    def rows(self):
        """The visible rows: (family and platform, {(torch, python): class})."""
        return [
            (name, {(torch, python): kind for torch, python, kind in cells})
            for name, cells in self.js("""
                const box = document.querySelector(".scroll:not([hidden])");
                const heads = [...box.querySelectorAll("thead tr:last-child th")];
                return [...box.querySelectorAll("tbody tr")].filter((row) => !row.hidden).map((row) => [
                  row.cells[0].innerText.replace(/\\s+/g, " "),
                  [...row.cells].slice(4).map((cell, at) => [cell, heads[at]]).filter(([cell]) => !cell.hidden)
                    .map(([cell, head]) => [head.dataset.torch, head.dataset.python, cell.className]),
                ]);""")
        ]

    def focused(self):
        """The focused cell as [row, column] of the table."""
        return self.js("""
            const cell = document.activeElement.closest("[role=grid] tbody :is(th, td)");
            return cell && [cell.parentElement.sectionRowIndex, cell.cellIndex];""")

    def screenshot(self, scale=1.0):
        size = self.js("return [innerWidth, innerHeight]")
        clip = {"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": scale}
        data = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png", "clip": clip})
        return base64.b64decode(data["data"])


@pytest.fixture(scope="module")
def browser():
    need("chromium", "chromedriver")
    made = Browser()
    yield made
    made.driver.quit()


def pixels(png):
    """The colours of the pixels of an 8-bit PNG."""
    at, data = 8, b""
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        body = png[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", body[:10])
        elif kind == b"IDAT":
            data += body
        at += 12 + length
    size = {2: 3, 6: 4}[color]
    assert depth == 8
    raw, stride, above, found = zlib.decompress(data), width * size, bytes(width * size), []
    for y in range(height):
        mode, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1 : (y + 1) * (stride + 1)])
        for x in range(stride):
            a = line[x - size] if x >= size else 0
            b, c = above[x], above[x - size] if x >= size else 0
            nearest = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
            line[x] = (line[x] + (0, a, b, (a + b) // 2, nearest)[mode]) & 255
        found += [tuple(line[x : x + 3]) for x in range(0, stride, size)]
        above = line
    return found


# ---- the file -----------------------------------------------------------------------------------------


@pytest.mark.quick
def test_the_script_parses():
    subprocess.run(["node", "--check", ROOT / "generator/graph/page/page.js"], check=True)


def test_the_same_input_gives_the_same_bytes(page):
    text = page.read_text(encoding="utf-8")
    assert run("graph", "--root", ROOT, "--format", "html", "--threads", "1") == text
    assert str(ROOT) not in text


@pytest.mark.quick
def test_the_page_stands_alone(page):
    text = page.read_text(encoding="utf-8")
    links = set(re.findall(r'(?:href|src)="([^"#][^"]*)"', text))
    assert {link for link in links if not link.startswith("https://github.com/")} == {"data:,"}
    assert "url(" not in text and "@import" not in text
    assert not re.search(r'\sstyle="|\son[a-z]+="', text), "its security policy forbids these"


@pytest.mark.quick
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_loaded_and_nothing_complains(browser, page, scheme):
    browser.open(page, scheme=scheme)
    browser.choose("show", "out")
    browser.one("nav a[href*='build_linux_pytorch']").click()
    assert browser.driver.get_log("browser") == []
    events = [json.loads(entry["message"])["message"] for entry in browser.driver.get_log("performance")]
    asked = {e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"}
    assert {url for url in asked if not url.startswith("data:")} == {page.as_uri()}


# ---- what it says -------------------------------------------------------------------------------------


@pytest.mark.quick
def test_every_combo_is_shown_as_it_is_planned(browser, page, plan):
    browser.open(page)
    for name in dict.fromkeys(part["set"] for part in plan["sets"]):
        browser.choose("set", name)
        shown = {}
        for row, cells in browser.rows():
            for (torch, python), kind in cells.items():
                if kind[0] != "o":  # the platform has no such combo
                    shown[row, python, torch] = kind[0] in "tbds"
        planned = {}
        for part in plan["sets"]:
            for combo in part["cells"] if part["set"] == name else []:
                row = f"{combo['family']} {part['platform'].title()}"
                planned[row, combo["python"], combo["torch"]] = combo["in"]
        assert shown == planned


def test_details_say_why(browser, page):
    browser.open(page)
    browser.one(".scroll:not([hidden]) td.k").click()
    assert "known failure" in browser.one("#detail").text
    assert browser.one("#detail a").get_attribute("href").startswith("https://github.com/ROCm/TheRock/")
    browser.one(".scroll:not([hidden]) td.t").click()
    assert "In: promoted when its tests pass" in browser.one("#detail").text
    assert "Test runner" in browser.one("#detail").text
    browser.choose("set", "ci")
    assert browser.one("#detail").text.startswith("Choose a cell")
    assert "cell=" not in browser.driver.current_url


def test_workflows_without_combos_have_a_page_too(browser, tmp_path):
    path = tmp_path / "check.html"
    run("graph", "--root", ROOT, "--format", "html", "--workflow", "wheelwright_check", "--out", path)
    browser.open(path)
    browser.one("nav a[href$='wheelwright_check.yml']").click()
    assert "There are no combos in these workflows." in browser.one("#matrix").text
    assert browser.driver.current_url.endswith("#graph=wheelwright_check.yml")
    assert browser.driver.get_log("browser") == []


# ---- filters ------------------------------------------------------------------------------------------


@pytest.mark.quick
def test_filters_take_rows_and_columns_away(browser, page):
    browser.open(page)
    everything = browser.rows()
    browser.choose("platform", "windows")
    assert browser.rows() and all(name.endswith("Windows") for name, _ in browser.rows())
    browser.choose("platform", "linux")
    assert len(browser.rows()) == len(everything)
    browser.choose("tier", "presubmit")
    assert 0 < len(browser.rows()) < len(everything)
    browser.choose("python", "3.12")
    browser.choose("torch", "nightly")
    assert all(list(cells) == [("nightly", "3.12")] for _, cells in browser.rows())
    heads = browser.js("return [...document.querySelectorAll('.scroll:not([hidden]) [data-torch]:not([hidden])')].map((h) => h.innerText)")
    assert heads == ["nightly", "3.12"]
    assert "#platform=linux,windows&tier=presubmit&python=3.12&torch=nightly" in browser.driver.current_url
    browser.one("button[type=reset]").click()
    browser.js("return new Promise((done) => setTimeout(done, 50))")
    assert browser.rows() == everything
    assert "#" not in browser.driver.current_url


def test_in_and_out_and_text(browser, page):
    browser.open(page)
    browser.choose("show", "out")
    assert "0 built and " in browser.status()
    for _, cells in browser.rows():
        assert all("dim" in kind for kind in cells.values() if kind.split()[0] in "tbds")
    browser.choose("show", "")
    browser.one("#find").send_keys("known failure")
    assert browser.rows() and all("k" in str(cells.values()) for _, cells in browser.rows())
    browser.one("#find").clear()
    browser.one("#find").send_keys("no such family")
    assert browser.rows() == []
    assert browser.one(".scroll:not([hidden]) .none").is_displayed()


def test_the_address_brings_a_view_back(browser, page):
    browser.open(page, "#tier=nightly&python=3.11&show=in&q=gfx1&cell=2:4&graph=resolve_versions.yml")
    assert browser.one("input[name=tier][value=nightly]").is_selected()
    assert browser.one("#find").get_attribute("value") == "gfx1"
    assert browser.one("#graph-about").text.startswith("resolve_versions.yml, ")
    assert browser.js("return document.querySelector('[aria-selected=true]').cellIndex") == 4
    shown = browser.rows()
    browser.js("location.hash = '#tier=nightly'")
    browser.js("return new Promise((done) => setTimeout(done, 50))")
    assert len(browser.rows()) > len(shown)


# ---- keys ---------------------------------------------------------------------------------------------


def test_the_table_is_one_stop_for_tab_and_arrows_move_in_it(browser, page):
    browser.open(page)
    browser.one("button[type=reset]").send_keys(Keys.TAB)
    if not browser.focused():  # a scrollable box can be focused
        browser.press(Keys.TAB)
    start = browser.focused()
    assert start is not None
    assert len(browser.all(".scroll:not([hidden]) tbody [tabindex='0']")) == 1
    row, column = start
    for key, place in [
        (Keys.ARROW_DOWN, [row + 1, column]),
        (Keys.ARROW_RIGHT, [row + 1, column + 1]),
        (Keys.ARROW_LEFT, [row + 1, column]),
        (Keys.ARROW_UP, [row, column]),
        (Keys.HOME, [row, 0]),
        (Keys.ARROW_LEFT, [row, 0]),
        (Keys.PAGE_DOWN, [row + 10, 0]),
    ]:
        browser.press(key)
        assert browser.focused() == place
    assert len(browser.all(".scroll:not([hidden]) tbody [tabindex='0']")) == 1
    browser.press(Keys.TAB)
    assert browser.focused() is None


def test_keys_lead_to_the_details_and_back(browser, page):
    browser.open(page)
    browser.one(".scroll:not([hidden]) td.k").click()
    place = browser.focused()
    browser.press(Keys.ENTER)
    assert browser.js("return document.activeElement.matches('#detail a')")
    browser.press(Keys.ESCAPE)
    assert browser.focused() == place


def test_what_has_the_focus_is_seen(browser, page):
    browser.open(page)
    stops = browser.js("return document.querySelectorAll('a, button, input, summary, [tabindex=\"0\"]').length")
    seen = set()
    for _ in range(min(stops, 80)):
        browser.press(Keys.TAB)
        found = browser.js("""
            const own = document.activeElement;
            const box = own.matches(".chip input") ? own.nextElementSibling
              : own.matches("svg a") ? own.querySelector(".face") : own;
            const style = getComputedStyle(box);
            const area = own.getBoundingClientRect();
            return [own.outerHTML.slice(0, 120), style.outlineStyle !== "none" || box.matches(".face"),
                    area.bottom > 0 && area.top < innerHeight];""")
        if found[0].startswith("<body"):
            break
        seen.add(found[0])
        assert found[1] and found[2], found
    assert len(seen) > 15


# ---- graphs -------------------------------------------------------------------------------------------


def test_a_workflow_is_chosen_from_the_list_and_from_a_graph(browser, page):
    browser.open(page)
    browser.one("nav a[href*='build_linux_pytorch']").send_keys(Keys.ENTER)
    assert "graph=build_linux_pytorch_wheels.yml" in browser.driver.current_url
    assert browser.one("nav [aria-current]").text == "build_linux_pytorch_wheels"
    browser.one("nav details summary").click()
    browser.one("nav details a").click()
    chains = browser.js("return document.querySelectorAll('#graph .box').length")
    browser.choose("view", "jobs")
    assert browser.js("return document.querySelectorAll('#graph .box').length") > chains
    browser.choose("view", "")
    browser.one("#graph a[href*='build_linux_pytorch']").send_keys(Keys.ENTER)
    assert browser.one("#graph-about").text.startswith("build_linux_pytorch_wheels.yml")
    assert browser.js("return document.activeElement.id") == "graph-title"


def test_text_stays_in_its_box_in_every_graph(browser, page):
    browser.open(page)
    assert browser.js("""
        const place = document.getElementById("graph");
        const bad = [];
        let texts = 0;
        for (const template of document.querySelectorAll("template")) {
          place.replaceChildren(template.content.cloneNode(true));
          for (const text of place.querySelectorAll("svg text")) {
            const face = text.parentElement.querySelector(":scope > .face").getBBox();
            const own = text.getBBox();
            texts += 1;
            if (own.x < face.x || own.y < face.y || own.x + own.width > face.x + face.width ||
                own.y + own.height > face.y + face.height) bad.push(text.textContent);
          }
        }
        return [texts > 100, bad];""") == [True, []]


def graph_size(browser):
    """The width of the graph as it is shown, its own, and what the page says of it."""
    return browser.js("""
        const svg = document.querySelector("#graph svg");
        return [svg.getBoundingClientRect().width, svg.viewBox.baseVal.width,
                document.getElementById("zoom-at").textContent];""")


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_a_graph_is_fitted_and_zoomed_by_keys_and_buttons(browser, page, size):
    browser.open(page, "#graph=ci_nightly.yml&view=open", size=size)
    browser.js("document.querySelector('#graph .canvas').focus()")
    browser.press("f")
    fitted = browser.js("""
        const box = document.querySelector("#graph .canvas");
        return [box.scrollWidth <= box.clientWidth, box.scrollHeight <= box.clientHeight];""")
    assert fitted == [True, True]
    assert "zoom=fit" in browser.driver.current_url
    small = graph_size(browser)[0]
    browser.press("+")
    assert graph_size(browser)[0] > small
    browser.press("-")
    browser.press("0")
    shown, own, said = graph_size(browser)
    assert (shown, said) == (pytest.approx(own, abs=1), "100 %")
    browser.one("#zoom button[value=in]").send_keys(Keys.ENTER)
    assert graph_size(browser)[::2] == [pytest.approx(1.25 * own, abs=1), "125 %"]
    browser.one("#zoom button[value=out]").send_keys(Keys.SPACE)
    assert graph_size(browser)[2] == "100 %"
    address = browser.driver.current_url.partition("#")[2]
    assert "zoom=100" in address
    browser.one("#zoom button[value=fit]").click()
    assert graph_size(browser)[0] == pytest.approx(small, abs=1)
    browser.open(page, "#graph=ci_nightly.yml&view=open&zoom=50", size=size)
    assert graph_size(browser)[2] == "50 %"
    assert browser.js("return document.documentElement.scrollWidth") == size[0]


# ---- from a row to its line and its jobs --------------------------------------------------------------


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_a_row_leads_to_its_line_and_to_its_jobs(browser, page, size):
    browser.open(page, size=size)
    browser.js("document.querySelector('.scroll:not([hidden]) td.t').focus()")
    name = browser.js("return document.querySelector('[aria-selected=true]').parentElement.dataset.b")
    if not name or not browser.focused():
        browser.one(".scroll:not([hidden]) td.t").click()
    browser.press(Keys.ENTER)
    assert browser.js("return document.activeElement.matches('#detail a')")
    link = browser.one("#detail a[href*='/blob/']")
    file, line = link.text.split(":")
    assert link.get_attribute("href") == f"https://github.com/ROCm/TheRock/blob/HEAD/{file}#L{line}"
    row = browser.one("#detail h3 code").text
    assert row.partition("-")[0].lower() in (ROOT / file).read_text().splitlines()[int(line) - 1].lower()
    jobs = browser.one("#detail a[data-view]")
    count = int(jobs.text.split()[0])
    jobs.send_keys(Keys.ENTER)
    assert browser.js("return document.activeElement.id") == "graph-title"
    assert "view=jobs" in browser.driver.current_url
    assert len(browser.all("#graph svg .marked")) == count
    assert browser.one("#graph-jobs").text.startswith(f"Marked: {count} job")
    assert row in browser.one("#graph-jobs").text
    seen = browser.js("""
        const area = document.querySelector("#graph .canvas").getBoundingClientRect();
        const own = document.querySelector("#graph svg .marked").getBoundingClientRect();
        return own.right > area.left && own.left < area.right && own.bottom > area.top && own.top < area.bottom;""")
    assert seen


def test_rows_of_a_project_in_a_folder_link_below_it(tmp_path):
    shutil.copytree(ROOT / "examples/cpp-library", tmp_path / "deep/project")
    (tmp_path / ".git").mkdir()
    root = tmp_path / "deep/project"
    settings = root / "matrix/settings.yml"
    text = run("graph", "--root", root, "--format", "html")
    repository = re.search(r"repository: *([\w./-]+)", settings.read_text())[1]
    assert f'"sources": "https://github.com/{repository}/blob/HEAD/deep/project/"' in text
    settings.write_text(re.sub(r" *repository: .*\n", "", settings.read_text()))
    text = run("graph", "--root", root, "--format", "html")
    assert '"sources": ""' in text
    assert "/blob/HEAD/" not in text.partition("<script")[0]


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_details_say_that_the_filters_hide_their_cell(browser, page, size):
    browser.open(page, size=size)
    browser.one(".scroll:not([hidden]) td.k").click()
    title, place = browser.one("#detail h3").text, browser.focused()
    assert browser.all("#detail .away") == []
    browser.one("#find").send_keys("no such family")
    assert "The filters hide this cell." in browser.one("#detail").text
    assert browser.one("#detail h3").text == title
    browser.one("#find").clear()
    browser.one("#find").send_keys(" ")
    assert browser.all("#detail .away") == []
    browser.one("#find").send_keys("no such family")
    browser.one("#detail button").send_keys(Keys.ENTER)
    assert browser.focused() == place
    assert browser.all("#detail .away") == []
    assert browser.one("#find").get_attribute("value") == ""


# ---- what a run takes ---------------------------------------------------------------------------------

TIMED = """\
$[[ template ]]: { file: timed.yml }
name: Timed
on:
  push:
    branches: [main]
  workflow_dispatch:
permissions: {}
concurrency:
  group: ${{ github.workflow }}-${{ github.ref }}
jobs:
  build:
    name: Build
    runs-on: ubuntu-24.04
    timeout-minutes: 30
    steps:
      - run: echo build
  lint:
    name: Lint
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    steps:
      - run: echo lint
  check:
    name: Check
    needs: [build, lint]
    uses: ./.github/workflows/called.yml
"""
CALLED = """\
$[[ template ]]: { file: called.yml }
name: Called
on:
  workflow_call:
permissions: {}
jobs:
  first:
    name: First
    runs-on: ubuntu-24.04
    timeout-minutes: 20
    steps:
      - run: echo first
  free:
    name: Free
    needs: first
    runs-on: ubuntu-24.04
    timeout-minutes: ${{ fromJSON('40') }}
    steps:
      - run: echo free
"""


@pytest.fixture(scope="module")
def timed(tmp_path_factory):
    return Project(tmp_path_factory.mktemp("timed"), {
        "matrix/settings.yml": SETTINGS, "templates/workflows/timed.yml": TIMED,
        "templates/workflows/called.yml": CALLED})


def costs(browser):
    return browser.js("""
        return [...document.querySelectorAll("[aria-labelledby=cost-title] tbody tr")]
          .map((row) => [...row.cells].map((cell) => cell.textContent));""")


def steps(browser):
    """What the table below a time line says, and where its bars begin and end, in parts of the whole."""
    rows = browser.js("""
        return [...document.querySelectorAll("#graph .listing tbody tr")]
          .map((row) => [...row.cells].map((cell) => cell.textContent));""")
    bars = browser.js("""
        return [...document.querySelectorAll("#graph svg .bar")].map((bar) => [bar.x.baseVal.value, bar.width.baseVal.value]);""")
    return rows, bars


@pytest.mark.parametrize("size", [WIDE, NARROW])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_trigger_costs_its_jobs_and_what_they_call(browser, timed, size, scheme):
    timed.ok("graph", "--format", "html", "--out", "timed.html")
    browser.open(timed.folder / "timed.html", size=size, scheme=scheme)
    # 30 + 5 + 20, and the 360 of a job with a limit that only GitHub knows; 30, 20 and 360 follow each other.
    assert costs(browser) == [
        ["push main", "timed.yml", "4", "6 h 55 min", "6 h 50 min"],
        ["workflow_dispatch", "timed.yml", "4", "6 h 55 min", "6 h 50 min"],
    ]
    browser.one("[aria-labelledby=cost-title] a").send_keys(Keys.ENTER)
    assert browser.js("return document.activeElement.id") == "graph-title"
    assert browser.driver.current_url.endswith("#graph=timed.yml&view=time")
    rows, bars = steps(browser)
    assert rows == [
        ["Build", "", "0 min", "30 min"],
        ["Lint", "", "0 min", "5 min"],
        ["Check \u203a First", "Build", "30 min", "20 min"],
        ["Check \u203a Free", "Check \u203a First", "50 min", "6 h"],
    ]
    assert bars[0][0] == bars[1][0] and bars[2][0] == pytest.approx(sum(bars[0]), abs=0.2)
    assert bars[3][0] == pytest.approx(sum(bars[2]), abs=0.2)
    assert len(browser.all("#graph svg .arrow")) == 2
    assert browser.js("return document.documentElement.scrollWidth") == size[0]
    assert browser.js(CONTRAST)[1] == {}
    assert browser.driver.get_log("browser") == []


def test_measured_minutes_go_before_limits(browser, timed):
    timed.write("minutes.json", '{ "timed/build": 10, "free": 12.5, "called.yml/first": 20 }')
    timed.ok("graph", "--format", "html", "--minutes", "minutes.json", "--out", "measured.html")
    browser.open(timed.folder / "measured.html", "#graph=timed.yml&view=time")
    assert costs(browser)[0][2:] == ["4", "48 min", "43 min"]
    rows, _ = steps(browser)
    assert [row[3] for row in rows] == [
        "10 min, measured", "5 min", "20 min, measured", "13 min, measured"]
    assert len(browser.all("#graph svg .bar.measured")) == 3


@pytest.mark.quick
@pytest.mark.parametrize("text, says", [
    ("{", "minutes.json: "),
    ("[]", "minutes.json: is not an object"),
    ('{ "build": -1 }', "minutes.json: the minutes of build are not a number from 0 to 1000000"),
    ('{ "build": "long" }', "minutes.json: the minutes of build are not a number from 0 to 1000000"),
    ('{ "timed.yml/biuld": 3 }', "minutes.json: no workflow has a job timed.yml/biuld"),
    (None, "minutes.json: there is no such file"),
])
def test_wrong_minutes_are_refused(timed, text, says):
    (timed.folder / "minutes.json").unlink(missing_ok=True)
    if text is not None:
        timed.write("minutes.json", text)
    said = timed.refused("graph", "--format", "html", "--minutes", "minutes.json", "--out", "wrong.html")
    assert said.startswith("error[wrong-minutes]: " + says)
    assert not (timed.folder / "wrong.html").exists()


# ---- how it looks -------------------------------------------------------------------------------------

CONTRAST = """
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const rgb = (color) => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const light = (color) => color.slice(0, 3).map((c) => c / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
      .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
    const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
    const ground = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const face = at.matches("g.box") ? at.querySelector(":scope > .face, :scope > a > .face") : null;
        const style = getComputedStyle(face || at);
        const color = face ? style.fill : style.backgroundColor;
        if (color !== "none" && rgb(color)[3] === 255) return rgb(color);
      }
      return [255, 255, 255, 255];
    };
    const found = [];
    for (const element of document.querySelectorAll("body *")) {
      const style = getComputedStyle(element);
      const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
      if (own && element.getClientRects().length && parseFloat(style.fontSize) > 0 && !element.matches("script, template")) {
        const color = element.closest("svg") ? style.fill : style.color;
        found.push([element.outerHTML.slice(0, 80), ratio(rgb(color), ground(element)), 4.5]);
      }
      if (element.matches("td:not(.dim), .key") && element.getClientRects().length && element.matches(".t, .b, .d, .s, .k, .x, .g, .n")) {
        const sign = getComputedStyle(element, element.matches("td") ? "::before" : null);
        const drawn = element.matches(".t, .b, .d, .s");
        if (element.matches("td") || drawn) {
          const color = drawn ? sign.borderTopColor : sign.color;
          found.push([element.className, ratio(rgb(color), ground(drawn ? element.parentElement : element)), 3]);
        }
      }
    }
    const worst = {};
    for (const [what, value, least] of found) if (value < least) worst[what] = value;
    return [found.length, worst];
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("graph", ["", "&graph=ci_nightly.yml&view=open"])
def test_colours_keep_the_contrast_of_wcag_aa(browser, page, scheme, graph):
    browser.open(page, "#cell=1:5" + graph, scheme=scheme)
    count, worst = browser.js(CONTRAST)
    assert count > 300
    assert worst == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everything_can_be_read_on_a_narrow_screen(browser, page, scheme):
    browser.open(page, size=NARROW, scheme=scheme)
    assert browser.js("""
        const cut = [];
        for (const cell of document.querySelectorAll(".plain td")) {
          if (!cell.textContent.trim() || !cell.getClientRects().length) continue;
          const own = cell.getBoundingClientRect();
          const text = document.createRange();
          text.selectNodeContents(cell);
          for (const part of text.getClientRects()) {
            if (part.left < 0 || part.right > innerWidth || part.right > own.right + 1) cut.push(cell.textContent);
          }
        }
        return cut;""") == []
    mend = browser.js("""
        const cell = document.querySelector("[aria-labelledby=ends-title] [data-label='What would mend it']");
        return [getComputedStyle(cell, "::before").content, cell.getBoundingClientRect().width > 200];""")
    assert mend == ['"What would mend it"', True]
    browser.one(".scroll:not([hidden]) td.d").click()
    mend = browser.one("#detail .mend")
    assert mend.text
    browser.press(Keys.ENTER)  # the focus is in the details, which scroll
    browser.js("arguments[0].scrollIntoView({ block: 'nearest' })", mend)
    assert browser.js("""
        const own = arguments[0].getBoundingClientRect();
        const area = document.getElementById("detail").getBoundingClientRect();
        return own.left >= area.left && own.right <= area.right && own.top < area.bottom;""", mend)
    count, worst = browser.js(CONTRAST)
    assert count > 300
    assert worst == {}


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_the_page_is_as_wide_as_the_window(browser, page, size):
    for hash in ["", "#set=ci", "#show=out&cell=12:6", "#graph=ci_nightly.yml"]:
        browser.open(page, hash, size=size)
        assert browser.js("return document.documentElement.scrollWidth") == size[0]


def test_light_and_dark_look_as_they_should(browser, page):
    for scheme, bright in [("light", True), ("dark", False)]:
        browser.open(page, scheme=scheme)
        shown = pixels(browser.screenshot(0.1))
        mean = sum(sum(pixel) for pixel in shown) / len(shown) / 3
        assert len(set(shown)) > 100
        assert mean > 200 if bright else mean < 70


def test_nothing_moves_while_it_loads_or_when_a_cell_is_chosen(browser, page):
    browser.open(page)
    shift = """
        const done = arguments[0];
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += entry.value;
        }).observe({ type: "layout-shift", buffered: true });
        setTimeout(() => done(sum), 200);"""
    assert browser.driver.execute_async_script(shift) < 0.01
    height = browser.js("return document.documentElement.scrollHeight")
    browser.one(".scroll:not([hidden]) td.d").click()
    assert browser.js("return document.documentElement.scrollHeight") == height


@pytest.mark.quick
def test_print_shows_tables_alone(browser, page):
    browser.open(page, size=(1050, 900), scheme="dark", media="print")
    assert not browser.one(".filters").is_displayed()
    assert browser.one(".scroll:not([hidden]) table").is_displayed()
    assert browser.js("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert browser.js("return document.documentElement.scrollWidth") == 1050


# ---- size ---------------------------------------------------------------------------------------------


def test_three_hundred_families(browser, large_page):
    assert large_page.stat().st_size < 4_000_000
    for size in (WIDE, NARROW):
        browser.open(large_page, size=size)
        assert browser.js("return document.documentElement.scrollWidth") == size[0]
    assert len(browser.rows()) > 600
    spent = browser.js("""
        const find = document.getElementById("find");
        const start = performance.now();
        find.value = "gfx9123";
        find.dispatchEvent(new Event("input", { bubbles: true }));
        document.body.offsetHeight;
        return performance.now() - start;""")
    assert [name for name, _ in browser.rows()] == ["gfx9123 Linux", "gfx9123 Windows"]
    assert spent < 2000
    assert len(browser.all("nav a")) > 600
