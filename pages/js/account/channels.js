/// How I am notified while no page is open: my channels, what each notifies about, and whether it
/// works.

import { ask } from "../dialog.js";
import { h, keyed, replace, toggle, write } from "../dom.js";
import { problemText } from "../form.js";
import { t } from "../language.js";
import { forgetSubscription, ownChannel } from "../push.js";
import { whileConnected } from "../while-connected.js";
import { makeAdding, makeCode } from "./adding-channels.js";
import { KINDS, NEWS, stateOf, testResult } from "./channel-words.js";
import { makeQuietHours } from "./quiet-hours.js";

const TICK_MS = 10_000;
const TEST_PAUSE_MS = 1_000;
const TEST_ATTEMPTS = 20;

/// - `confirmed()` is called when the code of an address was right.
export function makeChannels(app, { confirmed }) {
    const list = h("ul", { class: "list channels" });
    const none = h("p", { class: "warning-text", hidden: true },
        t("Nowhere yet: while this page is closed, you are not notified of anything, not even an "
            + "SOS."));
    const error = h("p", { class: "error", role: "alert" });
    const adding = makeAdding(app, { load });
    const element = h("section", { class: "card", "aria-labelledby": "channels-title" },
        h("h2", { id: "channels-title" }, t("Where to reach you")),
        h("p", { class: "small muted" },
            t("Used while you have no Kith page open. An SOS in your groups always goes to "
            + "everything listed here; the rest is up to you.")),
        none, list, error, adding.element);
    const show = keyed(list, ({ channel }) => makeChannel(app, channel, { load, failed, confirmed }),
        ({ channel }) => channel);
    let channels = [];

    function failed(problem) {
        write(error, problemText(problem));
    }

    async function load() {
        try {
            const answer = await app.call("channel.list");
            ({ channels } = answer);
            show(channels);
            none.hidden = channels.length > 0;
            adding.know(answer);
            write(error, "");
        } catch (problem) {
            failed(problem);
        }
        return channels;
    }

    // Keeps "2 min ago" up to date.
    whileConnected(element, () => show(channels), { ms: TICK_MS });
    return {
        element,
        load,
        /// Sends a code to the account's address, unless the address is confirmed.
        async verify(address) {
            const { channel } = await app.call("channel.add", { kind: "mail", address });
            if (channel.confirmed) return confirmed();
            app.say(t("A code is on its way. Enter it below, under “Where to reach you”."), "good");
            await load();
            return element.scrollIntoView({ block: "nearest" });
        },
    };
}

/// A channel in the list.
function makeChannel(app, id, { load, failed, confirmed }) {
    let known = null;
    /// How many changes the service has not confirmed yet: until then the person's choices stay.
    let saving = 0;
    const label = h("strong", { class: "break" });
    const facts = h("p", { class: "small break" });
    const test = h("button", { type: "button", class: "button", onclick: tryIt }, t("Test"));
    const remove = h("button", {
        type: "button", class: "button quiet danger", onclick: removeIt,
    }, t("Remove"));
    const boxes = Object.entries(NEWS).map(([name, words]) => {
        const input = h("input", { type: "checkbox", onchange: choose });
        const element = h("label", { class: "check" }, input, h("span", null, words));
        return { name, input, element };
    });
    const news = h("details", null, h("summary", null, t("Notify me about")),
        h("p", { class: "small muted" }, t("An SOS and its end: always.")),
        boxes.map((box) => box.element));
    const code = makeCode(app, id, { load: () => Promise.all([load(), confirmed()]) });
    const quiet = makeQuietHours(app, id, { load });

    async function choose() {
        const chosen = boxes.filter(({ input }) => input.checked).map(({ name }) => name);
        saving += 1;
        try {
            await app.call("channel.update", { channel: id, news: ["sos", ...chosen] });
        } catch (problem) {
            app.say(problemText(problem), "error");
        }
        saving -= 1;
        await load();
    }

    async function tryIt() {
        const before = known;
        test.disabled = true;
        write(test, t("Testing…"));
        try {
            await app.call("channel.test", { channel: id });
            const result = await outcome(before);
            const { text, kind } = result ?? {
                text: t("{label} has not answered yet. The result will be shown here.", before),
                kind: "warning",
            };
            app.say(text, kind);
        } catch (problem) {
            app.say(problemText(problem), "error");
        }
        test.disabled = false;
        write(test, t("Test"));
    }

    async function outcome(before) {
        for (let attempt = 0; attempt < TEST_ATTEMPTS; attempt += 1) {
            await new Promise((resolve) => { setTimeout(resolve, TEST_PAUSE_MS); });
            const channels = await load();
            const result = testResult(before, channels.find(({ channel }) => channel === id));
            if (result) return result;
        }
        return null;
    }

    async function removeIt() {
        const isSure = await ask({
            title: t("Remove {label}?", { label: known.label }),
            text: t("It will no longer receive any notifications, not even of an SOS."),
            yes: t("Remove"), danger: true,
        });
        if (!isSure) return;
        try {
            await app.call("channel.remove", { channel: id });
            if (ownChannel() === id) await forgetSubscription();
        } catch (problem) {
            failed(problem);
        }
        await load();
    }

    return {
        element: h("li", { class: "channel" },
            h("div", { class: "row" }, h("div", { class: "grow" }, label, facts),
                h("div", { class: "row end" }, test, remove)),
            code.element, news, quiet.element),
        update(channel) {
            known = channel;
            const { text, look } = stateOf(channel);
            write(label, channel.label);
            const kind = ownChannel() === id ? t("This browser") : KINDS[channel.kind] ?? channel.kind;
            const line = `${kind} · ${text}`;
            if (facts.textContent !== line) {
                replace(facts, h("span", { class: "muted" }, `${kind} · `),
                    h("span", { class: look }, text));
            }
            for (const { name, input } of saving ? [] : boxes) input.checked = channel.news.includes(name);
            quiet.update(channel);
            test.hidden = news.hidden = quiet.element.hidden = !channel.confirmed;
            code.element.hidden = channel.confirmed;
            toggle(test, "aria-label", t("Test {label}", { label: channel.label }));
            toggle(remove, "aria-label", t("Remove {label}", { label: channel.label }));
        },
    };
}
