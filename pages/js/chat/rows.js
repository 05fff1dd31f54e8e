/// The rows of a chat: messages, days, events and unsent messages.

import { h, toggle, write } from "../dom.js";
import { dateTime, day, time } from "../format.js";
import { t } from "../language.js";
import { initials } from "../member.js";
import { unsent } from "../unsent.js";

export function makeRow(app, view) {
    if (view.day) return makeLine(view.key, "chat-day", day(view.day));
    if (view.isMark) return makeLine(view.key, "chat-mark", t("New"));
    if (view.pending) return makePending(app, view);
    if (view.message.kind !== "message") return makeInformation(view);
    return makeMessage(view);
}

function makeLine(key, kind, words) {
    return { element: h("div", { class: kind, dataset: { key } }, h("span", null, words)) };
}

function makeInformation({ key }) {
    const text = h("span", { dir: "auto" });
    const when = h("time", { class: "nowrap" });
    return {
        element: h("div", { class: "chat-information", dataset: { key, id: key } },
            text, " ", when),
        update({ message }) {
            write(text, informationOf(message));
            write(when, time(message.at));
            when.dateTime = message.at;
        },
    };
}

function informationOf({ kind, name, text, removed }) {
    if (!name) return t("Someone whose account was deleted was here.");
    if (kind === "joined") return t("{name} is now in the group.", { name });
    if (kind === "left") return leavingWords(name, removed);
    // The service sends the new name only within a sentence.
    const before = `${name} has renamed the group to `;
    if (kind === "renamed" && text?.startsWith(before)) {
        const group = text.slice(before.length).replace(/\.$/, "");
        return t("{name} has renamed the group to {group}.", { name, group });
    }
    return text ?? "";
}

/// - Parameter removed: undefined in messages from servers that did not report it.
function leavingWords(name, removed) {
    if (removed === undefined) return t("{name} is no longer in the group.", { name });
    return removed ? t("{name} was removed from the group.", { name }) : t("{name} has left the group.", { name });
}

function makeMessage({ key }) {
    const avatar = h("span", { class: "avatar small", "aria-hidden": "true" });
    const name = h("span", { class: "bubble-name" });
    const text = h("p", { class: "bubble-text", dir: "auto" });
    const when = h("time", { class: "bubble-time" });
    const element = h("div", { class: "message", dataset: { key, id: key } }, avatar,
        h("div", { class: "bubble" }, name, text, when));
    return {
        element,
        update({ message, isFollowing, isMine, colour }) {
            const isGone = message.text === undefined || message.text === null;
            toggle(element, "data-mine", isMine);
            toggle(element, "data-following", isFollowing);
            toggle(element, "data-gone", isGone);
            element.style.setProperty("--person", colour);
            const called = isMine ? t("You") : message.name ?? t("Deleted account");
            write(name, called);
            name.classList.toggle("visually-hidden", isMine || isFollowing);
            write(avatar, message.name ? initials(message.name) : "?");
            write(text, isGone ? t("This message was deleted with the account.") : message.text);
            write(when, time(message.at));
            when.dateTime = message.at;
            when.title = dateTime(message.at);
        },
    };
}

function makePending(app, { key }) {
    const text = h("p", { class: "bubble-text", dir: "auto" });
    const state = h("span", { class: "bubble-time" });
    let id = null;
    const actions = h("div", { class: "row end" },
        h("button", {
            type: "button", class: "button quiet danger", onclick: () => unsent.discard(id),
        }, t("Discard")),
        h("button", {
            type: "button", class: "button", onclick: () => unsent.retry(app, id),
        }, t("Try again")));
    return {
        element: h("div", { class: "message pending", "data-mine": true, dataset: { key } },
            h("div", { class: "bubble" }, text, state), actions),
        update({ pending }) {
            ({ id } = pending);
            write(text, pending.text);
            const failed = Boolean(pending.error) && !pending.isSending;
            write(state, failed ? t("Not sent. {reason}", { reason: pending.error }) : t("Sending…"));
            actions.hidden = !failed;
        },
    };
}
