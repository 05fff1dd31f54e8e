/// Personal places: mine and those of my groups, and who is notified when someone comes, leaves or
/// is not there.

import { serverNow } from "../clock.js";
import { h, keyed, toggle, write } from "../dom.js";
import { problemText } from "../form.js";
import { distance, moment } from "../format.js";
import { icon } from "../icons.js";
import { t } from "../language.js";
import { isLive } from "../store.js";
import { makeAboutMe } from "./about-me.js";
import { whenBack } from "./coming-back.js";
import { loadOwn } from "./own-data.js";
import { makePlaceForm } from "./own-form.js";
import { KINDS } from "./own-kinds.js";
import { makeOpening } from "./opening.js";
import { makeReminderForm } from "./reminder-form.js";
import { makeRuleForm } from "./rule-form.js";
import { makeRuleRow } from "./rule-row.js";
import { waypointsOf } from "./waypoints.js";

const AGAIN_MS = 60_000;

export function makeOwn(app) {
    const isDemo = app.store.state.me?.demo === true;
    const error = h("p", { class: "error", role: "alert" });
    const word = h("p", { class: "small muted", role: "status" });
    const aboutMe = makeAboutMe(app, { changed: load });
    /// Open forms, which may have marks on the map.
    const openings = new Set();
    const cards = h("div", { class: "stack" });
    const showCards = keyed(cards, ({ geofence }) => makeCard(app, geofence, { openings, changed: load }),
        ({ geofence }) => geofence);
    const adding = makeOpening(openings, {
        button: t("Add a place"), icon: "plus", title: t("A new place"),
        make: (ends) => makePlaceForm(app, null, ends),
        changed: async ({ geofence }) => {
            await load();
            reveal(geofence);
        },
    });
    const others = h("section", { class: "card", "aria-labelledby": "told-title" },
        h("h2", { id: "told-title" }, t("Rules by others that notify me")));
    const otherRows = h("ul", { class: "list", "aria-label": t("Rules by others that notify me") });
    const showOthers = keyed(otherRows, ({ rule }) => makeRuleRow(app, rule, { changed: load }),
        ({ rule }) => rule);
    others.append(otherRows);
    const file = h("a", { class: "button", download: "kith-places.otrw" }, icon("download", 20),
        t("File for OwnTracks"));
    const fileCard = h("section", { class: "card", "aria-labelledby": "file-title" },
        h("h2", { id: "file-title" }, t("On my phone")),
        h("p", { class: "small muted" }, t("OwnTracks can watch your own places itself, which saves "
            + "battery. Open this file there.")),
        h("div", { class: "row" }, file));
    const element = h("div", { class: "stack" }, error, word, aboutMe.element,
        isDemo ? null : adding.element, cards, others, fileCard);
    let at = 0;
    let askedAt = 0;
    const back = whenBack(() => load());
    let address = null;

    async function load() {
        for (const form of openings) form.begin?.();
        askedAt = performance.now();
        try {
            await loadOwn(app.call);
            at = serverNow();
            write(error, "");
            back.note();
        } catch (problem) {
            write(error, problemText(problem));
            back.note(problem);
        }
        update();
    }

    function update() {
        const { geofences, rules, me } = app.store.state;
        // Nothing announces that a rule about me has ended.
        if (isLive() && performance.now() - askedAt > AGAIN_MS) load();
        else back.check();
        write(word, wordsFor(geofences));
        aboutMe.show(rules);
        if (!geofences) {
            others.hidden = fileCard.hidden = true;
            return;
        }
        const mine = new Set(geofences.map(({ geofence }) => geofence));
        const isAtHand = ({ geofence, user, madeBy }) => mine.has(geofence.geofence)
            && (madeBy === me?.user || user !== me?.user);
        showCards(geofences.map((place) => ({
            ...place,
            rules: (rules ?? []).filter((rule) => isAtHand(rule)
                && rule.geofence.geofence === place.geofence),
        })));
        const told = (rules ?? []).filter((rule) => !mine.has(rule.geofence.geofence)
            && rule.user !== me?.user);
        showOthers(told);
        others.hidden = told.length === 0;
        offer(geofences.filter(({ group }) => !group));
    }

    /// Goes to a rule or a place, in the list and on the map.
    function reveal(id) {
        const found = element.querySelector(`[data-rule="${CSS.escape(id)}"]`)
            ?? element.querySelector(`[data-geofence="${CSS.escape(id)}"]`);
        found?.scrollIntoView({ block: "nearest" });
        found?.querySelector("button:not([hidden])")?.focus({ preventScroll: true });
        const { geofences, rules } = app.store.state;
        const place = (geofences ?? []).find(({ geofence }) => geofence === id)
            ?? (rules ?? []).find(({ rule }) => rule === id)?.geofence;
        if (place) app.people.showArea(place);
    }

    function wordsFor(geofences) {
        if (!isLive() && at) return t("No connection: last updated {time}.", { time: moment(at) });
        if (geofences?.length === 0) {
            return t("No places yet, such as home or a school. With someone's consent, you can be "
                + "notified when they arrive there, leave, or are not there in time.");
        }
        return "";
    }

    function offer(own) {
        fileCard.hidden = own.length === 0;
        const content = JSON.stringify(waypointsOf(own), null, 1);
        if (file.dataset.content === content) return;
        file.dataset.content = content;
        if (address) URL.revokeObjectURL(address);
        address = URL.createObjectURL(new Blob([content], { type: "application/json" }));
        file.href = address;
    }

    return {
        element,
        load,
        update,
        /// Forms stay open, but their marks leave the map.
        leave() {
            for (const form of openings) form.end?.();
        },
        reveal,
    };
}

