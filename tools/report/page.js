// SPDX-License-Identifier: Apache-2.0
// Tables with the class "sortable" are sorted by a click on a heading, back to their order by the
// third one, and have a field that leaves the rows with its words; small plots have one that leaves
// those with its names. The page is whole without this.
"use strict";
(() => {
  const number = (text) => {
    const plain = text.replace(/[,\s%×]/g, "").replace("−", "-");
    return plain === "" || isNaN(plain) ? null : Number(plain);
  };
  const value = (row, column) => {
    const cell = row.cells[column];
    return (cell?.firstChild?.textContent ?? "").trim();
  };
  // Numbers come before words, and cells without a value last, in both directions.
  const compare = (a, b, direction) => {
    const [x, y] = [number(a), number(b)];
    if (x !== null && y !== null) return direction * (x - y);
    if (x !== null || y !== null) return x !== null ? -1 : 1;
    return direction * a.localeCompare(b);
  };
  // Puts a field before `what` and hands the words in it to `keep`.
  const sieve = (what, hint, keep) => {
    const field = document.createElement("input");
    field.type = "search";
    field.className = "sieve";
    field.placeholder = hint;
    field.setAttribute("aria-label", hint);
    field.addEventListener("input", () => {
      keep(field.value.toLowerCase().split(/\s+/).filter(Boolean));
    });
    what.before(field);
  };
  const sortable = (table) => {
    const body = table.tBodies[0];
    const rows = [...body.rows];
    const heads = [...table.tHead.rows[0].cells];
    const show = (sorted) => {
      const ordered = sorted ?? rows;
      const groups = rows.filter((row) => row.classList.contains("group"));
      groups.forEach((row) => (row.hidden = sorted !== null));
      body.append(...ordered);
    };
    heads.forEach((head, column) => {
      head.classList.add("sorts");
      head.tabIndex = 0;
      const turn = () => {
        const now = head.getAttribute("aria-sort");
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        if (now === "ascending") return show(null);
        const direction = now === "descending" ? 1 : -1;
        head.setAttribute("aria-sort", direction === 1 ? "ascending" : "descending");
        const plain = rows.filter((row) => !row.classList.contains("group"));
        show(plain.sort((a, b) => compare(value(a, column), value(b, column), direction)));
      };
      head.addEventListener("click", turn);
      head.addEventListener("keydown", (event) => event.key === "Enter" && turn());
    });
    sieve(table.closest(".scroll, .pinned") ?? table, "show rows with …", (words) => {
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        const kept = !row.classList.contains("group") && words.every((w) => text.includes(w));
        row.classList.toggle("sieved", words.length > 0 && !kept);
      }
    });
  };
  const plots = (box) => {
    sieve(box, "show workloads with …", (words) => {
      for (const plot of box.children) {
        const name = plot.dataset.name.toLowerCase();
        plot.classList.toggle("sieved", words.length > 0 && !words.some((w) => name.includes(w)));
      }
    });
  };
  document.querySelectorAll("table.sortable").forEach(sortable);
  document.querySelectorAll(".sieved-by-name").forEach(plots);
})();
