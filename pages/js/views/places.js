/// Places: the organisation's places as a list beside the map, the page of each, my reminders, and
/// personal places.

import { h, toggle, write } from "../dom.js";
import { icon } from "../icons.js";
import { t } from "../language.js";
import { onChange } from "../places/changes.js";
import { makeList } from "../places/list.js";
import { makeOwn } from "../places/own.js";
import { makePlacePage } from "../places/page.js";
import { makeReminders } from "../places/reminders.js";
import { isOwnPlace } from "../places/words.js";
import { findMe } from "../position.js";
import { withRetry } from "../retry.js";
import { makeSheet } from "../sheet.js";

const TICK_MS = 15_000;
/// At this zoom or less, places cannot be distinguished.
const COARSE_ZOOM = 10;
const TITLES = { list: t("Places"), own: t("My places"), reminders: t("Reminders"), page: t("Place") };

/// The part of the store that is shown here.
const picked = ({ geofences, rules, groups }) => [geofences, rules, groups];

export function mount(root, shell) {
    const app = { ...shell, call: withRetry(shell.call) };
    app.showPlace = (place) => {
        app.sheet.makeRoom();
        app.people.showArea(place);
    };
    const list = makeList(app, {
        searched: (words) => app.places.search(words),
        listed: (items) => showOnMap(items),
    });
    const page = makePlacePage(app, {
        named(place) {
            write(title, place.name);
            app.places.mark(place);
            app.people.lookAt(place);
        },
    });
    const parts = { list, own: makeOwn(app), reminders: makeReminders(app), page };

    const title = h("h1");
    const locate = h("button", {
        type: "button", class: "icon-button", "aria-label": t("Where am I?"), title: t("Where am I?"),
        onclick: async () => {
            locate.disabled = true;
            if (await findMe(app, (fix) => app.showPlace(fix)) && current === "list") list.refresh();
            locate.disabled = false;
        },
    }, icon("follow"));
    locate.hidden = app.store.state.me?.demo === true;
    const ways = [["list", "#places", t("Find")], ["own", "#places/own", t("My places")],
        ["reminders", "#places/reminders", t("Reminders")]].map(([name, href, words]) => ({
        name, link: h("a", { class: "tab", href }, words),
    }));
    const sections = Object.entries(parts).map(([name, part]) => {
        const section = h("div", { hidden: true }, part.element);
        return { name, section };
    });
    const sheet = makeSheet(root, app, [
        h("div", { class: "sheet-title" }, title), locate,
    ], [
        h("nav", { class: "tabs", "aria-label": t("Places") }, ways.map(({ link }) => link)),
        sections.map(({ section }) => section),
    ]);
    app.sheet = sheet;

    let current = null;
    let shown = null;
    let ends = [];
    let timer = null;

    function update() {
        parts[current]?.update();
    }

    /// Makes at least some of a list's places visible on the map.
    function showOnMap(items) {
        if (items.length === 0) return;
        const bounds = app.map.getBounds();
        const isSeen = items.some((place) => bounds.contains([place.latitude, place.longitude]));
        if (isSeen && app.map.getZoom() > COARSE_ZOOM) return;
        app.people.showAll(items.map((place) => ({ ...place, accuracy: place.radius })));
    }

    async function open(name, id) {
        const isNew = name !== current || id !== shown;
        [current, shown] = [name, id];
        for (const each of sections) each.section.hidden = each.name !== name;
        for (const way of ways) toggle(way.link, "aria-current", way.name === name ? "page" : null);
        if (name !== "page") app.places.mark(null);
        if (name !== "page" || isNew) write(title, TITLES[name]);
        if (name === "list") {
            const isFirst = list.isEmpty;
            if (await list.refresh() && isFirst) showOnMap(list.items);
        } else if (name === "own") {
            await parts.own.load();
            if (id) parts.own.reveal(id);
            else showOnMap(app.store.state.geofences ?? []);
        } else if (name === "page") {
            page.show(id);
        } else {
            parts.reminders.load();
        }
    }

    return {
        show(parameter = "") {
            if (ends.length === 0) {
                ends = [onChange(picked, update), app.live.onNotice((notice) => hear(notice))];
                timer = setInterval(update, TICK_MS);
            }
            sheet.show();
            shell.shownSheet = sheet;
            const isFirst = current === null;
            const [name, ...rest] = parameter.split("/");
            const before = `${current}/${shown}`;
            if (name === "" || name === "list") open("list");
            else if (name === "own") open("own", rest.join("/"));
            else if (name === "reminders") open("reminders");
            else if (isOwnPlace(name)) open("own", name);
            else open("page", parameter);
            if (!isFirst && before !== `${current}/${shown}`) {
                root.querySelector(".sheet-body").scrollTop = 0;
                title.tabIndex = -1;
                title.focus({ preventScroll: true });
            }
        },
        hide() {
            for (const end of ends) end();
            ends = [];
            clearInterval(timer);
            parts.own.leave();
            app.places.mark(null);
            sheet.hide();
        },
    };

    /// The shown data changes by others and with time.
    function hear({ kind }) {
        if (kind.startsWith("place-rule-") && current === "own") parts.own.load();
        if (kind === "reminder" && current === "reminders") parts.reminders.load();
        if (kind === "reminder" && current === "page") page.show(shown);
    }
}