function whose(place, group) {
    if (!place.group) return t("only mine");
    return group ? t("group {name}", { name: group.name }) : t("a group");
}

/// One place, with the rules about it.
function makeCard(app, id, { openings, changed }) {
    let known = null;
    const isDemo = app.store.state.me?.demo === true;
    const title = h("h2", { class: "break" });
    const facts = h("p", { class: "small muted" });
    const rows = h("ul", { class: "list", "aria-label": t("Who is notified") });
    const showRows = keyed(rows, ({ rule }) => makeRuleRow(app, rule, { changed }), ({ rule }) => rule);
    const look = h("button", {
        type: "button", class: "button", onclick: () => app.showPlace(known),
    }, icon("map", 20), t("Show on the map"));
    const forms = [
        makeOpening(openings, {
            button: t("Notify me about someone"), icon: "eye", title: t("Who is notified of what"),
            make: (ends) => makeRuleForm(app, known, ends), changed,
        }),
        makeOpening(openings, {
            button: t("Remind me here"), icon: "bell", title: t("Remind me here"),
            make: (ends) => makeReminderForm(app, { place: known }, ends), changed,
        }),
        makeOpening(openings, {
            button: t("Change"), icon: "gear", title: t("Change the place"),
            make: (ends) => makePlaceForm(app, known, ends), changed,
        }),
    ];
    const journey = h("button", {
        type: "button", class: "button", onclick: () => app.planJourney(known),
    }, icon("flag", 20), t("Journey there"));
    const remove = h("button", {
        type: "button", class: "button quiet danger", onclick: removeIt,
    }, t("Delete"));

    async function removeIt() {
        const isSure = await app.ask({
            title: t("Delete {name}?", { name: known.name }),
            text: t("All rules about it end as well, and the people they notify are informed."),
            yes: t("Delete"), danger: true,
        });
        if (!isSure) return;
        try {
            await app.call("geofence.delete", { geofence: id });
            app.say(t("{name} is deleted.", { name: known.name }));
        } catch (problem) {
            app.say(problemText(problem), "error");
        }
        changed();
    }

    const more = h("details", null, h("summary", null, t("More")),
        h("div", { class: "stack tight" }, forms[1].element, forms[2].element,
            h("div", { class: "row" }, journey, remove)));
    return {
        element: h("section", { class: "card own-place", dataset: { geofence: id } },
            h("div", { class: "row between" }, h("div", { class: "grow" }, title, facts), look),
            rows, isDemo ? null : forms[0].element, isDemo ? null : more),
        update(place) {
            known = place;
            write(title, place.name);
            const group = app.store.state.groups.get(place.group);
            write(facts, [
                KINDS[place.kind], whose(place, group),
                t("{distance} radius", { distance: distance(place.radius) }),
            ].filter(Boolean).join(" · "));
            showRows(place.rules);
            rows.hidden = place.rules.length === 0;
            toggle(look, "aria-label", t("Show {name} on the map", { name: place.name }));
            toggle(forms[0].opener, "aria-label", t("Notify me about someone at {name}", { name: place.name }));
            toggle(forms[1].opener, "aria-label", t("Remind me at {name}", { name: place.name }));
            toggle(forms[2].opener, "aria-label", t("Change {name}", { name: place.name }));
            toggle(remove, "aria-label", t("Delete {name}", { name: place.name }));
        },
    };
}
