/// The notices from the service, the newest first.

import { h, replace } from "../dom.js";
import { dateTime, moment } from "../format.js";

const SHOWN = 8;

export function makeNotices(app) {
    const list = h("ul", { class: "list" });
    const element = h("section", { class: "card", "aria-labelledby": "notices-title" },
        h("h2", { id: "notices-title" }, "News"), list);
    return {
        element,
        update(state) {
            const { notices } = state;
            element.hidden = notices.length === 0;
            replace(list, notices.slice(0, SHOWN).map((notice) => h("li", { class: "notice" },
                h("p", null, noticeWords(notice, state)),
                h("p", { class: "small muted" }, moment(notice.at)))));
        },
    };
}

/// A notice as a sentence.
export function noticeWords(notice, { groups, me }) {
    const who = notice.name ?? notice.user;
    // The service notifies both sides.
    const isMine = notice.by !== undefined && notice.by === me?.user;
    switch (notice.kind) {
    case "added-to-group": return isMine
        ? `You added somebody to the group ${notice.name}.`
        : `You were added to the group ${notice.name}.`;
    case "removed-from-group": return isMine
        ? `You removed somebody from the group ${notice.name}, or left it.`
        : `You were removed from the group ${notice.name}.`;
    case "friend-added": return `${who} added you as a friend.`;
    case "location-shared": return `${who} shows you where they are.`;
    case "sharing-reminder": return reminder(notice, groups);
    default: return `News: ${String(notice.kind).replaceAll("-", " ")}.`;
    }
}

function reminder({ since, groups: seeing = [], friends = 0 }, groups) {
    const names = seeing.map((group) => groups.get(group)?.name ?? "a group");
    const parts = [...names];
    if (friends > 0) parts.push(friends === 1 ? "one friend" : `${friends} friends`);
    return `You are still showing where you are to ${parts.join(", ")}, unchanged since `
        + `${dateTime(since)}.`;
}
