/// The frame of every view: header, navigation, the shared map, and messages to the user.

import { makeTermsBar } from "./account/terms.js";
import { makeAllRight } from "./all-right.js";
import { call } from "./api.js";
import { makeAttention } from "./attention.js";
import { makeBanner } from "./banner.js";
import { makeGuide } from "./demo/guide.js";
import { ask } from "./dialog.js";
import { h, replace, toggle, write } from "./dom.js";
import { makeHeader } from "./header.js";
import { icon } from "./icons.js";
import { mayPlan } from "./journey.js";
import { t } from "./language.js";
import { live } from "./live.js";
import { makeMap } from "./map/base.js";
import { makeChooser } from "./map/choose.js";
import { makePeople } from "./map/people.js";
import { makePlaces } from "./map/places.js";
import { offerPoints } from "./map/points.js";
import { keepWorld } from "./map/world-kept.js";
import { store } from "./store.js";
import { say } from "./toasts.js";
import { unread } from "./unread.js";
import { unsent } from "./unsent.js";
import * as account from "./views/account.js";
import * as alerts from "./views/alerts.js";
import * as chat from "./views/chat.js";
import * as group from "./views/group.js";
import * as invitation from "./views/invitation.js";
import * as members from "./views/members.js";
import * as people from "./views/people.js";
import * as places from "./views/places.js";

/// The time until a new address is shown as the view.
const ROUTE_MS = 50;

export { say };

const views = {
    map: { module: members, title: t("Map"), label: t("Members"), icon: "map" },
    alerts: { module: alerts, title: t("Alerts"), icon: "bell", badge: unread.alerts },
    chat: { module: chat, title: t("Chat"), icon: "chat", badge: unread.chat },
    people: {
        module: people, title: t("People"), icon: "people",
        badge: ({ unreadNotices }) => unreadNotices,
    },
    places: { module: places, title: t("Places"), icon: "pin" },
    me: { module: account, title: t("Me"), icon: "person" },
    group: { module: group, title: t("Group"), isHidden: true },
    invitation: { module: invitation, title: t("Invitation"), isHidden: true },
};

export function makeShell(place) {
    const mapElement = h("div", {
        class: "map", id: "map", role: "application",
        "aria-label": t("Map: arrow keys move it, plus and minus zoom it, Enter lists the actions at its "
            + "centre. The list shows the same."),
    });
    const stage = h("div", { class: "stage" });
    const main = h("main", { class: "views", id: "main" });
    const mapArea = h("section", { class: "map-area", "aria-label": t("Map") }, mapElement);
    const root = h("div", { class: "shell" }, stage);
    stage.append(main, mapArea);
    // Leaflet reads the style of its element.
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
    /// Shows a point on the map, from any view.
    app.showPoint = (point) => {
        app.go("#map");
        setTimeout(() => {
            app.sheet?.makeRoom();
            app.people.lookAt(point);
        }, ROUTE_MS);
    };
    /// Opens the form for a journey to a place, from any view.
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
    offerPoints(app);
    const endKeeping = keepWorld();
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
    }, t("Skip to the content"));
    const links = makeLinks();
    const terms = makeTermsBar(app);
    const guide = makeGuide(app);
    root.prepend(skip, header.element, banner.element, terms.element, guide?.element ?? "",
        links.element);
    const toasts = document.getElementById("toasts");
    root.append(toasts);

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
    // The words about others also depend on it.
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
            guide?.remove();
            attention.remove();
            allRight.remove();
            endKeeping();
            app.people.remove();
            app.places.remove();
            leaflet.remove();
            document.body.append(toasts);
            root.remove();
        },
    };
}

// MARK: Ways to the views

function makeLinks() {
    const links = new Map();
    const element = h("nav", { class: "links", "aria-label": t("Views") });
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
                toggle(badge, "aria-label", count ? t("{count} new", { count }) : null);
            }
        },
    };
}

function decode(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}
