// Filters, the grid's keys, details and the choice of a graph. All that is chosen stands in the URL's hash.
"use strict";
(() => {
  const facts = JSON.parse(document.getElementById("facts").textContent);
  const form = document.querySelector(".filters"); // null when no combo is shown
  const detail = document.getElementById("detail");
  const status = document.getElementById("status");
  const grids = [...document.querySelectorAll(".scroll")].map(readGrid);
  const lists = form ? [...new Set([...form.querySelectorAll("[type=checkbox]")].map((input) => input.name))] : [];
  const CELL = /^[a-np-z]$/; // "o" is that of values that are not combined
  let grid = grids[0]; // the one that is shown
  let chosen = null; // the cell whose details are shown
  let graph = "";
  let view = "";
  let zoom = ""; // "fit", percent, or empty: full size, or a little smaller

  // ---- what the document holds ----------------------------------------------------------------------

  function readGrid(box) {
    const columns = [...box.querySelectorAll("thead tr:last-child th")].map((th) => ({
      th, outer: th.dataset.outer, title: th.dataset.title, shown: true,
    }));
    const rows = [...box.querySelectorAll("tbody tr")].map((tr) => {
      const build = facts.rows[tr.dataset.b];
      const cells = [...tr.cells];
      const reasons = new Set(cells.map((cell) => cell.dataset.r).filter(Boolean));
      const words = [build.name, build.where, ...Object.values(build.columns), ...build.members,
        ...[...reasons].flatMap((at) => [facts.reasons[at].text, facts.reasons[at].short])];
      return { tr, build, cells, text: words.join(" ").toLowerCase() };
    });
    const kinds = new Set([...box.querySelectorAll("tbody td")].map((cell) => cell.classList[0]));
    const first = Number(box.dataset.first); // cells in front of those of the grid
    const heads = [...box.querySelectorAll("thead tr:first-child [data-outer]")];
    return { box, set: box.dataset.set, first, columns, rows, kinds, heads };
  }

  const isIn = (cell) => cell.textContent === "in";
  const isCell = (cell) => CELL.test(cell.classList[0] || "");

  // ---- the hash -------------------------------------------------------------------------------------

  function readHash() {
    const hash = location.hash.slice(1);
    if (hash && !hash.includes("=")) return; // a plain anchor
    const wanted = new URLSearchParams(hash);
    graph = wanted.get("graph") || "";
    view = wanted.get("view") || "";
    zoom = /^(fit|[1-9]\d{0,2})$/.test(wanted.get("zoom")) ? wanted.get("zoom") : "";
    if (form) readFilters(wanted);
    showGraph(false);
  }

  function readFilters(wanted) {
    for (const input of form.elements) {
      if (input.type === "checkbox") {
        input.checked = (wanted.get(input.name) || "").split(",").includes(input.value);
      } else if (input.type === "radio") {
        input.checked = (wanted.get(input.name) || (input.name === "set" ? grids[0].set : "")) === input.value;
      } else if (input.name === "q") {
        input.value = wanted.get("q") || "";
      }
    }
    filter();
    const at = (wanted.get("cell") || "").split(":");
    const row = at.length === 2 ? grid.rows[at[0]] : null;
    if (row && row.cells[at[1]]) choose(row.cells[at[1]]);
    else choose(null);
  }

  function writeHash() {
    const state = new URLSearchParams();
    if (form) writeFilters(state);
    if (graph) state.set("graph", graph);
    if (view) state.set("view", view);
    if (zoom) state.set("zoom", zoom);
    const text = state.toString().replace(/%2C/g, ",").replace(/%2F/g, "/").replace(/%3A/g, ":");
    if (text !== location.hash.slice(1)) history.replaceState(null, "", text ? "#" + text : location.pathname + location.search);
  }

  function writeFilters(state) {
    const data = new FormData(form);
    const set = data.get("set");
    if (set && set !== grids[0].set) state.set("set", set);
    for (const name of lists) {
      const values = data.getAll(name);
      if (values.length) state.set(name, values.join(","));
    }
    if (data.get("show")) state.set("show", data.get("show"));
    if (data.get("q").trim()) state.set("q", data.get("q").trim());
    if (chosen) state.set("cell", placeOf(chosen).join(":"));
  }

  // ---- filters --------------------------------------------------------------------------------------

  function filter() {
    const data = new FormData(form);
    const wanted = Object.fromEntries(lists.map((name) => [name, new Set(data.getAll(name))]));
    const fits = (name, element) => {
      const value = element.getAttribute("data-" + name);
      return wanted[name].size === 0 || value === null || wanted[name].has(value);
    };
    const show = data.get("show");
    const words = data.get("q").toLowerCase().split(/\s+/).filter(Boolean);
    const next = grids.find((one) => one.set === data.get("set")) || grids[0];
    if (next !== grid && chosen) choose(null);
    grid = next;
    for (const one of grids) one.box.hidden = one !== grid;
    for (const column of grid.columns) {
      column.shown = lists.every((name) => fits(name, column.th));
      column.th.hidden = !column.shown;
    }
    for (const head of grid.heads) {
      const width = grid.columns.filter((column) => column.shown && column.outer === head.dataset.outer).length;
      head.hidden = width === 0;
      if (width) head.colSpan = width;
    }
    const counts = {};
    let rows = 0;
    for (const row of grid.rows) {
      const taken = lists.every((name) => fits(name, row.tr)) &&
        words.every((word) => row.text.includes(word));
      let found = 0;
      let outer = null;
      grid.columns.forEach((column, at) => {
        const cell = row.cells[grid.first + at];
        if (cell.hidden === column.shown) cell.hidden = !column.shown;
        if (!column.shown) return;
        cell.classList.toggle("first", column.outer !== outer);
        column.th.classList.toggle("first", column.outer !== outer);
        outer = column.outer;
        const isOne = isCell(cell);
        const fit = isOne && (!show || (show === "in") === isIn(cell));
        cell.classList.toggle("dim", isOne && !fit);
        if (!taken || !fit) return;
        found += 1;
        counts[cell.classList[0]] = (counts[cell.classList[0]] || 0) + 1;
      });
      row.tr.hidden = !taken || found === 0;
      if (!row.tr.hidden) rows += 1;
    }
    grid.box.querySelector(".none").hidden = rows > 0;
    grid.box.querySelector("table").hidden = rows === 0;
    tell(counts, rows);
    keepTabStop();
    tellHidden();
  }

  function tell(counts, rows) {
    const sum = (kinds) => [...kinds].reduce((total, kind) => total + (counts[kind] || 0), 0);
    const text = (number) => number.toLocaleString("en");
    status.textContent = `${text(sum("tbds"))} built and ${text(sum("kxgn"))} left out in ${text(rows)} of ` +
      `${text(grid.rows.length)} rows`;
    for (const item of document.querySelectorAll(".legend li[data-kind]")) {
      item.hidden = !grid.kinds.has(item.dataset.kind);
      item.querySelector("b").textContent = text(counts[item.dataset.kind] || 0);
    }
  }

  // ---- the grid: one stop for Tab, arrows within ----------------------------------------------------

  function placeOf(cell) {
    return [grid.rows.findIndex((row) => row.tr === cell.parentElement), cell.cellIndex];
  }

  function keepTabStop() {
    const stop = grid.box.querySelector("tbody [tabindex='0']");
    if (stop && !stop.hidden && !stop.parentElement.hidden) return;
    if (stop) stop.removeAttribute("tabindex");
    const row = grid.rows.find((one) => !one.tr.hidden);
    if (!row) return;
    const cell = row.cells.find((one, at) => at >= grid.first && !one.hidden && isCell(one)) || row.cells[0];
    cell.tabIndex = 0;
  }

  function moveTo(cell) {
    const stop = grid.box.querySelector("tbody [tabindex='0']");
    if (stop && stop !== cell) stop.removeAttribute("tabindex");
    cell.tabIndex = 0;
    cell.focus();
  }

  function onKey(event) {
    const cell = event.target.closest("tbody th, tbody td");
    if (!cell || event.altKey || event.metaKey) return;
    const rows = grid.rows.filter((row) => !row.tr.hidden);
    const cells = (row) => row.cells.filter((one) => one.offsetWidth > 0);
    const y = rows.findIndex((row) => row.tr === cell.parentElement);
    const x = cells(rows[y]).indexOf(cell);
    const last = cells(rows[y]).length - 1;
    const go = (row, column) => moveTo(cells(rows[Math.max(0, Math.min(rows.length - 1, row))])[Math.max(0, Math.min(last, column))]);
    const moves = {
      ArrowLeft: () => go(y, x - 1),
      ArrowRight: () => go(y, x + 1),
      ArrowUp: () => go(y - 1, x),
      ArrowDown: () => go(y + 1, x),
      PageUp: () => go(y - 10, x),
      PageDown: () => go(y + 10, x),
      Home: () => go(event.ctrlKey ? 0 : y, 0),
      End: () => go(event.ctrlKey ? rows.length - 1 : y, last),
      Enter: () => (detail.querySelector("a, button") || detail).focus(),
      " ": () => (detail.querySelector("a, button") || detail).focus(),
    };
    if (!moves[event.key]) return;
    event.preventDefault();
    moves[event.key]();
  }

  // ---- details --------------------------------------------------------------------------------------

  function make(name, text, attributes = {}) {
    const element = document.createElement(name);
    if (text) element.textContent = text;
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  }

  function choose(cell) {
    if (chosen) chosen.removeAttribute("aria-selected");
    chosen = cell;
    if (cell) cell.setAttribute("aria-selected", "true");
    detail.classList.toggle("chosen", Boolean(cell));
    describe(cell);
    markJobs();
  }

  const isHidden = (cell) => cell.hidden || cell.parentElement.hidden;

  // The details stay when a filter takes their cell away, and say so.
  function tellHidden() {
    const hidden = Boolean(chosen) && isHidden(chosen);
    const told = detail.querySelector(".away");
    if (hidden === Boolean(told)) return;
    if (told) {
      told.remove();
      return;
    }
    const away = make("p", "The filters hide this cell. ", { class: "away" });
    const show = make("button", "Show it", { type: "button" });
    show.addEventListener("click", () => {
      for (const input of form.elements) {
        if (input.type === "checkbox") input.checked = false;
        else if (input.name === "show") input.checked = input.value === "";
        else if (input.name === "q") input.value = "";
      }
      filter();
      moveTo(chosen);
      writeHash();
    });
    away.append(show);
    detail.querySelector("h3").after(away);
  }

  function describe(cell) {
    if (!cell) {
      detail.replaceChildren(make("p", "Choose a cell to read why it is in or out.", { class: "hint" }));
      return;
    }
    const build = facts.rows[cell.parentElement.dataset.b];
    const column = grid.columns[cell.cellIndex - grid.first];
    const title = make("h3");
    title.append(make("code", build.name));
    if (build.where) title.append(` on ${build.where}`);
    if (column) title.append(`, ${column.title}`);
    const parts = [title];
    if (column) parts.push(verdictOn(cell));
    parts.push(factsOf(build, cell, column));
    detail.replaceChildren(...parts);
    tellHidden();
  }

  function verdictOn(cell) {
    const kind = cell.classList[0];
    const verdict = make("p", "", { class: "verdict" });
    if (kind === "o") {
      verdict.append("These values are not combined here.");
      return verdict;
    }
    const reason = facts.reasons[cell.dataset.r];
    verdict.append(make("i", "", { class: "key " + kind }), (isIn(cell) ? "In: " : "Out: ") + (reason ? reason.text : facts.kinds[grid.set][kind]));
    if (reason && reason.issue) verdict.append(make("a", reason.short, { href: reason.issue, rel: "noreferrer" }));
    return verdict;
  }

  function factsOf(build, cell, column) {
    const list = make("dl");
    const put = (name, ...parts) => {
      const value = make("dd");
      value.append(...parts);
      const pair = make("div");
      pair.append(make("dt", name), value);
      list.append(pair);
      return value;
    };
    const add = (name, text, style) => {
      if (text) put(name, text).className = style || "";
    };
    const reason = facts.reasons[cell.dataset.r];
    if (cell.classList[0] === "d") add("To mend it", build.mend, "mend");
    for (const [name, text] of Object.entries(build.columns)) add(name, text);
    if (column && cell.dataset.n) add("Note", facts.notes[cell.dataset.n]);
    if (column && cell.dataset.change) add("Before", `${cell.dataset.was} (${cell.dataset.change} since ${facts.against})`);
    put("Row", placeLink(reason ? reason.place : build.place));
    if (build.jobs.length) put("Jobs", ...build.jobs.flatMap((jobs, at) => [at ? ", " : "", jobsLink(jobs)]));
    return list;
  }

  // "matrix/a.yml:12", with a link to it where the repository is known.
  function placeLink(place) {
    const [, file, line] = /^(.*):(\d+)$/.exec(place) || [];
    if (!facts.sources || !file) return place;
    return make("a", place, { href: `${facts.sources}${encodeURI(file)}#L${line}`, rel: "noreferrer" });
  }

  // To the graph of a workflow with jobs of the row.
  function jobsLink(jobs) {
    const { file } = facts.graphs[jobs.graph];
    return make("a", `${jobs.ids.length} in ${file}`, { href: `#graph=${encodeURIComponent(file)}`, "data-view": "jobs" });
  }

  // ---- graphs ---------------------------------------------------------------------------------------

  const figure = document.querySelector("figure");
  const canvas = document.getElementById("graph");
  const views = document.getElementById("views");
  const overview = document.getElementById("g0");
  const about = document.getElementById("graph-about").textContent;
  const size = document.getElementById("zoom-at");
  let drawn = "g0";

  function showGraph(focus) {
    const found = facts.graphs.find((one) => one.file === graph);
    if (!found) graph = "";
    document.getElementById("graph-title").textContent = found ? found.title : "All workflows";
    document.getElementById("graph-about").textContent = found
      ? `${found.file}, ${found.count} ${found.count === 1 ? "job" : "jobs"}, from ${found.template}` : about;
    let any = false;
    for (const input of views.querySelectorAll("input")) {
      const differs = input.value === "" || (found && found[input.value] !== found.chains);
      input.parentElement.hidden = !differs;
      any = any || (differs && input.value !== "");
      input.checked = input.value === view;
    }
    views.hidden = !found || !any;
    if (views.querySelector("input:checked")?.parentElement.hidden) views.querySelector("input").checked = true;
    const id = found ? "g" + (found[view || "chains"] ?? found.chains) : overview.id;
    if (id !== drawn) {
      canvas.replaceChildren(document.getElementById(id).content.cloneNode(true));
      drawn = id;
      fit();
      // A graph that is too high begins where its first box is.
      bringIntoView(canvas.querySelector(".box"), false);
      markJobs();
    }
    for (const link of document.querySelectorAll(".workflows nav a")) {
      const current = decodeURIComponent(link.hash) === "#graph=" + graph;
      if (current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
      if (current && link.closest("details")) link.closest("details").open = true;
    }
    if (focus) document.getElementById("graph-title").focus();
  }

  function bringIntoView(box, sideways) {
    const area = canvas.firstElementChild;
    const own = box.getBoundingClientRect();
    const all = area.getBoundingClientRect();
    area.scrollTop += own.top + own.height / 2 - all.top - area.clientHeight / 2;
    if (sideways) area.scrollLeft += own.left + own.width / 2 - all.left - area.clientWidth / 2;
  }

  // Marks the jobs that come of the chosen row.
  function markJobs() {
    const jobs = chosen && facts.rows[chosen.parentElement.dataset.b].jobs.find((one) => facts.graphs[one.graph].file === graph);
    const ids = new Set(jobs ? jobs.ids : []);
    const marked = [...canvas.querySelectorAll("svg [data-job]")].filter((box) => {
      const own = ids.has(box.dataset.job) && !box.parentElement.closest("[data-job]");
      box.classList.toggle("marked", own);
      return own;
    });
    const row = marked.length && facts.rows[chosen.parentElement.dataset.b];
    const about_jobs = document.getElementById("graph-jobs");
    about_jobs.textContent = row ? `Marked: ${marked.length} ${marked.length === 1 ? "job" : "jobs"} of ${row.name} ${row.where}` : "";
    return marked;
  }

  // ---- the size of a graph --------------------------------------------------------------------------

  const SIZES = [5, 10, 15, 25, 35, 50, 65, 80, 100, 125, 150, 200, 300, 400];

  // In percent. Left alone, a little too wide is made smaller; what would be too small to read is scrolled.
  function sizeOf(graph_box, area) {
    const wide = (area.clientWidth - 26) / graph_box.width;
    if (zoom === "fit") return 100 * Math.min(1, wide, (area.clientHeight - 26) / graph_box.height);
    if (zoom) return Number(zoom);
    return wide < 1 && wide > 0.75 ? 100 * wide : 100;
  }

  // What was in the middle stays there.
  function fit() {
    const area = canvas.firstElementChild;
    const svg = area.querySelector("svg");
    const natural = svg.viewBox.baseVal;
    const x = (area.scrollLeft + area.clientWidth / 2) / area.scrollWidth;
    const y = (area.scrollTop + area.clientHeight / 2) / area.scrollHeight;
    const percent = sizeOf(natural, area);
    svg.setAttribute("width", (natural.width * percent) / 100);
    svg.setAttribute("height", (natural.height * percent) / 100);
    area.scrollLeft = x * area.scrollWidth - area.clientWidth / 2;
    area.scrollTop = y * area.scrollHeight - area.clientHeight / 2;
    size.textContent = `${Math.round(percent)} %`;
    return percent;
  }

  function resizeGraph(how) {
    const now = fit();
    const next = {
      in: () => SIZES.find((one) => one > now + 0.5) || SIZES.at(-1),
      out: () => SIZES.findLast((one) => one < now - 0.5) || SIZES[0],
      fit: () => "fit",
      full: () => 100,
    };
    zoom = String(next[how]());
    fit();
    writeHash();
  }

  // ---- wiring ---------------------------------------------------------------------------------------

  form?.addEventListener("input", () => {
    filter();
    writeHash();
  });
  form?.addEventListener("submit", (event) => event.preventDefault());
  form?.addEventListener("reset", () => setTimeout(() => {
    filter();
    writeHash();
  }));
  for (const one of grids) {
    one.box.addEventListener("keydown", onKey);
    one.box.addEventListener("focusin", (event) => {
      const cell = event.target.closest("tbody th, tbody td");
      if (!cell) return;
      choose(cell);
      writeHash();
    });
    one.box.addEventListener("click", (event) => {
      const cell = event.target.closest("tbody th, tbody td");
      if (cell) moveTo(cell);
    });
  }
  detail?.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !chosen) return;
    const back = isHidden(chosen) ? grid.box.querySelector("tbody [tabindex='0']") : chosen;
    if (back && !isHidden(back)) moveTo(back);
  });
  document.querySelector("main").addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#graph=']");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    graph = decodeURIComponent(link.getAttribute("href").slice("#graph=".length));
    view = link.dataset.view || view;
    showGraph(figure.contains(link) || "view" in link.dataset);
    if ("view" in link.dataset) {
      const marked = markJobs();
      if (marked.length) bringIntoView(marked[0], true);
    }
    writeHash();
  });
  document.getElementById("zoom").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) resizeGraph(button.value);
  });
  canvas.addEventListener("keydown", (event) => {
    const how = { "+": "in", "=": "in", "-": "out", 0: "full", f: "fit", F: "fit" }[event.key];
    if (!how || event.ctrlKey || event.metaKey || event.altKey || !event.target.closest(".canvas")) return;
    event.preventDefault();
    resizeGraph(how);
  });
  views.addEventListener("input", (event) => {
    view = event.target.value;
    showGraph(false);
    writeHash();
  });
  addEventListener("hashchange", readHash);
  addEventListener("resize", fit);
  readHash();
  fit();
})();
