/// The rules about me: who is notified when I arrive somewhere, leave, or am not there. No one is
/// watched without seeing it.

import { h, keyed, write } from "../dom.js";
import { t } from "../language.js";
import { makeRuleRow } from "./rule-row.js";
import { ownAnswer } from "./rule-words.js";

export function makeAboutMe(app, { changed }) {
    const word = h("p", { class: "small muted" });
    const rows = h("ul", { class: "list", "aria-label": t("Who is notified about me") });
    const show = keyed(rows, ({ rule }) => makeRuleRow(app, rule, { changed }), ({ rule }) => rule);
    return {
        element: h("section", { class: "card", "aria-labelledby": "about-me-title" },
            h("h2", { id: "about-me-title" }, t("Who is notified about me")), word, rows),
        /// - Parameter rules: null: not read yet.
        show(rules) {
            const me = app.store.state.me?.user;
            const about = (rules ?? []).filter((rule) => ownAnswer(rule, me) !== undefined)
                .sort((a, b) => urgency(a, me) - urgency(b, me));
            show(about);
            write(word, rules === null ? t("Not known at the moment.")
                : about.length === 0 ? t("No one is notified when you arrive at a place, leave it, or "
                    + "are not there. If someone wants to be, you are asked first.") : "");
            word.hidden = word.textContent === "";
        },
    };
}

/// Rules waiting for an answer first, refused ones last.
function urgency(rule, me) {
    const answer = ownAnswer(rule, me);
    return answer === null ? 0 : answer ? 1 : 2;
}
