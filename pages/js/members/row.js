/// One person in the list beside the map. Writes only changes: fifty rows are updated several times
/// a second.

import { showAvatar } from "../avatar.js";
import { isolate } from "../bidi.js";
import { h, toggle, write } from "../dom.js";
import { dateTime } from "../format.js";
import { presenceOf, presenceWords } from "../known/presence.js";
import { t } from "../language.js";
import { ageWords, describe, fixWords, isCurrent, journeyWords } from "../member.js";
import { nearWords } from "../near.js";
import { store } from "../store.js";
import { makeDetails } from "./details.js";

/// How often words that depend only on time are refreshed.
const TICK_MS = 5_000;

/// - `view`: `{member,now,isKnown,group,colour,hasPath,isMe,isSelected,isFollowed,needsUser,places}`;
///   `needsUser`: another member has the same name; `places`: how often place names were received.
export function makeRow(app, sheet, { member: { user } }) {
    const avatar = h("span", { class: "avatar", "aria-hidden": "true" });
    const name = h("span", { class: "member-name", dir: "auto" });
    const login = h("span", { class: "muted small break", dir: "ltr" });
    const age = h("span", { class: "muted small nowrap" });
    const state = h("span", { class: "badge" });
    const warning = h("span", { class: "badge warning" });
    const presence = h("span", { class: "presence small" });
    const journey = h("span", { class: "small" });
    const facts = h("span", { class: "muted small" });
    const details = h("div", { class: "member-details", id: `member-${user}`, hidden: true });
    const button = h("button", {
        type: "button", class: "member", "aria-controls": details.id,
        onclick: () => {
            const isOpen = store.state.selected === user;
            store.change((each) => { each.selected = isOpen ? null : user; });
            if (isOpen) return;
            sheet.makeRoom();
            if (app.people.show(user)) return;
            app.say(t("No position known for {name} yet.", { name: name.textContent }));
        },
    },
    avatar,
    h("span", { class: "member-body" },
        h("span", { class: "member-line" }, h("span", { class: "member-names" }, name, login), age),
        h("span", { class: "member-line wrap" }, state, warning, presence),
        journey, facts));
    const element = h("li", { class: "member-row", dataset: { user } }, button, details);
    let more = null;
    let shown = null;

    function draw({ member, now, isKnown, colour, isMe, isSelected, needsUser }) {
        const { tone, text, warnings } = describe(member, now);
        const { fix } = member;
        toggle(element, "data-state", member.state);
        toggle(element, "data-selected", isSelected);
        toggle(element, "data-old", !isKnown || !isCurrent(member, now));
        toggle(element, "data-unknown", !isKnown);
        toggle(element, "data-kind", member.kind);
        toggle(button, "aria-expanded", String(isSelected));
        if (shown?.colour !== colour) avatar.style.setProperty("--person", colour);
        showAvatar(avatar, member);
        write(name, isMe ? t("{name} (you)", { name: isolate(member.name) }) : member.name);
        login.hidden = !needsUser;
        write(login, needsUser ? `@${user}` : "");
        write(age, fix ? ageWords(fix, now) : "");
        toggle(age, "title", fix ? dateTime(fix.timestamp) : null);
        toggle(state, "class", `badge ${tone}`);
        write(state, text);
        write(warning, warnings.join(", "));
        warning.hidden = warnings.length === 0;
        const there = presenceOf(member, isKnown);
        // The warning already says so.
        presence.hidden = member.kind === "friend"
            || (isKnown && (member.warnings ?? []).includes("offline"));
        write(presence, presenceWords(there, now));
        toggle(presence, "data-online", there.kind === "here");
        write(journey, member.journey ? journeyWords(member.journey, now) : "");
        journey.hidden = !journey.textContent;
        write(facts, fix ? [nearWords(fix), ...fixWords(fix)].filter(Boolean).join(" · ")
            : member.isUnknown ? "" : t("No position yet"));
        facts.hidden = !facts.textContent;
    }

    return {
        element,
        update(view) {
            if (isSame(shown, view)) return;
            draw(view);
            shown = view;
            details.hidden = !view.isSelected;
            if (!view.isSelected) return;
            if (!more) {
                more = makeDetails(app, user);
                details.append(more.element);
            }
            more.update(view);
        },
    };
}

/// Whether nothing would look different; a changed state is a new object.
function isSame(before, view) {
    if (!before || view.now - before.now >= TICK_MS || view.now < before.now) return false;
    return Object.keys(view).every((key) => {
        if (key === "now") return true;
        if (key !== "member" || view.member.kind !== "friend") return view[key] === before[key];
        return view.member.fix === before.member.fix && view.member.name === before.member.name;
    });
}
