/// Services of companies: which of them have the person's data, which ask for it, and what each has done.

import { ask } from "../dialog.js";
import { h, replace, write } from "../dom.js";
import { problemText } from "../form.js";
import { dateTime, number } from "../format.js";
import { t, tn } from "../language.js";

const WHAT_IT_IS = t("A service of a company gets your data only if you let it, and only until you take "
    + "that back. What it has read until then it keeps: ask the company to delete that. Friends who look who is "
    + "nearby and members who read your path are noted, too, once an hour each; whoever sees you all the time is "
    + "under “Who can see me”.");
const DATA = { positions: t("where you are and have been"), vitals: t("your vital signs") };
const DEEDS = {
    requested: (values) => t("{who} asked for your data.", values),
    granted: (values) => t("{who} may have your data from here on.", values),
    refused: (values) => t("{who} was refused.", values),
    revoked: (values) => t("{who} may no longer have your data.", values),
    ended: (values) => t("{who} no longer exists, and can read nothing of yours any more.", values),
    read: (values) => t("{who} read your data.", values),
    streamed: (values) => t("{who} was sent what came.", values),
    "stream-allowed": (values) => t("{who} may be sent at once what comes.", values),
    "stream-ended": (values) => t("{who} is sent nothing any more, and may read.", values),
    denied: (values) => t("{who} tried to read without being allowed to.", values),
    nearby: (values) => t("{who} saw you among the friends nearby.", values),
    path: (values) => t("{who} read your path.", values),
    opened: (values) => t("{who} was opened.", values),
    called: (values) => t("{who} was called for you, with your position.", values),
    "read-for-help": (values) => t("{who} read your vital signs.", values),
    subscribed: (values) => t("{who} receives what comes from here on.", values),
    unsubscribed: (values) => t("{who} receives nothing from here on.", values),
};
const COUNTED = {
    read: (count, values) => tn(count, "{who} read 1 value.", "{who} read {count} values.",
        { ...values, count: number(count) }),
    streamed: (count, values) => tn(count, "{who} was sent 1 value.", "{who} was sent {count} values.",
        { ...values, count: number(count) }),
    "read-for-help": (count, values) => tn(count, "{who} read your vital signs: 1 value.",
        "{who} read your vital signs: {count} values.", { ...values, count: number(count) }),
};

/// Who did what an entry of the log says, with what and of which time.
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
    if (["called", "read-for-help"].includes(deed)) return t("Whoever sends help");
    if (service) return `${service} (${company})`;
    return user ? `${name} (${user})` : t("A link of yours");
}

function what(service) {
    return service.data.map((kind) => DATA[kind] ?? kind)
        .reduce((first, second) => t("{first}, and {second}", { first, second }));
}

export function makeServices(app) {
    const requests = h("ul", { class: "list", "aria-label": t("Requests of services") });
    const mine = h("ul", { class: "list", "aria-label": t("Services with your data") });
    const others = h("ul", { class: "list", "aria-label": t("Services to add") });
    const log = h("ul", { class: "list", "aria-label": t("Who asked for my data") });
    const error = h("p", { class: "error", role: "alert" });
    const none = h("p", { class: "small muted" });
    const find = button(t("Find a service"), loadOthers);
    const history = button(t("Who asked for my data"), loadLog);
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
            allow ? t("{name} may have your data.", each) : t("{name} gets nothing.", each));
        const values = { what: what(each), reason: each.reason };
        const wants = each.stream
            ? t("It reads {what} already, and wants to be sent at once what comes: {reason}", values)
            : t("It asks to read {what}: {reason}", values);
        return row(each, [wants],
            button(t("Allow"), answer(true), "button primary"), button(t("Refuse"), answer(false), "button"));
    }

    function own(each) {
        const since = [
            t("It may have {what}, since {time}.", { what: what(each), time: dateTime(each.since) }),
            each.subscribed ? t("It receives what comes at once.")
                : each.stream ? t("It may be sent at once what comes.") : t("It may read, and is sent nothing."),
        ].join(" ");
        const streams = each.stream
            ? button(t("Let it only read"), () => decide("service.add", { service: each.service, stream: false },
                t("{name} is sent nothing any more.", { name: each.name })), "button")
            : button(t("Send it what comes"), () => stream(each), "button");
        return row(each, [since],
            each.address ? h("a", {
                class: "button", href: each.address, target: "_blank", rel: "noopener noreferrer",
            }, t("Open {host}", { host: new URL(each.address).host })) : null,
            streams, button(t("Take back"), () => decide("service.remove", { service: each.service },
                t("{name} gets nothing any more.", { name: each.name })), "button"));
    }

    async function stream(each) {
        const isSure = await ask({
            title: t("Send {name} what comes?", { name: each.name }),
            text: t("{company} gets {what} within moments, whenever your devices measure something, until you "
                + "take it back.", { company: each.company, what: what(each) }),
            yes: t("Allow"),
        });
        if (!isSure) return;
        await decide("service.add", { service: each.service, stream: true },
            t("{name} is sent what comes.", { name: each.name }));
    }

    async function add(each) {
        const isSure = await ask({
            title: t("Let {name} have your data?", { name: each.name }),
            text: t("{company} may read {what}, also of the time before today, until you take it back. To be sent "
                + "at once what comes, it has to ask you again.", { company: each.company, what: what(each) }),
            yes: t("Allow"),
        });
        if (!isSure) return;
        await decide("service.add", { service: each.service }, t("{name} may have your data.", { name: each.name }));
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
            : [h("li", { class: "muted" }, t("There is no other service here."))]);
    }

    async function loadLog() {
        const { entries } = await app.call("access.log", { limit: 50 });
        replace(log, entries.length > 0 ? entries.map(deed)
            : [h("li", { class: "muted" }, t("Nobody has asked for anything."))]);
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
            write(none, services.length > 0 ? "" : t("No service has your data."));
        } catch (problem) {
            write(error, problemText(problem));
        }
    }

    return { element, load };
}
