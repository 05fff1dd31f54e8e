/// Companies' services: which have access to the person's data, which request it, and what each did.

import { ask } from "../dialog.js";
import { h, replace, write } from "../dom.js";
import { problemText } from "../form.js";
import { dateTime, number } from "../format.js";
import { t, tn } from "../language.js";

const WHAT_IT_IS = t("A company's service gets your data only if you allow it, and only until you "
    + "revoke that. It keeps what it has read until then: ask the company to delete it. Friends "
    + "who check who is nearby and members who read your path are also logged, once an hour each; "
    + "those who see you all the time are listed under “Who can see me”.");
const DATA = { positions: t("where you are and have been"), vitals: t("your vital signs") };
const DEEDS = {
    requested: (values) => t("{who} requested your data.", values),
    granted: (values) => t("{who} was given access to your data.", values),
    refused: (values) => t("{who} was refused.", values),
    revoked: (values) => t("{who} lost access to your data.", values),
    ended: (values) => t("{who} no longer exists and can no longer read your data.", values),
    read: (values) => t("{who} read your data.", values),
    streamed: (values) => t("{who} was sent new data.", values),
    "stream-allowed": (values) => t("{who} was allowed to receive new data immediately.", values),
    "stream-ended": (values) => t("{who} is no longer sent new data, but may read it.", values),
    denied: (values) => t("{who} tried to read without permission.", values),
    nearby: (values) => t("{who} saw you among nearby friends.", values),
    path: (values) => t("{who} read your path.", values),
    opened: (values) => t("{who} was opened.", values),
    called: (values) => t("{who} was called for you, with your position.", values),
    "read-for-help": (values) => t("{who} read your vital signs.", values),
    subscribed: (values) => t("{who} started receiving new data.", values),
    unsubscribed: (values) => t("{who} stopped receiving new data.", values),
};
const COUNTED = {
    read: (count, values) => tn(count, "{who} read 1 value.", "{who} read {count} values.",
        { ...values, count: number(count) }),
    streamed: (count, values) => tn(count, "{who} was sent 1 value.", "{who} was sent {count} values.",
        { ...values, count: number(count) }),
    "read-for-help": (count, values) => tn(count, "{who} read your vital signs: 1 value.",
        "{who} read your vital signs: {count} values.", { ...values, count: number(count) }),
};

/// A log entry in words: who did what, with which data, and from which period.
function deedWords(entry) {
    const values = { who: viewer(entry) };
    const deed = entry.count !== undefined && COUNTED[entry.what]
        ? COUNTED[entry.what](entry.count, values)
        : DEEDS[entry.what]?.(values) ?? `${values.who}: ${entry.what}`;
    if (!entry.from) return deed;
    return t("{deed} ({what}; measured from {from} to {to})", {
        deed, what: what(entry), from: dateTime(entry.from), to: dateTime(entry.to),
    });
}

function viewer({ service, company, user, name, what: deed }) {
    if (["called", "read-for-help"].includes(deed)) return t("Dispatch");
    if (service) return `${service} (${company})`;
    return user ? `${name} (${user})` : t("One of your links");
}

function what(service) {
    return service.data.map((kind) => DATA[kind] ?? kind)
        .reduce((first, second) => t("{first}, and {second}", { first, second }));
}

