/// The page's language: chosen here, stored on this device and in the account.

import { h } from "../dom.js";
import { chosenLanguage, language, LANGUAGES, setLanguage, t } from "../language.js";

export function makeLanguage(app) {
    const choice = h("select", {
        id: "language-choice", class: "input",
        onchange: async () => {
            choice.disabled = true;
            await tell(app, choice.value);
            begin(choice.value);
        },
    }, Object.entries(LANGUAGES).map(([code, name]) => h("option", { value: code, lang: code }, name)));
    choice.value = language;
    return {
        // People who cannot read the page find it by this word.
        element: h("div", { class: "field" },
            h("label", { for: "language-choice" }, [...new Set([t("Language"), "Language"])].join(" · ")),
            choice),
    };
}

/// Adopts a choice made on another device, and reports the language for mails to the service.
///
/// - Parameter account: the answer to `account.get`.
export function followAccount(app, account) {
    const { language: wanted } = account;
    const chosen = chosenLanguage();
    if (wanted && Object.hasOwn(LANGUAGES, wanted)) {
        if (wanted === chosen) return;
        if (wanted === language) setLanguage(wanted);
        else begin(wanted);
    } else if (!wanted && (chosen || language !== "en")) {
        tell(app, language);
    }
}

/// If the service cannot store it, it stays on this device. Demo visitors share an account.
async function tell(app, code) {
    if (app.store.state.me?.demo) return;
    try {
        await app.call("account.update", { language: code });
    } catch {
        // Retried after the next start.
    }
}

function begin(code) {
    setLanguage(code);
    location.reload();
}
