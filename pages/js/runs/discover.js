/// The search for runs: by name or identifier, by date, or near here.

import { call } from "../api.js";
import { serverNow } from "../clock.js";
import { h, replace, write } from "../dom.js";
import { makeField, problemText } from "../form.js";
import { distance } from "../format.js";
import { t } from "../language.js";
import { STATUS, whenWord } from "./words.js";

const NEAR_M = 50_000;

export function mountDiscover(place) {
    document.title = t("Runs – Kith");
    const list = h("ul", { class: "list", "aria-label": t("Runs") });
    const word = h("p", { class: "muted", role: "status" });
    const more = h("button", { type: "button", class: "button wide", hidden: true }, t("More"));
    const search = makeField({
        name: "search", label: t("Name or identifier"), type: "search", autocomplete: "off",
    });
    const from = makeField({ name: "from", label: t("From"), type: "date" });
    const near = h("button", {
        type: "button", class: "button", "aria-pressed": "false", onclick: toggleNear,
    }, t("Near me"));
    const organise = h("a", { class: "button primary", href: "#new", hidden: true },
        t("Organise a run"));
    let here = null;

    replace(place, h("div", { class: "panel column" },
        h("h1", null, t("Runs")),
        h("form", {
            class: "form", role: "search",
            onsubmit: (event) => {
                event.preventDefault();
                load();
            },
        }, search.element, h("div", { class: "row" }, from.element, near),
        h("button", { type: "submit", class: "button primary" }, t("Search"))),
        word, organise, list, more));
    more.onclick = () => load(more.dataset.next);
    load();

    function toggleNear() {
        if (here) {
            here = null;
            near.setAttribute("aria-pressed", "false");
            load();
            return;
        }
        write(word, t("Finding your location …"));
        navigator.geolocation.getCurrentPosition(({ coords }) => {
            here = { latitude: coords.latitude, longitude: coords.longitude, radius: NEAR_M };
            near.setAttribute("aria-pressed", "true");
            load();
        }, () => write(word, t("Your location is not known. Search by name instead.")));
    }

    async function load(after) {
        const query = { after };
        const text = search.value.trim();
        if (text) query.search = text;
        if (from.value) query.from = new Date(`${from.value}T00:00`).toISOString();
        if (here) query.near = here;
        more.hidden = true;
        try {
            let { runs, next } = await call("run.list", query);
            // A page may be empty if many runs were searched without a match.
            while (next && runs.length === 0) {
                ({ runs, next } = await call("run.list", { ...query, after: next }));
            }
            if (!after) replace(list);
            list.append(...runs.map(item));
            more.hidden = !next;
            more.dataset.next = next ?? "";
            organise.hidden = list.children.length > 0;
            write(word, list.children.length ? ""
                : t("No runs found. Check again later, or search for something else."));
            // A typed identifier, as from a poster, opens that run.
            if (runs.length === 1 && text.toLowerCase() === runs[0].run) location.hash = runs[0].run;
        } catch (problem) {
            write(word, problemText(problem));
        }
    }

    return () => {};
}

function item(run) {
    return h("li", null, h("a", { class: "row", href: `#${run.run}` },
        h("span", { class: "grow" },
            h("strong", { class: "break" }, run.name), h("br"),
            h("span", { class: "small muted" },
                `${run.place.name} · ${distance(run.distance)} · ${whenWord(run, serverNow())}`)),
        h("span", { class: `badge ${run.status === "on" ? "good" : ""}` }, STATUS[run.status])));
}
