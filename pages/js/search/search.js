/// One field that finds people, places and cities; the chosen result is shown on the map.

import { openDialog } from "../dialog.js";
import { h, write } from "../dom.js";
import { icon } from "../icons.js";
import { t, tn } from "../language.js";
import { store } from "../store.js";
import { makeCombobox } from "./combobox.js";
import { showResult } from "./showing.js";
import { citiesOf, known, placesOf, prepare } from "./sources.js";

/// The server is not queried at every letter.
const PAUSE_MS = 250;
const LEAST_LETTERS = 2;
const ICONS = { person: "person", own: "pin", recent: "clock", place: "pin", city: "map" };

/// - Parameter pick: receives the chosen result instead of the map; only results with a position
///   can then be chosen.
export function openSearch(app, { pick = null } = {}) {
    const status = h("p", { class: "small muted", role: "status" });
    let friends = [];
    let text = "";
    let turn = 0;
    let timer = null;
    /// For the words typed now.
    let places = [];
    let cities = [];
    let isAsking = false;
    /// The shown results, to avoid rebuilding them needlessly.
    let shown = "";

    const combobox = makeCombobox({
        label: t("Search people, places and cities"),
        placeholder: t("A person, a place, a city"),
        typed(words) {
            text = words;
            ask();
            show();
        },
        chosen(result) {
            close();
            if (pick) pick({ ...result, name: result.title });
            else showResult(app, result);
        },
        row: (result) => [
            icon(ICONS[result.kind], 20),
            h("span", { class: "found-words" },
                h("span", { class: "break", dir: "auto" }, result.title),
                result.detail ? h("span", { class: "small muted", dir: "auto" }, result.detail) : null),
        ],
    });
    const unlisten = store.listen(show);
    const close = openDialog(t("Search"), [combobox.field, status, combobox.list], {
        kind: "search-dialog",
        closed() {
            unlisten();
            clearTimeout(timer);
            turn += 1;
        },
    });
    prepare(app.call).then((list) => {
        friends = list;
        show();
    });
    combobox.focus();
    show();

    function ask() {
        clearTimeout(timer);
        const mine = (turn += 1);
        [places, cities] = [[], []];
        isAsking = text.length >= LEAST_LETTERS;
        if (!isAsking) return;
        timer = setTimeout(async () => {
            // Each source is shown when it responds, and left out if it fails.
            const part = (work, take) => work.then((found) => {
                if (mine !== turn) return;
                take(found);
                show();
            }).catch(() => {});
            await Promise.all([
                part(placesOf(app.call, text), (found) => { places = found; }),
                part(citiesOf(text), (found) => { cities = found; }),
            ]);
            if (mine !== turn) return;
            isAsking = false;
            show();
        }, PAUSE_MS);
    }

    function show() {
        const all = [...known(text, friends), ...places, ...cities]
            .filter(({ latitude }) => !pick || latitude !== undefined);
        const of = (...kinds) => all.filter(({ kind }) => kinds.includes(kind));
        const groups = [
            { title: t("People"), results: of("person") },
            { title: t("My places"), results: of("own", "recent") },
            { title: t("Places"), results: of("place") },
            { title: t("Cities"), results: of("city") },
        ];
        const now = JSON.stringify(groups);
        if (now !== shown) combobox.show(groups);
        shown = now;
        write(status, statusWords(all.length));
    }

    function statusWords(found) {
        if (found > 0) return tn(found, "1 result", "{count} results");
        if (isAsking) return t("Searching…");
        if (text) return t("No results for “{words}”.", { words: text });
        return t("Type a name. Recent destinations and saved places are suggested here.");
    }
}
