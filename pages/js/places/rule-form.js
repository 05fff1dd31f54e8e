/// The form for a rule about a place: who is told what about whom, and when that counts.

import { ownZone } from "../account/channel-words.js";
import { h, replace, write } from "../dom.js";
import { makeChoice, makeField, makeForm } from "../form.js";
import { fetchAll } from "../pagination.js";
import { makeDays } from "./days.js";
import { WEEKDAYS } from "./repetition.js";
import { ruleNames } from "./rule-row.js";
import { ruleSentence } from "./rule-words.js";

const ALL_DAYS = WEEKDAYS.map(([code]) => code);
/// What a choice of somebody begins with.
const USER = "user:";
const GROUP = "group:";

/// - Parameter place: the Geofence.
/// - Returns: `{element,focus()}`.
export function makeRuleForm(app, place, { saved, cancelled }) {
    const { me, groups } = app.store.state;
    const who = makeChoice("user", "Who", []);
    const when = makeChoice("when", "What", [
        ["arrives", "Arrives there"], ["leaves", "Leaves"], ["not-there", "Is not there in time"],
    ]);
    const by = makeField({ name: "by", label: "Not there by", type: "time", value: "08:15" });
    const days = makeDays("days", "On these days", ALL_DAYS);
    const from = makeField({ name: "from", label: "From", type: "time" });
    const to = makeField({ name: "to", label: "To", type: "time" });
    const times = h("div", { class: "field" }, h("span", { class: "hint" }, "Empty: at any time."),
        h("div", { class: "pair" }, from.element, to.element));
    const tell = makeChoice("tell", "Who is told", []);
    const once = makeField({ name: "once", type: "checkbox", label: "Once only" });
    const preview = h("p", { class: "preview", role: "status" });
    const fields = [who, when, by, days, { ...from, element: times }, { ...to, element: null }, tell,
        once];
    const names = ruleNames(app);
    let people = new Map([...groups.values()].flatMap((group) =>
        group.members.map((member) => [member.user, member.name])));

    function fill() {
        const others = [...people].filter(([user]) => user !== me.user)
            .sort(([, a], [, b]) => a.localeCompare(b)).map(([user, name]) => [USER + user, name]);
        const everybody = (word) => [...groups.values()].map((group) =>
            [GROUP + group.group, `${word} in ${group.name}`]);
        choices(who, [...others, [USER + me.user, "Me"], ...everybody("Whoever agrees")]);
        choices(tell, [[USER + me.user, "Me"], ...others, ...everybody("Everybody")]);
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
        button: "Make the rule",
        submit: async () => {
            const request = draft();
            const errors = [];
            const refuse = (field, reason) => errors.push({ field, reason });
            if (!who.value) refuse("user", "Choose somebody");
            if (request.when === "not-there" && !request.by) refuse("by", "Choose a time of day");
            if (days.value.length === 0) refuse("days", "Choose at least one day");
            if (request.from && !request.to) refuse("to", "Choose a time, or none for both");
            if (request.to && !request.from) refuse("from", "Choose a time, or none for both");
            if (request.from && request.from === request.to) refuse("to", "Choose another time");
            if (errors.length > 0) throw { errors };
            await app.call("geofence.rule.add", request);
            app.say(request.user === me.user ? "The rule is made."
                : "The rule is made. Whoever it is about is asked now.", "good");
            saved();
        },
        after: h("button", { type: "button", class: "button wide", onclick: cancelled }, "Cancel"),
    });
    element.insertBefore(preview, element.querySelector("button[type=submit]"));
    element.addEventListener("input", show);
    fill();
    show();
    // Friends share no group with me perhaps.
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

/// Replaces the choices of a field; what is chosen stays.
function choices({ input }, list) {
    const { value } = input;
    replace(input, list.map(([each, words]) => h("option", { value: each }, words)));
    if (list.some(([each]) => each === value)) input.value = value;
}
