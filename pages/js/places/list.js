/// The searchable list of places.

import { serverNow } from "../clock.js";
import { h, keyed, toggle, write } from "../dom.js";
import { makeField, problemText } from "../form.js";
import { moment } from "../format.js";
import { icon } from "../icons.js";
import { t } from "../language.js";
import { isLive } from "../store.js";
import { whenBack } from "./coming-back.js";
import { placeFacts } from "./facts.js";
import { isOutdated } from "./words.js";

const AGAIN_MS = 60_000;

/// - Parameters:
///   - searched: called with the words of a search.
///   - listed: called with its results.
export function makeList(app, { searched, listed }) {
    const search = makeField({
        name: "text", label: t("Name, kind or street"), type: "search", autocomplete: "off",
        maxlength: 120, placeholder: t("Search"),
    });
    search.element.querySelector("label").classList.add("visually-hidden");
    const openOnly = h("button", {
        type: "button", class: "button", "aria-pressed": "false",
        onclick: () => {
            toggle(openOnly, "aria-pressed", String(!isOpenOnly()));
            begin();
        },
    }, t("Open now"));
    const word = h("p", { class: "small muted", role: "status" });
    const error = h("p", { class: "error", role: "alert" });
    const own = h("a", { class: "button primary", href: "#places/own", hidden: true },
        t("Add your own place"));
    const rows = h("ul", { class: "list places", "aria-label": t("Places") });
    const more = h("button", {
        type: "button", class: "button wide", hidden: true, onclick: () => load({ after: places.next }),
    }, t("Show more"));
    const element = h("div", { class: "stack tight" },
        h("form", {
            role: "search", class: "search-line", "aria-label": t("Places"),
            onsubmit: (event) => {
                event.preventDefault();
                begin();
            },
        }, search.element,
        h("button", {
            type: "submit", class: "icon-button accent", "aria-label": t("Search"), title: t("Search"),
        }, icon("search")), openOnly),
        error, word, own, rows, more);
    const showRows = keyed(rows, makeRow, ({ place }) => place);
    let places = { items: [], next: null, near: null, at: 0 };
    let turn = 0;
    /// Reloads as many as are listed.
    const refresh = () => load({ least: places.items.length });
    const back = whenBack(() => refresh());

    const isOpenOnly = () => openOnly.getAttribute("aria-pressed") === "true";
    const words = () => ({
        text: search.value.trim() || undefined, open: isOpenOnly() || undefined,
    });

    async function begin() {
        searched(words());
        if (await load()) listed(places.items);
    }

    /// - Parameters:
    ///   - after: from the previous page; omitted: from the beginning.
    ///   - least: the minimum number to load, if there are as many.
    /// - Returns: whether it was answered, and is still wanted.
    async function load({ after, least = 0 } = {}) {
        const mine = (turn += 1);
        const { position } = app.store.state;
        const near = after ? places.near
            : position && { latitude: position.latitude, longitude: position.longitude };
        const request = { ...words(), near: near ?? undefined, after };
        const items = after ? [...places.items] : [];
        try {
            do {
                const page = await app.call("place.list", request);
                if (mine !== turn) return false;
                items.push(...page.places);
                request.after = page.next ?? undefined;
                // A page may be empty if many places were searched without a match.
            } while (request.after && items.length < Math.max(least, 1));
            places = { items, next: request.after, near, at: serverNow() };
            write(error, "");
            back.note();
            show();
            return true;
        } catch (problem) {
            if (mine !== turn) return false;
            // Earlier results stay.
            write(error, problemText(problem));
            back.note(problem);
            show();
            return false;
        }
    }

    function show() {
        const now = serverNow();
        showRows(places.items.map((place) => ({ ...place, now })));
        more.hidden = !places.next;
        write(word, summary());
        own.hidden = !places.at || places.items.length > 0 || Boolean(words().text || words().open);
    }

    function summary() {
        if (!isLive() && places.at) {
            return t("No connection: last updated {time}.", { time: moment(places.at) });
        }
        if (places.items.length === 0) return places.at ? noneWords(words()) : "";
        return places.near ? t("Nearest first.") : t("By name.");
    }

    return {
        element,
        /// Reloads it with the current words.
        refresh,
        get isEmpty() { return places.items.length === 0; },
        get items() { return places.items; },
        /// Periodically: places close, and connections return.
        update() {
            const now = serverNow();
            const isOld = places.items.some((place) => isOutdated(place, now));
            show();
            if (isOld && isLive() && now - places.at > AGAIN_MS) refresh();
            else back.check();
        },
    };
}

function noneWords({ text, open }) {
    if (open) return t("No places found that are open now.");
    if (text) return t("No places found.");
    return t("There are no places here yet: the operator of this server can import them.");
}

function makeRow({ place }) {
    const name = h("strong", { class: "break" });
    const facts = h("span", { class: "small" });
    return {
        element: h("li", null, h("a", {
            class: "place-row", href: `#places/${encodeURIComponent(place)}`,
        }, name, facts)),
        update(item) {
            write(name, item.name);
            placeFacts(facts, item, item.now);
        },
    };
}
