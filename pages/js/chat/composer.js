/// The field for writing a message. A draft survives a reload.

import { LIMITS } from "../contract.js";
import { h, write } from "../dom.js";
import { number } from "../format.js";
import { icon } from "../icons.js";
import { t, tn } from "../language.js";
import { readStored, writeStored } from "../storage.js";
import { unsent } from "../unsent.js";

const COUNTED_FROM = 3_500;

/// `sent` is called after each message.
export function makeComposer(app, sent) {
    let group = null;
    const left = h("p", { class: "small muted", role: "status", id: "chat-left" });
    const input = h("textarea", {
        id: "chat-text", rows: 1, dir: "auto", placeholder: t("Message"), "aria-label": t("Message"),
        "aria-describedby": "chat-left", enterkeyhint: "send", autocomplete: "off",
    });
    const button = h("button", { type: "submit", class: "send", "aria-label": t("Send") },
        icon("send"));
    const draft = () => unsent.draftKey(group);

    function fit() {
        input.style.height = "auto";
        input.style.height = `${Math.min(input.scrollHeight + 2, 160)}px`;
        const length = [...input.value].length;
        write(left, length < COUNTED_FROM ? "" : leftWords(LIMITS.chatText - length));
        left.hidden = !left.textContent;
        button.disabled = !input.value.trim() || length > LIMITS.chatText;
    }

    function send() {
        const text = input.value.trim();
        if (!text || [...text].length > LIMITS.chatText || !group) return;
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

function leftWords(left) {
    const count = Math.abs(left);
    const values = { number: number(count) };
    return left >= 0 ? tn(count, "1 character left", "{number} characters left", values)
        : tn(count, "1 character too many", "{number} characters too many", values);
}
