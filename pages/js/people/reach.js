/// Which members of a group an SOS would reach now, and how: requested on demand.

import { h, keyed, replace, write } from "../dom.js";
import { problemText } from "../form.js";
import { age } from "../format.js";
import { serverNow } from "../clock.js";
import { t } from "../language.js";
import { store } from "../store.js";
import { whileConnected } from "../while-connected.js";
import { reachOf, summary } from "./reach-words.js";

const TICK_MS = 30_000;

/// `key`: the group's.
export function makeReach(app, key) {
    const words = h("p", { class: "small", role: "status" });
    const list = h("ul", { class: "list", "aria-label": t("Who an SOS would reach") });
    const error = h("p", { class: "error", role: "alert" });
    const asked = h("span", { class: "muted small grow" });
    const again = h("button", { type: "button", class: "button", onclick: load }, t("Check again"));
    const element = h("details", {
        class: "reach",
        ontoggle: () => { if (element.open) load(); },
    }, h("summary", null, t("Who an SOS would reach")), words, list, error,
    h("div", { class: "row" }, asked, again),
    h("p", { class: "small muted" },
        t("Everyone chooses under “Me” where to be reached while they have nothing open.")));
    const show = keyed(list, makeRow, ({ user }) => user);
    /// `{at,members}`: the last answer.
    let answer = null;

    async function load() {
        again.disabled = true;
        try {
            answer = { at: serverNow(), members: await everybody() };
            write(error, "");
        } catch (problem) {
            write(error, problemText(problem));
        }
        again.disabled = false;
        update();
    }

    async function everybody() {
        const members = [];
        let cursor;
        do {
            const page = await app.call("members.get", { group: key, reached: true, cursor });
            members.push(...page.members);
            cursor = page.next ?? undefined;
        } while (cursor !== undefined);
        return members;
    }

    function update() {
        if (!answer || !element.open) return;
        const me = store.state.me?.user;
        const others = answer.members.filter(({ user }) => user !== me);
        write(words, summary(others));
        show([...others, ...answer.members.filter(({ user }) => user === me)]);
        write(asked, t("Checked {age}", { age: age(answer.at) }));
    }

    // "worked 2 h ago" grows old.
    whileConnected(element, update, { ms: TICK_MS });
    return { element };
}

function makeRow() {
    const name = h("strong", { class: "break" });
    const words = h("p", { class: "small break" });
    return {
        element: h("li", { class: "row" }, h("div", { class: "grow" }, name, words)),
        update(member) {
            const isMe = member.user === store.state.me?.user;
            write(name, isMe ? t("{name} (you)", { name: member.name }) : member.name);
            const { text, look } = reachOf(member, { isMe });
            const line = isMe ? t("If someone else calls: {how}", { how: text }) : text;
            if (words.textContent !== line) replace(words, h("span", { class: look }, line));
        },
    };
}