export function makeServices(app) {
    const requests = h("ul", { class: "list", "aria-label": t("Service requests") });
    const mine = h("ul", { class: "list", "aria-label": t("Services with your data") });
    const others = h("ul", { class: "list", "aria-label": t("Services to add") });
    const log = h("ul", { class: "list", "aria-label": t("Who accessed my data") });
    const error = h("p", { class: "error", role: "alert" });
    const none = h("p", { class: "small muted" });
    const find = button(t("Find a service"), loadOthers);
    const history = button(t("Who accessed my data"), loadLog);
    const element = h("details", { class: "card" },
        h("summary", null, t("Services")), h("p", { class: "small muted" }, WHAT_IT_IS),
        requests, mine, none, find, others, history, log, error);

    function button(text, work, style = "button wide") {
        const made = h("button", { type: "button", class: style }, text);
        made.onclick = () => act(made, work);
        return made;
    }

    async function act(pressed, work) {
        pressed.disabled = true;
        write(error, "");
        try {
            await work();
        } catch (problem) {
            write(error, problemText(problem));
        } finally {
            pressed.disabled = false;
        }
    }

    function row(service, notes, ...buttons) {
        return h("li", null,
            h("div", { class: "grow" }, h("strong", null, service.name), ` · ${service.company}`),
            h("p", { class: "small" }, service.description),
            ...notes.map((note) => h("p", { class: "small muted" }, note)),
            h("div", { class: "row" }, ...buttons));
    }

    async function decide(method, fields, said) {
        await app.call(method, fields);
        app.say(said, "good");
        replace(others, []);
        await load();
    }

    function request(each) {
        const answer = (allow) => () => decide("consent.answer", { request: each.request, allow },
            allow ? t("{name} now has access to your data.", each) : t("{name} gets no data.", each));
        const values = { what: what(each), reason: each.reason };
        const wants = each.stream
            ? t("It already reads {what}, and wants to receive new data immediately: {reason}", values)
            : t("It asks to read {what}: {reason}", values);
        return row(each, [wants],
            button(t("Allow"), answer(true), "button primary"), button(t("Refuse"), answer(false), "button"));
    }

    function own(each) {
        const since = [
            t("It has had access to {what} since {time}.",
                { what: what(each), time: dateTime(each.since) }),
            each.subscribed ? t("It receives new data immediately.")
                : each.stream ? t("It may receive new data immediately.")
                    : t("It may read, but is sent nothing."),
        ].join(" ");
        const streams = each.stream
            ? button(t("Allow reading only"), () => decide("service.add",
                { service: each.service, stream: false },
                t("{name} is no longer sent new data.", { name: each.name })), "button")
            : button(t("Send it new data"), () => stream(each), "button");
        return row(each, [since],
            each.address ? h("a", {
                class: "button", href: each.address, target: "_blank", rel: "noopener noreferrer",
            }, t("Open {host}", { host: new URL(each.address).host })) : null,
            streams, button(t("Revoke access"), () => decide("service.remove",
                { service: each.service },
                t("{name} no longer gets your data.", { name: each.name })), "button"));
    }

    async function stream(each) {
        const isSure = await ask({
            title: t("Send new data to {name}?", { name: each.name }),
            text: t("{company} receives {what} within moments, whenever your devices measure "
                + "something, until you revoke this.", { company: each.company, what: what(each) }),
            yes: t("Allow"),
        });
        if (!isSure) return;
        await decide("service.add", { service: each.service, stream: true },
            t("{name} is now sent new data.", { name: each.name }));
    }

    async function add(each) {
        const isSure = await ask({
            title: t("Give {name} access to your data?", { name: each.name }),
            text: t("{company} may read {what}, including data from before today, until you revoke "
                + "this. To receive new data immediately, it has to ask you again.",
                { company: each.company, what: what(each) }),
            yes: t("Allow"),
        });
        if (!isSure) return;
        await decide("service.add", { service: each.service },
            t("{name} now has access to your data.", { name: each.name }));
    }

    async function loadOthers() {
        const { services: has } = await app.call("consent.list");
        const known = new Set(has.map((each) => each.service));
        const found = [];
        let after;
        do {
            const page = await app.call("service.discover", after ? { after } : {});
            found.push(...page.services.filter((each) => !known.has(each.service)));
            after = page.next;
        } while (after);
        replace(others, found.length > 0
            ? found.map((each) => row(each, [t("It wants {what}.", { what: what(each) })],
                button(t("Add"), () => add(each), "button")))
            : [h("li", { class: "muted" }, t("There are no other services here."))]);
    }

    async function loadLog() {
        const { entries } = await app.call("access.log", { limit: 50 });
        replace(log, entries.length > 0 ? entries.map(deed)
            : [h("li", { class: "muted" }, t("No one has accessed your data."))]);
    }

    function deed(entry) {
        return h("li", { class: "small" },
            t("{time}: {deed}", { time: dateTime(entry.at), deed: deedWords(entry) }));
    }

    async function load() {
        try {
            const { services, requests: open } = await app.call("consent.list");
            write(error, "");
            replace(requests, open.map(request));
            replace(mine, services.map(own));
            write(none, services.length > 0 ? "" : t("No service has access to your data."));
        } catch (problem) {
            write(error, problemText(problem));
        }
    }

    return { element, load };
}
