/// The chat of the chosen group.

import { h, keyed, toggle, write } from "../dom.js";
import { problemText } from "../form.js";
import { dateTime, day, number, sameDay, time } from "../format.js";
import { icon } from "../icons.js";
import { initials } from "../member.js";
import { readStored, writeStored } from "../storage.js";
import { chosenGroup, store } from "../store.js";
import { unread } from "../unread.js";
import { unsent } from "../unsent.js";

const LONGEST_TEXT = 4_000;
const COUNTED_FROM = 3_500;
/// Messages of one person in a row stand together.
const TOGETHER_MS = 5 * 60_000;
const AT_END_PX = 80;
const AT_START_PX = 200;

export function mount(root, app) {
    const title = h("h1", null, "Chat");
    const older = h("p", { class: "muted small chat-older", role: "status" });
    const list = h("div", {
        class: "messages", role: "log", "aria-label": "Messages", "aria-live": "polite",
    });
    const scroller = h("div", {
        class: "chat-scroll", tabindex: "0", role: "region", "aria-label": "All messages",
    }, older, list);
    const newer = h("button", {
        type: "button", class: "button chat-newer", hidden: true, onclick: () => toEnd(),
    }, "New messages");
    const composer = makeComposer(app, () => toEnd());
    const empty = h("p", { class: "empty", hidden: true });
    root.append(h("div", { class: "chat" },
        h("div", { class: "chat-head" }, title), scroller, empty, newer, composer.element));
    const show = keyed(list, (view) => makeRow(app, view), (view) => view.key);

    let endings = [];
    let group = null;
    let mark = null;
    let isLoading = false;
    let isAtEnd = true;

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
        write(empty, store.state.isLoaded ? "You are in no group yet. A group has a chat." : "");
        scroller.hidden = !chosen;
        composer.element.hidden = !chosen;
        write(title, chosen ? chosen.name : "Chat");
        if (!chosen) return;
        if (group !== chosen.group) {
            group = chosen.group;
            mark = null;
            isAtEnd = true;
            composer.open(group);
        }
        if (mark === null && store.state.isLoaded) mark = unread.chatMark(chosen);
        const before = scroller.scrollHeight;
        const last = list.lastElementChild?.dataset.key;
        const top = scroller.scrollTop;
        const first = list.querySelector("[data-id]")?.dataset.id;
        show(views(chosen));
        write(older, isLoading ? "Loading older messages…"
            : chosen.chatNext === null ? "This is where your messages begin." : "");
        if (isAtEnd) {
            scroller.scrollTop = scroller.scrollHeight;
            seen();
        } else if (list.querySelector("[data-id]")?.dataset.id !== first) {
            scroller.scrollTop = top + scroller.scrollHeight - before;
        } else if (list.lastElementChild?.dataset.key !== last) {
            newer.hidden = false;
        }
    }

    function views(chosen) {
        const messages = [...chosen.chat.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
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

    /// The group hears a message a moment before its author gets the answer.
    function hasArrived(pending, messages, me) {
        return pending.isSending && messages.slice(-5).some((message) => message.from === me
            && message.text === pending.text && message.at > pending.at.slice(0, 16));
    }

    async function loadOlder() {
        const chosen = chosenGroup();
        if (isLoading || !chosen?.chatNext) return;
        isLoading = true;
        list.setAttribute("aria-busy", "true");
        update();
        try {
            await app.live.loadOlderChat(chosen.group);
        } catch (problem) {
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

// MARK: Rows

function makeRow(app, view) {
    if (view.day) return makeLine(view.key, "chat-day", day(view.day));
    if (view.isMark) return makeLine(view.key, "chat-mark", "New");
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
            write(text, message.text ?? "Somebody whose account is deleted was here.");
            write(when, time(message.at));
            when.dateTime = message.at;
        },
    };
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
            const called = isMine ? "You" : message.name ?? "Deleted account";
            write(name, called);
            name.classList.toggle("visually-hidden", isMine || isFollowing);
            write(avatar, message.name ? initials(message.name) : "?");
            write(text, isGone ? "This message was deleted with the account." : message.text);
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
        }, "Discard"),
        h("button", {
            type: "button", class: "button", onclick: () => unsent.retry(app, id),
        }, "Try again"));
    return {
        element: h("div", { class: "message pending", "data-mine": true, dataset: { key } },
            h("div", { class: "bubble" }, text, state), actions),
        update({ pending }) {
            ({ id } = pending);
            write(text, pending.text);
            const failed = Boolean(pending.error) && !pending.isSending;
            write(state, failed ? `Not sent. ${pending.error}` : "Sending…");
            actions.hidden = !failed;
        },
    };
}

// MARK: Writing

function makeComposer(app, sent) {
    let group = null;
    const left = h("p", { class: "small muted", role: "status", id: "chat-left" });
    const input = h("textarea", {
        id: "chat-text", rows: 1, dir: "auto", placeholder: "Message", "aria-label": "Message",
        "aria-describedby": "chat-left", enterkeyhint: "send", autocomplete: "off",
    });
    const button = h("button", { type: "submit", class: "send", "aria-label": "Send" },
        icon("send"));
    const draft = () => unsent.draftKey(group);

    function fit() {
        input.style.height = "auto";
        input.style.height = `${Math.min(input.scrollHeight + 2, 160)}px`;
        const length = [...input.value].length;
        write(left, length < COUNTED_FROM ? ""
            : length <= LONGEST_TEXT ? `${number(LONGEST_TEXT - length)} characters left`
            : `${number(length - LONGEST_TEXT)} characters too many`);
        left.hidden = !left.textContent;
        button.disabled = !input.value.trim() || length > LONGEST_TEXT;
    }

    function send() {
        const text = input.value.trim();
        if (!text || [...text].length > LONGEST_TEXT || !group) return;
        unsent.add(app, group, text);
        input.value = "";
        writeStored(draft(), null);
        fit();
        sent();
    }

    input.addEventListener("input", () => {
        writeStored(draft(), input.value);
        fit();
    });
    input.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
        event.preventDefault();
        send();
    });
    return {
        element: h("form", {
            class: "composer",
            onsubmit: (event) => {
                event.preventDefault();
                send();
                input.focus();
            },
        }, left, h("div", { class: "composer-line" }, input, button)),
        open(next) {
            group = next;
            input.value = readStored(draft()) ?? "";
            requestAnimationFrame(fit);
        },
    };
}
