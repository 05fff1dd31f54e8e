/// Shares my location with a group in one gesture: the group sees me, and this device sends. Shows
/// who can see me, and how fresh that is.

import { isolate } from "./bidi.js";
import { serverNow } from "./clock.js";
import { h, toggle, write } from "./dom.js";
import { problemText } from "./form.js";
import { moment } from "./format.js";
import { geolocation } from "./geolocation.js";
import { t } from "./language.js";
import { outbox } from "./outbox.js";
import { makePermissionNote, isDenied } from "./permission-note.js";
import { outboxWords } from "./position.js";
import { makeElsewhere } from "./sharing-elsewhere.js";
import { stopSharing } from "./sharing-stop.js";
import { sharingTimes } from "./sharing-times.js";
import { programWords, sharingWords } from "./sharing-words.js";
import { chosenGroup, isLive, store } from "./store.js";
import { whileConnected } from "./while-connected.js";

/// How often ages of positions are refreshed.
const TICK_MS = 5_000;

/// A control for the group that `groupOf()` returns; by default, the chosen group.
export function sharingControl(app, groupOf = () => chosenGroup()) {
    const words = h("p", { class: "sharing-words" });
    const more = h("p", { class: "small muted" });
    const others = h("p", { class: "small muted" });
    const elsewhere = makeElsewhere(app, () => update());
    const programs = h("p", { class: "small" });
    const trouble = h("p", { class: "small warning-text", role: "status" });
    const permission = makePermissionNote();
    const demo = h("p", { class: "small muted" },
        t("This is the demo: it never checks where you are, and sends nothing about you."));
    const choices = h("div", { class: "row sharing-times", role: "group" },
        sharingTimes.map(({ words: label, until }) => h("button", {
            type: "button", class: "button", onclick: () => perform(() => start(until())),
        }, label)));
    const send = h("button", {
        type: "button", class: "button primary", onclick: () => geolocation.start(),
    }, t("Send from this device"));
    const longer = h("button", {
        type: "button", class: "button quiet sharing-end",
        onclick: () => {
            isChoosing = !isChoosing;
            update();
        },
    });
    const stop = h("button", {
        type: "button", class: "button",
        onclick: () => perform(async () => {
            const group = groupOf();
            if (await stopSharing(app, group, own(group)?.fix)) answered(group, false);
        }),
    }, t("Stop sharing"));
    const going = h("div", { class: "row" }, send, longer, stop);
    const element = h("div", { class: "sharing", role: "group", "aria-label": t("Sharing") },
        words, more, others, programs, trouble, permission.element, demo, choices, going);
    let isBusy = false;
    let isChoosing = false;
    /// The service's answer, `{group,isOn,version}`: valid until a newer state comes.
    let answer = null;

    async function start(until) {
        const group = groupOf();
        const wasSending = geolocation.isSending;
        // Now, while the press counts: the browser asks for permission.
        geolocation.start();
        try {
            await app.call("sharing.start", {
                groups: [group.group], ...(until ? { until: new Date(until).toISOString() } : {}),
            });
        } catch (problem) {
            if (!wasSending) geolocation.stop();
            throw problem;
        }
        answered(group, true);
        const name = isolate(group.name);
        app.say(until
            ? t("You are sharing your location with {group} until {time}.", {
                group: name, time: moment(until),
            })
            : t("You are sharing your location with {group} until you stop.", { group: name }), "good");
    }

    function answered(group, isOn) {
        answer = { group: group.group, isOn, version: own(group)?.version ?? 0 };
        isChoosing = false;
    }

    async function perform(work) {
        if (isBusy || !groupOf()) return;
        isBusy = true;
        update();
        try {
            await work();
        } catch (problem) {
            app.say(problemText(problem), "error");
        } finally {
            isBusy = false;
            update();
        }
    }

    function update() {
        const { me } = store.state;
        const isDemo = me?.demo === true;
        write(trouble, isDemo ? "" : outboxWords(outbox.status));
        trouble.hidden = trouble.textContent === "";
        const group = groupOf();
        element.hidden = !group && trouble.hidden;
        for (const part of [words, more, others, programs, permission.element, demo, choices, going]) {
            part.hidden = !group;
        }
        if (!group) return;
        const mine = own(group);
        const isOn = isShared(group);
        // No one sees a visitor of the demo.
        const looksOnAs = () =>
            t("In this demo you watch as {name}.", { name: mine?.name ?? me.user });
        const said = isDemo ? { tone: "", text: looksOnAs(), more: "" }
            : sharingWords({ ...known(group), isOn });
        toggle(words, "data-tone", said.tone);
        write(words, said.text);
        write(more, said.more);
        more.hidden = said.more === "";
        write(others, elsewhere(group));
        others.hidden = others.textContent === "";
        write(programs, programWords(group.name, group.observers.map(({ name }) => name)));
        programs.hidden = programs.textContent === "";
        permission.update(
            !isDemo && (isOn ? geolocation.state === "refused" : isDenied()), said.isRefused);
        demo.hidden = !isDemo;
        toggle(choices, "aria-label", t("Share my location with {group}", { group: group.name }));
        choices.hidden = isDemo || isOn === null || (isOn && !isChoosing);
        going.hidden = isDemo || isOn !== true;
        send.hidden = geolocation.isSending && geolocation.state !== "asks";
        toggle(longer, "aria-expanded", String(isChoosing));
        write(longer, mine?.until ? t("Until {time}", { time: moment(mine.until) })
            : t("Until I stop"));
        toggle(longer, "title", t("Change the duration"));
        for (const button of element.querySelectorAll("button")) button.disabled = isBusy;
    }

    /// Null if not known yet: neither on nor off would be true.
    function isShared(group) {
        const mine = own(group);
        if (answer?.group === group.group && (mine?.version ?? 0) <= answer.version) {
            return answer.isOn;
        }
        return mine ? mine.state !== "inactive" : null;
    }

    whileConnected(element, update, {
        ms: TICK_MS, subscriptions: [(f) => geolocation.listen(f), (f) => outbox.listen(f)],
    });
    return element;
}

/// What the server and this device know, in the form of `sharingWords`.
function known(group) {
    const { me } = store.state;
    const mine = own(group);
    return {
        isLive: isLive(),
        group: group.name,
        others: group.members.length === 0 ? null
            : group.members.filter(({ user }) => user !== me?.user).map(({ name }) => name),
        fix: mine?.fix ?? null,
        isRough: mine?.precision !== undefined && mine.precision !== "exact"
            && mine.state !== "sos",
        device: geolocation.state,
        unsent: outbox.status.waiting,
        now: serverNow(),
    };
}

function own(group) {
    return group?.states.get(store.state.me?.user);
}
