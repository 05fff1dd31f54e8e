/// Services of companies: which of them have the person's data, which ask for it, and what each has done.

import { ask } from "../dialog.js";
import { h, replace, write } from "../dom.js";
import { problemText } from "../form.js";
import { dateTime } from "../format.js";

const WHAT_IT_IS = "A service of a company gets your data only if you let it, and only until you take "
    + "that back. What it has read until then it keeps: ask the company to delete that. Friends who look who is "
    + "nearby and members who read your path are noted, too, once an hour each; whoever sees you all the time is "
    + "under “Who can see me”.";
const DATA = { positions: "where you are and have been", vitals: "your vital signs" };
const DEEDS = {
    requested: "asked for your data", granted: "may have your data from here on",
    refused: "was refused", revoked: "may no longer have your data",
    read: "read", denied: "tried to read without being allowed to",
    nearby: "saw you among the friends nearby", path: "read your path",
    opened: "was opened",
    "called": "was called for you, with your position", "read-for-help": "read your vital signs:",
    subscribed: "receives what comes from here on", unsubscribed: "receives nothing from here on",
};

/// Who did what an entry of the log says.
function viewer({ service, company, user, name, what: deed }) {
    if (["called", "read-for-help"].includes(deed)) return "Whoever sends help";
    if (service) return `${service} (${company})`;
    return user ? `${name} (${user})` : "A link of yours";
}

function what(service) { return service.data.map((kind) => DATA[kind] ?? kind).join(", and "); }

export function makeServices(app) {
    const requests = h("ul", { class: "list", "aria-label": "Requests of services" });
    const mine = h("ul", { class: "list", "aria-label": "Services with your data" });
    const others = h("ul", { class: "list", "aria-label": "Services to add" });
    const log = h("ul", { class: "list", "aria-label": "Who asked for my data" });
    const error = h("p", { class: "error", role: "alert" });
    const none = h("p", { class: "small muted" });
    const find = button("Find a service", loadOthers);
    const history = button("Who asked for my data", loadLog);
    const element = h("details", { class: "card" },
        h("summary", null, "Services"), h("p", { class: "small muted" }, WHAT_IT_IS),
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
            allow ? `${each.name} may have your data.` : `${each.name} gets nothing.`);
        return row(each, [`It asks for ${what(each)}: ${each.reason}`],
            button("Allow", answer(true), "button primary"), button("Refuse", answer(false), "button"));
    }

    function own(each) {
        const since = `It may have ${what(each)}, since ${dateTime(each.since)}.`
            + (each.subscribed ? " It receives what comes at once." : "");
        return row(each, [since], button("Take back", () => decide("service.remove",
            { service: each.service }, `${each.name} gets nothing any more.`), "button"));
    }

    async function add(each) {
        const isSure = await ask({
            title: `Let ${each.name} have your data?`,
            text: `${each.company} gets ${what(each)}, also of the time before today, until you take `
                + "it back.",
            yes: "Allow",
        });
        if (!isSure) return;
        await decide("service.add", { service: each.service }, `${each.name} may have your data.`);
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
            ? found.map((each) => row(each, [`It wants ${what(each)}.`],
                button("Add", () => add(each), "button")))
            : [h("li", { class: "muted" }, "There is no other service here.")]);
    }

    async function loadLog() {
        const { entries } = await app.call("access.log", { limit: 50 });
        replace(log, entries.length > 0 ? entries.map(deed)
            : [h("li", { class: "muted" }, "Nobody has asked for anything.")]);
    }

    function deed(entry) {
        const count = entry.count === undefined ? "" : ` ${entry.count} values`;
        return h("li", { class: "small" },
            `${dateTime(entry.at)}: ${viewer(entry)} `
            + `${DEEDS[entry.what] ?? entry.what}${count}.`);
    }

    async function load() {
        try {
            const { services, requests: open } = await app.call("consent.list");
            write(error, "");
            replace(requests, open.map(request));
            replace(mine, services.map(own));
            write(none, services.length > 0 ? "" : "No service has your data.");
        } catch (problem) {
            write(error, problemText(problem));
        }
    }

    return { element, load };
}
