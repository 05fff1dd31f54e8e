/// The chat of the chosen group.

import { makeComposer } from "../chat/composer.js";
import { makeRow } from "../chat/rows.js";
import { h, keyed, write } from "../dom.js";
import { problemText } from "../form.js";
import { sameDay } from "../format.js";
import { t } from "../language.js";
import { makeNextThing } from "../next-thing.js";
import { past } from "../past.js";
import { chosenGroup, store } from "../store.js";
import { unread } from "../unread.js";
import { unsent } from "../unsent.js";

/// Consecutive messages of one person within this time are grouped.
const TOGETHER_MS = 5 * 60_000;
const AT_END_PX = 80;
const AT_START_PX = 200;
/// Presence is not part of a conversation.
const PRESENCE = ["online", "offline"];

export function mount(root, app) {
    const title = h("h1", null, t("Chat"));
    const older = h("p", { class: "muted small chat-older", role: "status" });
    const list = h("div", {
        class: "messages", role: "log", "aria-label": t("Messages"), "aria-live": "polite",
    });
    const scroller = h("div", {
        class: "chat-scroll", tabindex: "0", role: "region", "aria-label": t("All messages"),
    }, older, list);
    const newer = h("button", {
        type: "button", class: "button chat-newer", hidden: true, onclick: () => toEnd(),
    }, t("New messages"));
    const composer = makeComposer(app, () => toEnd());
    const empty = h("p", { class: "empty", hidden: true });
    const readOnly = h("p", { class: "composer small muted", hidden: true },
        t("This is the demo: you can read, but not write."));
    const next = makeNextThing();
    root.append(h("div", { class: "chat" },
        h("div", { class: "chat-head" }, title), scroller, empty, next.element, newer,
        composer.element, readOnly));
    const show = keyed(list, (view) => makeRow(app, view), (view) => view.key);

    let endings = [];
    let group = null;
    let mark = null;
    let isLoading = false;
    let isAtEnd = true;
    /// Whether loading older messages failed: no automatic retry.
    let hasFailed = false;

    scroller.addEventListener("scroll", () => {
        isAtEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < AT_END_PX;
        if (isAtEnd) {
            newer.hidden = true;
            seen();
        }
        if (scroller.scrollTop < AT_START_PX) loadOlder();
    }, { passive: true });

    function update() {
        const chosen = chosenGroup();
        empty.hidden = Boolean(chosen);
        next.show(!chosen);
        write(empty, store.state.isLoaded ? t("You are not in a group yet. Each group has a chat.") : "");
        scroller.hidden = !chosen;
        const isDemo = store.state.me?.demo === true;
        composer.element.hidden = !chosen || isDemo;
        readOnly.hidden = !chosen || !isDemo;
        write(title, chosen ? chosen.name : t("Chat"));
        if (!chosen) return;
        if (group !== chosen.group) {
            group = chosen.group;
            mark = null;
            isAtEnd = true;
            hasFailed = false;
            composer.open(group);
        }
        if (mark === null && store.state.isLoaded) mark = unread.chatMark(chosen);
        const before = scroller.scrollHeight;
        const last = list.lastElementChild?.dataset.key;
        const top = scroller.scrollTop;
        const first = list.querySelector("[data-id]")?.dataset.id;
        show(views(chosen));
        write(older, isLoading ? t("Loading older messages…")
            : chosen.chatNext === null ? t("This is where your messages begin.") : "");
        if (isAtEnd) {
            scroller.scrollTop = scroller.scrollHeight;
            seen();
            fillScreen();
        } else if (list.querySelector("[data-id]")?.dataset.id !== first) {
            scroller.scrollTop = top + scroller.scrollHeight - before;
        } else if (list.lastElementChild?.dataset.key !== last) {
            newer.hidden = false;
        }
    }

    function views(chosen) {
        const messages = [...chosen.chat.values()].filter(({ kind }) => !PRESENCE.includes(kind))
            .sort((a, b) => (a.id < b.id ? -1 : 1));
        const me = store.state.me?.user;
        const colours = app.people.colours();
        const found = [];
        let previous = null;
        let isMarked = false;
        for (const message of messages) {
            if (!previous || !sameDay(previous.at, message.at)) {
                found.push({ key: `day ${message.id}`, day: message.at });
                previous = null;
            }
            if (!isMarked && mark && mark !== "~" && message.id > mark && message.from !== me
                && message.kind === "message") {
                isMarked = true;
                found.push({ key: "new", isMark: true });
                previous = null;
            }
            const isFollowing = previous?.kind === "message" && message.kind === "message"
                && previous.from === message.from
                && new Date(message.at) - new Date(previous.at) < TOGETHER_MS;
            found.push({
                key: message.id, message, isFollowing, isMine: message.from === me,
                colour: colours.get(message.from) ?? "#44524d",
            });
            previous = message;
        }
        for (const pending of unsent.of(chosen.group)) {
            if (!hasArrived(pending, messages, me)) {
                found.push({ key: `unsent ${pending.id}`, pending });
            }
        }
        return found;
    }

    /// The group receives a message a moment before its author gets the answer.
    function hasArrived(pending, messages, me) {
        return pending.isSending && messages.slice(-5).some((message) => message.from === me
            && message.text === pending.text && message.at > pending.at.slice(0, 16));
    }

    /// A page of older messages may be too short to scroll to the next.
    function fillScreen() {
        const isFull = scroller.scrollHeight > scroller.clientHeight + AT_START_PX;
        if (scroller.clientHeight > 0 && !isFull && !hasFailed) loadOlder();
    }

    async function loadOlder() {
        const chosen = chosenGroup();
        if (isLoading || !chosen?.chatNext) return;
        isLoading = true;
        list.setAttribute("aria-busy", "true");
        update();
        try {
            await past.loadOlderChat(chosen.group);
        } catch (problem) {
            hasFailed = true;
            app.say(problemText(problem), "error");
        }
        isLoading = false;
        list.removeAttribute("aria-busy");
        update();
    }

    function toEnd() {
        isAtEnd = true;
        update();
    }

    function seen() {
        const chosen = chosenGroup();
        if (chosen && !document.hidden && endings.length) unread.markChat(chosen);
    }

    return {
        show() {
            if (endings.length === 0) {
                endings = [store.listen(update), unsent.listen(update)];
                document.addEventListener("visibilitychange", update);
                mark = null;
                isAtEnd = true;
            }
            update();
        },
        hide() {
            for (const end of endings) end();
            endings = [];
            document.removeEventListener("visibilitychange", update);
        },
    };
}
