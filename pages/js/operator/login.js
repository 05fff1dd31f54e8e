/// The form for the operator's token.

import { copyRow } from "../copy-row.js";
import { h, write } from "../dom.js";
import { makeField, makeForm } from "../form.js";
import { isNoAnswer, NO_ANSWER, notAllowed } from "./answering.js";
import { access, isToken } from "./access.js";

const AGAIN_MS = 5_000;
const WRONG = "This is not the operator’s token.";

/// - Parameters:
///   - why: the initial message; empty for none.
///   - entered: called with a token accepted by the server.
export function makeLogin(app, { why, entered }) {
    /// Grows with each attempt and each change of the field: earlier attempts are dropped.
    let attempt = 0;
    let giveUp = () => {};
    const status = h("p", { class: "small", role: "status" });
    const token = makeField({
        name: "token", label: "The operator’s token", type: "password", autocomplete: "off",
        spellcheck: "false",
    });
    token.input.addEventListener("input", () => {
        attempt += 1;
        giveUp();
        write(status, "");
    });
    const form = makeForm({
        fields: [token],
        button: "Open",
        submit: ({ token: text }) => Promise.race([
            enter(text.trim()), new Promise((resolve) => { giveUp = resolve; }),
        ]),
    });
    const element = h("main", { class: "operator-login" },
        h("section", { class: "card", "aria-labelledby": "login-title" },
            h("h1", { id: "login-title" }, "Operator’s page"),
            h("p", { class: "warning-text", role: "alert" }, why),
            globalThis.isSecureContext ? null : h("p", { class: "danger-text" },
                "This page was loaded without encryption: anyone on the network path can read the token. Open it "
                + "with https, or as localhost on the machine itself."),
            h("p", null, "The token is in a file on the machine that runs Kith; this prints it:"),
            copyRow(app, "Package", "sudo cat /var/lib/kith/tokens/operator"),
            copyRow(app, "Otherwise", "cat kith-data/tokens/operator"),
            form, status,
            h("p", { class: "small muted" }, "This tab keeps it until you lock the page or close the tab.")));

    async function enter(text) {
        if (!isToken(text)) throw refusal(text ? WRONG : "The token is missing.");
        const own = attempt += 1;
        for (;;) {
            try {
                await access.state(text);
                if (own === attempt) entered(text);
                return;
            } catch (problem) {
                if (own !== attempt) return;
                if (problem.status === 401) throw refusal(WRONG);
                if (problem.status === 403) throw refusal(notAllowed(problem));
                if (!isNoAnswer(problem)) throw problem;
                write(status, NO_ANSWER);
            }
            await new Promise((resolve) => { setTimeout(resolve, AGAIN_MS); });
            if (own !== attempt || !element.isConnected) return;
        }
    }

    function refusal(reason) {
        write(status, "");
        return { errors: [{ field: "token", reason }] };
    }

    return { element, focus: () => token.input.focus() };
}
