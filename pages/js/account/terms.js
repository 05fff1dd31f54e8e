/// The operator's terms and privacy statement: where they can be read, and a bar that asks for
/// agreement when they have changed. It blocks nothing.

import { h, write } from "../dom.js";
import { problemText } from "../form.js";
import { t } from "../language.js";
import { store } from "../store.js";
import { followAccount } from "./language.js";

/// Links to this server's texts; empty if it has none.
export function termsLinks({ config } = store.state) {
    const { terms, privacy } = config?.terms ?? {};
    return [[terms, t("Terms")], [privacy, t("Privacy statement")]]
        .filter(([address]) => address)
        .map(([address, title]) => h("a", {
            href: address, target: "_blank", rel: "noopener",
        }, title));
}

export function makeTermsBar(app) {
    const words = h("span", { class: "grow" });
    const links = h("span", { class: "row" });
    const accept = h("button", { type: "button", class: "button" }, t("Agree"));
    const element = h("section", { class: "terms-bar row", "aria-label": t("Terms"), hidden: true },
        words, links, accept);

    async function load() {
        if (app.store.state.me?.demo) return;
        try {
            const account = await app.call("account.get");
            show(account);
            followAccount(app, account);
        } catch {
            // Asked again next time.
        }
    }

    function show({ terms }) {
        const isAsked = terms !== undefined && terms.accepted?.version !== terms.version;
        element.hidden = !isAsked;
        if (!isAsked) return;
        write(words, terms.accepted
            ? t("The terms of this server have changed.") : t("This server has terms."));
        links.replaceChildren(...termsLinks());
        accept.onclick = async () => {
            accept.disabled = true;
            try {
                show(await app.call("account.accept", { version: terms.version }));
            } catch (problem) {
                app.say(problemText(problem), "error");
            }
            accept.disabled = false;
        };
    }

    load();
    return { element };
}
