/// What is around every view: header, ways to the views, the map that they share, and words to the
/// person.

import { makeTermsBar } from "./account/terms.js";
import { makeAllRight } from "./all-right.js";
import { call } from "./api.js";
import { makeAttention } from "./attention.js";
import { makeBanner } from "./banner.js";
import { ask } from "./dialog.js";
import { h, replace, toggle, write } from "./dom.js";
import { icon, logo } from "./icons.js";
import { mayPlan } from "./journey.js";
import { live } from "./live.js";
import { makeMap } from "./map/base.js";
import { makeChooser } from "./map/choose.js";
import { makePeople } from "./map/people.js";
import { makePlaces } from "./map/places.js";
import { sosButton } from "./sos.js";
import { chooseGroup, store } from "./store.js";
import { unread } from "./unread.js";
import { unsent } from "./unsent.js";
import * as account from "./views/account.js";
import * as alerts from "./views/alerts.js";
import * as chat from "./views/chat.js";
import * as group from "./views/group.js";
import * as invitation from "./views/invitation.js";
import * as map from "./views/map.js";
import * as people from "./views/people.js";
import * as places from "./views/places.js";

const TOAST_MS = 5_000;
/// Until a new address has come to be the view.
const ROUTE_MS = 50;

const views = {
    map: { module: map, title: "Map", label: "Members", icon: "map" },
    alerts: { module: alerts, title: "Alerts", icon: "bell", badge: unread.alerts },
    chat: { module: chat, title: "Chat", icon: "chat", badge: unread.chat },
    people: {
        module: people, title: "People", icon: "people",
        badge: ({ unreadNotices }) => unreadNotices,
    },
    places: { module: places, title: "Places", icon: "pin" },
    me: { module: account, title: "Me", icon: "person" },
    group: { module: group, title: "Group", isHidden: true },
    invitation: { module: invitation, title: "Invitation", isHidden: true },
};

