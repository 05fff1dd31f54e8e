/// The form for a rule about a place: who is notified of what about whom, and when.

import { ownZone } from "../account/channel-words.js";
import { h, replace, write } from "../dom.js";
import { makeChoice, makeField, makeForm } from "../form.js";
import { t } from "../language.js";
import { fetchAll } from "../pagination.js";
import { makeDays } from "./days.js";
import { WEEKDAYS } from "./repetition.js";
import { ruleNames } from "./rule-row.js";
import { ruleSentence } from "./rule-words.js";

const ALL_DAYS = WEEKDAYS.map(([code]) => code);
/// The prefixes of a choice's value.
const USER = "user:";
const GROUP = "group:";

/// - Parameter place: the Geofence.
/// - Returns: `{element,focus()}`.
export function makeRuleForm(app, place, { saved, cancelled }) {
    const { me, groups } = app.store.state;
    const who = makeChoice("user", t("Who"), []);
    const when = makeChoice("when", t("What"), [
        ["arrives", t("Arrives there")], ["leaves", t("Leaves")], ["not-there", t("Is not there in time")],
    ]);
    const by = makeField({ name: "by", label: t("Not there by"), type: "time", value: "08:15" });
    const days = makeDays("days", t("On these days"), ALL_DAYS);
    const from = makeField({ name: "from", label: t("From"), type: "time" });
    const to = makeField({ name: "to", label: t("To"), type: "time" });
    const times = h("div", { class: "field" }, h("span", { class: "hint" }, t("Leave empty for any time.")),
        h("div", { class: "pair" }, from.element, to.element));
    const tell = makeChoice("tell", t("Who is notified"), []);
    const once = makeField({ name: "once", type: "checkbox", label: t("Once only") });
    const preview = h("p", { class: "preview", role: "status" });
    const fields = [who, when, by, days, { ...from, element: times }, { ...to, element: null }, tell,
        once];
    const names = ruleNames(app);
    let people = new Map([...groups.values()].flatMap((group) =>
        group.members.map((member) => [member.user, member.name])));

    function fill() {
        const others = [...people].filter(([user]) => user !== me.user)
            .sort(([, a], [, b]) => a.localeCompare(b)).map(([user, name]) => [USER + user, name]);
        const inGroups = (words) => [...groups.values()].map(({ group, name }) =>
            [GROUP + group, words(name)]);
        choices(who, [
            ...others, [USER + me.user, t("Me")], ...inGroups((name) => t("Anyone in {name} who agrees", { name })),
        ]);
        choices(tell, [
            [USER + me.user, t("Me")], ...others, ...inGroups((name) => t("Everyone in {name}", { name })),
        ]);
    }

    function draft() {
        const [about, told] = [who, tell].map(({ value }) => (value.startsWith(GROUP)
            ? { group: value.slice(GROUP.length) } : { user: value.slice(USER.length) }));
        const isTimed = when.value === "not-there";
        const chosen = days.value;
        const isAllDays = chosen.length === 0 || chosen.length === ALL_DAYS.length;
        const hours = {
            days: isAllDays ? undefined : chosen.map((code) => code.toLowerCase()),
            from: (!isTimed && from.value) || undefined, to: (!isTimed && to.value) || undefined,
        };
        const hasHours = isTimed || Object.values(hours).some(Boolean);
        return {
            geofence: place.geofence, when: when.value, by: isTimed ? by.value : undefined,
            ...about, tell: told, ...hours, timeZone: hasHours ? ownZone() : undefined,
            once: once.value || undefined,
        };
    }

    function show() {
        const isTimed = when.value === "not-there";
        by.element.hidden = !isTimed;
        times.hidden = isTimed;
        const rule = { ...draft(), madeBy: me.user };
        const ready = who.value && !(isTimed && !by.value);
        write(preview, ready ? ruleSentence(rule, place.name, {
            ...names, nameOf: (user) => people.get(user) ?? user,
        }) : "");
    }

    const element = makeForm({
        fields: fields.filter(Boolean),
        button: t("Make the rule"),
        submit: async () => {
            const request = draft();
            const errors = [];
            const refuse = (field, reason) => errors.push({ field, reason });
            if (!who.value) refuse("user", t("Choose someone"));
            if (request.when === "not-there" && !request.by) refuse("by", t("Choose a time of day"));
            if (days.value.length === 0) refuse("days", t("Choose at least one day"));
            if (request.from && !request.to) refuse("to", t("Choose both times, or neither"));
            if (request.to && !request.from) refuse("from", t("Choose both times, or neither"));
            if (request.from && request.from === request.to) refuse("to", t("Choose another time"));
            if (errors.length > 0) throw { errors };
            await app.call("geofence.rule.add", request);
            app.say(request.user === me.user ? t("Rule created.")
                : t("Rule created. The people it is about are asked now."), "good");
            saved();
        },
        after: h("button", { type: "button", class: "button wide", onclick: cancelled }, t("Cancel")),
    });
    element.insertBefore(preview, element.querySelector("button[type=submit]"));
    element.addEventListener("input", show);
    fill();
    show();
    // Friends may share no group with me.
    const list = (of) => fetchAll(app.call, "friend.list", { of }, "friends");
    Promise.all([list("sharers"), list("friends")]).then((lists) => {
        people = new Map([
            ...lists.flat().map(({ user, name }) => [user, name ?? user]), ...people,
        ]);
        fill();
        show();
    }).catch(() => {});
    return { element, focus: () => who.input.focus({ preventScroll: true }) };
}

/// Replaces the choices of a field, keeping the chosen one.
function choices({ input }, list) {
    const { value } = input;
    replace(input, list.map(([each, words]) => h("option", { value: each }, words)));
    if (list.some(([each]) => each === value)) input.value = value;
}
