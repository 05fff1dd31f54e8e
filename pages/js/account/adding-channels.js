/// Adding a notification channel: this browser, an email address, a webhook.

import { h, replace, write } from "../dom.js";
import { makeField, makeForm, problemText } from "../form.js";
import { t } from "../language.js";
import { obstacle, ownChannel, subscribe, wasRemoved } from "../push.js";

const REMOVED = t("This browser no longer notifies you: it was removed on another device, or could "
    + "no longer be reached.");

export function makeAdding(app, { load }) {
    const browser = makeBrowser(app, { load });
    const mail = makeMail(app, { load });
    const webhook = makeWebhook(app, { load });
    return {
        element: h("div", { class: "stack" },
            browser.element, mail.element, webhook.element),
        /// Handles the answer of `channel.list`.
        know({ channels, offered, notOffered }) {
            browser.know({
                reason: offered.includes("push") ? "" : notOffered?.find(({ kind }) => kind === "push")?.why ?? "",
                isOffered: offered.includes("push"),
                isThere: channels.some(({ channel }) => channel === ownChannel()),
            });
            mail.element.hidden = !offered.includes("mail");
            webhook.element.hidden = !offered.includes("webhook");
        },
    };
}

/// The form for the code sent to an address.
export function makeCode(app, channel, { load }) {
    const code = makeField({
        name: "code", label: t("The code sent there"), inputmode: "numeric",
        autocomplete: "one-time-code", hint: t("8 digits. It can take a minute to arrive."),
    });
    const element = makeForm({
        fields: [code],
        button: t("Confirm"),
        submit: async (values) => {
            try {
                await app.call("channel.confirm", { channel, ...values });
            } catch (problem) {
                if (problem.kind !== "wrong-code") throw problem;
                throw { errors: [{ field: "code", reason: problemText(problem) }] };
            }
            app.say(t("Address confirmed."), "good");
            await load();
        },
    });
    return { element };
}

function makeBrowser(app, { load }) {
    const words = h("p", { class: "small warning-text", role: "status" });
    const button = h("button", {
        type: "button", class: "button wide",
        onclick: async () => {
            button.disabled = true;
            try {
                await subscribe(app.call);
                app.say(t("This browser now notifies you. Test it."), "good");
                write(words, "");
            } catch (problem) {
                write(words, problemText(problem));
            }
            button.disabled = false;
            await load();
        },
    }, t("Notify me in this browser"));
    const element = h("div", { class: "stack tight", hidden: true }, button, words);
    return {
        element,
        know({ reason, isOffered, isThere }) {
            const problem = reason || obstacle();
            element.hidden = !(isOffered || reason) || (isThere && !problem);
            button.hidden = problem !== "";
            if (problem) write(words, problem);
            else if (wasRemoved()) write(words, REMOVED);
            else if (words.textContent === REMOVED) write(words, "");
        },
    };
}

function makeMail(app, { load }) {
    const address = makeField({
        name: "address", label: t("Email address"), type: "email", autocomplete: "email",
    });
    const form = makeForm({
        fields: [address],
        button: t("Send a code"),
        submit: async (values) => {
            await app.call("channel.add", { kind: "mail", address: values.address.trim() });
            address.input.value = "";
            element.open = false;
            app.say(t("A code is on its way. Enter it here."), "good");
            await load();
        },
    });
    const element = h("details", { hidden: true },
        h("summary", null, t("Add an email address")), form);
    return { element };
}

function makeWebhook(app, { load }) {
    const url = makeField({
        name: "url", label: t("Address"), type: "url", autocomplete: "off", placeholder: "https://…",
        hint: t("Works with ntfy, Gotify, Home Assistant, a UnifiedPush gateway and others."),
    });
    const outcome = h("div", { class: "stack tight", role: "status" });
    const form = makeForm({
        fields: [url],
        button: t("Add it"),
        submit: async (values) => {
            const { channel, secret } = await app.call("channel.add", {
                kind: "webhook", url: values.url.trim(),
            });
            url.input.value = "";
            showSecret(channel, secret);
            await load();
        },
    });

    function showSecret({ label }, secret) {
        const code = h("code", { class: "grow break" }, secret);
        replace(outcome,
            h("p", { class: "small" }, t("{label} was added. This secret signs what is sent there "
                + "(Standard Webhooks). It is shown only once; a receiver that checks no "
                + "signatures doesn't need it.", { label })),
            h("div", { class: "row copy" }, code, h("button", {
                type: "button", class: "button", "aria-label": t("Copy the secret"),
                onclick: () => copy(secret, code),
            }, t("Copy"))));
    }

    async function copy(text, code) {
        try {
            await navigator.clipboard.writeText(text);
            app.say(t("Copied."));
        } catch {
            // Copying is not allowed here: select it, so that the person can copy it.
            getSelection().selectAllChildren(code);
            app.say(t("It is selected: copy it with the keyboard or the menu."));
        }
    }

    const element = h("details", { hidden: true },
        h("summary", null, t("Add a webhook")), form, outcome);
    return { element };
}