export function makeShell(place) {
    const mapElement = h("div", {
        class: "map", id: "map", role: "application",
        "aria-label": "Map: arrow keys move it, plus and minus zoom it. The list says the same.",
    });
    const stage = h("div", { class: "stage" });
    const main = h("main", { class: "views", id: "main" });
    const mapArea = h("section", { class: "map-area", "aria-label": "Map" }, mapElement);
    const root = h("div", { class: "shell" }, stage);
    stage.append(main, mapArea);
    // Leaflet looks at the style of its element.
    replace(place, root);

    const leaflet = makeMap(mapElement);
    const app = {
        store,
        call,
        live,
        map: leaflet,
        say,
        ask,
        go: (hash) => { location.hash = hash.startsWith("#") ? hash : `#${hash}`; },
        choosePoint: null,
    };
    app.choosePoint = makeChooser(leaflet, mapArea);
    /// Shows a point on the map, from whatever view.
    app.showPoint = (point) => {
        app.go("#map");
        setTimeout(() => {
            app.sheet?.makeRoom();
            app.people.lookAt(point);
        }, ROUTE_MS);
    };
    /// Opens the form for a journey to a place, whatever view is shown.
    app.planJourney = ({ latitude, longitude, name }) => {
        if (!mayPlan(app)) return;
        app.go("#map");
        setTimeout(() => {
            store.change((state) => { state.destination = { latitude, longitude, name }; });
            app.sheet?.open();
        }, ROUTE_MS);
    };
    app.people = makePeople(app);
    app.places = makePlaces(app, mapArea);
    const attention = makeAttention(app);
    app.attention = attention;
    const allRight = makeAllRight(app);

    const banner = makeBanner(app);
    const header = makeHeader(app);
    const skip = h("a", {
        class: "skip", href: "#main",
        onclick: (event) => {
            event.preventDefault();
            focusView();
        },
    }, "Skip to the content");
    const links = makeLinks();
    const terms = makeTermsBar(app);
    root.prepend(skip, header.element, banner.element, terms.element, links.element);

    const mounted = new Map();
    let current = null;

    function mountedView(name) {
        if (!mounted.has(name)) {
            const element = h("section", {
                class: `view view-${name}`,
                "aria-label": views[name].label ?? views[name].title,
            });
            main.append(element);
            mounted.set(name, { element, ...views[name].module.mount(element, app) });
        }
        return mounted.get(name);
    }

    function route({ isFirst = false } = {}) {
        const [asked, ...rest] = location.hash.replace(/^#\/?/, "").split("/");
        const name = Object.hasOwn(views, asked) ? asked : "map";
        const parameter = rest.length ? decode(rest.join("/")) : undefined;
        const view = mountedView(name);
        if (current && current.name !== name) {
            const previous = mounted.get(current.name);
            previous.hide?.();
            previous.element.hidden = true;
        }
        const isNew = current?.name !== name;
        current = { name };
        view.element.hidden = false;
        root.dataset.view = name;
        links.mark(name);
        app.people.setView(name);
        app.places.setView(name);
        attention.setTitle(views[name].title);
        view.show?.(parameter);
        leaflet.invalidateSize({ animate: false });
        if (isNew && !isFirst) focusView();
    }

    function focusView() {
        const heading = mounted.get(current.name)?.element.querySelector("h1");
        const target = heading ?? main;
        target.tabIndex = -1;
        target.focus({ preventScroll: true });
    }

    const onHash = () => route();
    const retry = () => unsent.retryAll(app);
    // What is said of others depends on it as well.
    const onNetwork = () => store.change(() => {});
    window.addEventListener("hashchange", onHash);
    window.addEventListener("online", onNetwork);
    window.addEventListener("offline", onNetwork);
    window.addEventListener("online", retry);
    retry();
    const unlisten = store.listen(() => {
        header.update();
        links.update();
    });
    route({ isFirst: true });
    header.update();
    links.update();

    return {
        remove() {
            window.removeEventListener("hashchange", onHash);
            window.removeEventListener("online", onNetwork);
            window.removeEventListener("offline", onNetwork);
            window.removeEventListener("online", retry);
            unlisten();
            for (const view of mounted.values()) view.hide?.();
            banner.remove();
            attention.remove();
            allRight.remove();
            app.people.remove();
            app.places.remove();
            leaflet.remove();
            root.remove();
        },
    };
}

// MARK: Header

function makeHeader(app) {
    const select = h("select", {
        class: "group-choice", "aria-label": "Group",
        onchange: () => chooseGroup(select.value),
    });
    const connection = h("span", { class: "connection", role: "status" });
    const demo = h("span", { class: "demo-mark", hidden: true }, "Demo");
    const element = h("header", { class: "header" },
        h("a", { class: "brand", href: "#map", "aria-label": "Kith, to the map" },
            logo(32), h("span", { class: "brand-name", "aria-hidden": "true" }, "Kith")),
        demo,
        h("div", { class: "group-box" }, select,
            h("a", { class: "icon-button", href: "#group", "aria-label": "Manage groups" },
                icon("gear"))),
        connection,
        h("div", { class: "header-end" }, sosButton(app)));
    let shown = "";
    return {
        element,
        update() {
            const { groups, group, isLoaded, connection: state, me } = store.state;
            const options = [...groups.values()].map((each) => {
                const count = each.group === group ? 0 : unread.chatOf(each, store.state);
                return [each.group, count ? `${each.name} (${count} new)` : each.name];
            });
            const now = JSON.stringify([options, isLoaded]);
            if (now !== shown) {
                shown = now;
                replace(select, options.length
                    ? options.map(([key, name]) => h("option", { value: key }, name))
                    : h("option", { value: "" }, isLoaded ? "No group yet" : "Groups not known yet"));
            }
            if (group) select.value = group;
            select.disabled = options.length === 0;
            demo.hidden = !me?.demo;
            connection.dataset.state = navigator.onLine ? state : "waiting";
            const isOffline = !navigator.onLine;
            write(connection, isOffline ? "Offline" : state === "live" ? "Live" : "Connecting…");
            connection.title = state === "live"
                ? "Changes are shown as they happen."
                : "No connection at the moment. What you see may be old.";
        },
    };
}

// MARK: Ways to the views

function makeLinks() {
    const links = new Map();
    const element = h("nav", { class: "links", "aria-label": "Views" });
    for (const [name, view] of Object.entries(views)) {
        if (view.isHidden) continue;
        const badge = h("span", { class: "badge count", hidden: true });
        const link = h("a", { href: `#${name}`, class: "link" },
            h("span", { class: "link-icon" }, icon(view.icon), badge),
            h("span", { class: "link-title" }, view.title));
        links.set(name, { link, badge, view });
        element.append(link);
    }
    return {
        element,
        mark(current) {
            for (const [name, { link }] of links) {
                toggle(link, "aria-current", name === current ? "page" : null);
            }
        },
        update() {
            for (const { badge, view } of links.values()) {
                const count = view.badge?.(store.state) ?? 0;
                badge.hidden = count === 0;
                write(badge, count > 99 ? "99+" : String(count));
                toggle(badge, "aria-label", count ? `${count} new` : null);
            }
        },
    };
}

// MARK: Words

/// Says something for a few seconds; `kind`: `info`, `good`, `warning` or `error`.
export function say(text, kind = "info") {
    const place = document.getElementById("toasts");
    const toast = h("div", { class: `toast ${kind}` },
        h("span", null, text),
        h("button", {
            type: "button", class: "icon-button", "aria-label": "Dismiss",
            onclick: () => toast.remove(),
        }, icon("close", 20)));
    place.append(toast);
    setTimeout(() => toast.remove(), kind === "error" ? TOAST_MS * 2 : TOAST_MS);
    while (place.children.length > 4) place.firstChild.remove();
}

function decode(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}
