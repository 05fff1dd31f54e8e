/// The health of the service, what needs attention, and the time of the last backup.

import { h, replace, toggle, write } from "../dom.js";
import { problemText, sentence } from "../form.js";
import { time } from "../format.js";
import { isNoAnswer, NO_ANSWER } from "./answering.js";
import { factsOf, statusOf } from "./words.js";

/// `show({state?,problem?})` receives the server's last state, or why there was none.
export function makeStatus() {
    const badge = h("span", { class: "badge" }, "Checking …");
    const words = h("p", { role: "status" });
    const trouble = h("p", { class: "danger-text", role: "alert" });
    const before = h("p", { class: "small muted" });
    const reason = h("p", { class: "small break" });
    const concerns = h("ul", { class: "list concerns" });
    const facts = h("dl", { class: "facts" });
    const known = h("div", { class: "stack", hidden: true }, words, reason, concerns, facts);
    const title = h("h2", { id: "status-title", tabindex: "-1" }, "Service");
    const element = h("section", { class: "card", "aria-labelledby": "status-title" },
        h("div", { class: "row between" }, title, badge), trouble, before, known);
    /// The shown concerns, and when they were received.
    let shown = "";
    let heardAt = null;

    function look(name, label) {
        toggle(badge, "class", `badge ${name}`);
        write(badge, label);
    }

    function show({ state, problem }) {
        if (problem) {
            look("warning", "Not known");
            write(trouble, isNoAnswer(problem) ? NO_ANSWER
                : `The server did not report its status. ${problemText(problem)}`);
            write(before, heardAt === null ? "" : `The following is from ${time(heardAt)}.`);
            return;
        }
        heardAt = Date.now();
        const list = state.concerns ?? [];
        const status = statusOf(state.status, list.length);
        look(status.look, status.label);
        write(trouble, "");
        write(before, "");
        write(words, status.text);
        write(reason, state.reason ? `Reason: ${state.reason}` : "");
        const now = JSON.stringify(list);
        if (now !== shown) replace(concerns, list.map(concernRow));
        shown = now;
        replace(facts, factsOf(state).map(([name, value, kind]) => h("div", null,
            h("dt", null, name), h("dd", { class: `break ${kind}` }, value))));
        known.hidden = false;
    }

    return { element, show, focus: () => title.focus() };
}

/// Commands have no capital letter and no full stop.
const isCommand = (text) => /^kith(?:ctl)? /.test(text);

function concernRow({ name, text, wayOut }) {
    return h("li", { class: "stack tight" },
        h("strong", { class: "break" }, sentence(text)),
        wayOut ? h("p", { class: "break" }, isCommand(wayOut) ? wayOut : sentence(wayOut)) : null,
        h("code", { class: "muted" }, name));
}
