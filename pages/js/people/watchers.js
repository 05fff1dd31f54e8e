/// The people who see my position, with a way to end that immediately.

import { isolate } from "../bidi.js";
import { serverNow } from "../clock.js";
import { h, replace, write } from "../dom.js";
import { problemText } from "../form.js";
import { moment, number, together } from "../format.js";
import { icon } from "../icons.js";
import { shown } from "../known/shown.js";
import { t, tn } from "../language.js";
import { ruleNames } from "../places/rule-row.js";
import { ownAnswer, ruleSentence } from "../places/rule-words.js";
import { isLive, nameOf } from "../store.js";
import { storingWords, turnLocationOff } from "./location-off.js";
import { endObserver } from "./observers.js";
import { HOUR_MS } from "../units.js";

const PAUSE_MS = HOUR_MS;

export function makeWatchers(app, changed) {
    const summary = h("p", { role: "status" });
    const list = h("ul", { class: "list" });
    const rules = h("div", { class: "stack tight" });
    const error = h("p", { class: "error", role: "alert" });
    const kept = h("p", { class: "small muted", role: "status" });
    let isStoring;
    const off = h("button", {
        type: "button", class: "button danger",
        onclick: async () => {
            write(error, "");
            try {
                const done = await turnLocationOff(app, isStoring);
                if (done) app.say(done, "good");
                else return;
            } catch (problem) {
                write(error, t("Not done: {problem}", { problem: problemText(problem) }));
            }
            changed();
        },
    }, t("Location off"));
    let pausedUntil = null;
    const pause = h("button", {
        type: "button", class: "button",
        onclick: async () => {
            write(error, "");
            try {
                if (pausedUntil) {
                    await app.call("sharing.resume");
                } else {
                    const until = new Date(serverNow() + PAUSE_MS).toISOString();
                    await app.call("sharing.pause", { until });
                }
            } catch (problem) {
                write(error, t("Not done: {problem}", { problem: problemText(problem) }));
            }
            changed();
        },
    }, t("Pause for an hour"));
    const element = h("section", { class: "card", "aria-labelledby": "watchers-title" },
        h("h2", { id: "watchers-title", class: "row" }, icon("eye"), t("Who can see me")),
        summary, list, rules, kept, error, h("div", { class: "row" }, pause, off));

    let known = null;
    let at = null;
    let shownRules = "";
    /// The rules that notify others when I arrive somewhere, leave or am not there.
    function showRules() {
        const { me, rules: all } = app.store.state;
        const told = (all ?? []).filter((rule) => ownAnswer(rule, me?.user) === true
            && rule.tell.user !== me?.user);
        const sentences = told.map((rule) =>
            ruleSentence(rule, rule.geofence?.name ?? t("a place"), ruleNames(app, rule)));
        const now = JSON.stringify(sentences);
        if (now === shownRules) return;
        shownRules = now;
        replace(rules, sentences.length === 0 ? null : [
            h("ul", { class: "list", "aria-label": t("Notified about me at places") }, sentences.map((words) =>
                h("li", null, h("p", { class: "row break" }, words)))),
            h("p", null, h("a", { href: "#places/own" }, t("End this under Places"))),
        ]);
    }

    /// Writes the summary; without a connection it shows how old the information is.
    function summarize() {
        showRules();
        if (known === null) return write(summary, t("Not known at the moment."));
        write(pause, pausedUntil ? t("Show my location again") : t("Pause for an hour"));
        write(kept, isLive() ? storingWords(isStoring) : "");
        const links = known.filter(({ isLink }) => isLink).length;
        const services = known.filter(({ isService }) => isService).length;
        const programs = known.filter(({ program }) => program).length;
        const count = known.length - links - services - programs;
        const words = pausedUntil
            ? t("Paused until {time}: no one sees where you go. Groups keep your last position from "
                + "before. Sharing with anyone, a journey or an SOS ends the pause for everyone.",
                { time: moment(pausedUntil) })
            : watcherWords(count, { links, services, programs }, shown().before);
        write(summary, isLive() ? words
            : t("No connection: the current state is unknown. At {time}: {words}", { time: moment(at), words }));
    }

    function endButton(program) {
        return h("button", {
            type: "button", class: "button quiet danger",
            "aria-label": t("End {name}", { name: program.name }),
            onclick: async () => {
                if (await endObserver(app, program)) changed();
            },
        }, t("End"));
    }

    return {
        element,
        summarize,
        /// - Parameter account: the answer to `account.get`.
        update(watchers, account) {
            const people = byPerson(watchers);
            known = people;
            isStoring = account.storing !== false;
            pausedUntil = account.pausedUntil ?? null;
            at = serverNow();
            summarize();
            summary.classList.toggle("muted", people.length === 0);
            replace(list, people.map(({ name, reasons, program }) => h("li", null,
                h("div", { class: "row" },
                    h("strong", { class: "grow break" }, name),
                    h("span", { class: "small muted" }, reasons.join("; ")),
                    program ? endButton(program) : null))));
        },
    };
}

/// - Parameter before: the groups that keep a position from before.
function watcherWords(people, { links, services, programs }, before) {
    const kept = before.length === 0 ? "" : t("Your last position stays visible to {groups}.",
        { groups: together(before.map(({ name }) => isolate(name))) });
    if (people + links + services + programs === 0) {
        return kept ? `${t("No one sees where you go.")} ${kept}` : t("No one sees where you are.");
    }
    const who = [];
    if (people > 0) who.push(tn(people, "1 person", "{count} people", { count: number(people) }));
    if (links > 0) who.push(tn(links, "anyone with your link", "anyone with one of your links"));
    if (services > 0) who.push(tn(services, "1 service", "{count} services", { count: number(services) }));
    if (programs > 0) who.push(tn(programs, "1 program", "{count} programs", { count: number(programs) }));
    const seeing = tn(who.length > 1 ? 2 : Math.max(people, services, programs, 1),
        "{who} sees your position as it arrives.", "{who} see your position as it arrives.",
        { who: sentenceCase(together(who)) });
    return [seeing, kept].filter(Boolean).join(" ");
}

function sentenceCase(words) {
    return words[0].toUpperCase() + words.slice(1);
}

/// One entry per person, with all reasons: a friend may also be in two of my groups.
function byPerson(watchers) {
    const people = new Map();
    for (const { user, name, why, group, groupName, since, share, service, company, observer, by } of watchers) {
        if (why === "link") {
            people.set(`link ${share}`, {
                name: t("Anyone with a link"), isLink: true, reasons: [t("since {time}", { time: moment(since) })],
            });
            continue;
        }
        if (why === "service") {
            people.set(`service ${service}`, {
                name: `${name} (${company})`, isService: true,
                reasons: [t("a service, since {time}", { time: moment(since) })],
            });
            continue;
        }
        if (why === "observer") {
            people.set(`observer ${observer}`, {
                name, program: { group, groupName, observer, name },
                reasons: [t("a program added by {name} that sees what {group} sees, since {time}",
                    { name: nameOf(by), group: groupName, time: moment(since) })],
            });
            continue;
        }
        const person = people.get(user) ?? { name: name ?? user, reasons: [] };
        if (name) person.name = name;
        const values = { group: groupName, time: moment(since) };
        person.reasons.push(why === "friend" ? t("as a friend since {time}", values)
            : groupName ? t("in {group} since {time}", values) : t("in a group since {time}", values));
        people.set(user, person);
    }
    return [...people.values()].sort((a, b) => a.name.localeCompare(b.name));
}
