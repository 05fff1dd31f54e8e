/// Other viewers of my location: groups, friends, links and services, as the server lists them.

import { isolate } from "./bidi.js";
import { number, together } from "./format.js";
import { t, tn } from "./language.js";
import { isLive, store } from "./store.js";

/// Links and friends change without any message to this page.
const AGAIN_MS = 60_000;
/// After a failure.
const PAUSE_MS = 10_000;

/// The words for a group's control, "" while nothing is known; `changed` is called when they may
/// have changed.
export function makeElsewhere(app, changed) {
    let watchers = null;
    let isAsking = false;
    let askedAt = -Infinity;
    let askedFor = "";

    async function ask(now) {
        isAsking = true;
        try {
            watchers = (await app.call("sharing.list")).watchers;
            askedAt = now;
        } catch {
            watchers = null;
            askedAt = now - AGAIN_MS + PAUSE_MS;
        }
        isAsking = false;
        changed();
    }

    return (group) => {
        const { me, groups } = store.state;
        if (!me || me.demo || !isLive()) return "";
        // My state in a group shows what I share with it.
        const versions = [...groups.values()].map((each) => each.states.get(me.user)?.version)
            .join();
        const now = performance.now();
        if (!isAsking && (now - askedAt > AGAIN_MS || versions !== askedFor)) {
            askedFor = versions;
            ask(now);
        }
        return watchers ? elsewhereWords(watchers, group) : "";
    };
}

/// - Parameter watchers: those of `sharing.list`.
export function elsewhereWords(watchers, group) {
    const of = (reason) => watchers.filter(({ why }) => why === reason);
    const isMember = new Set(group.members.map(({ user }) => user));
    const groups = new Map(of("group").filter((each) => each.group !== group.group)
        .map((each) => [each.group, isolate(each.groupName ?? t("another group"))]));
    const friends = of("friend").filter(({ user }) => !isMember.has(user)).length;
    const links = of("link").length;
    const services = of("service").length;
    const who = [
        ...groups.values(),
        friends > 0 ? tn(friends, "1 friend", "{count} friends", { count: number(friends) }) : "",
        links > 0 ? tn(links, "anyone with your link", "anyone with one of your {count} links",
            { count: number(links) }) : "",
        services > 0 ? tn(services, "1 service", "{count} services", { count: number(services) })
            : "",
    ].filter(Boolean);
    return who.length === 0 ? "" : t("You are also visible to {who}.", { who: together(who) });
}
