/// The language of the page: chosen here, kept on this device and for the person.

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
        // Whoever reads nothing of the page finds it by the word.
        element: h("div", { class: "field" },
            h("label", { for: "language-choice" }, [...new Set([t("Language"), "Language"])].join(" · ")),
            choice),
    };
}

/// Takes up what the person has chosen on another device, and tells the service of mails' language.
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

/// A service that cannot keep it leaves it on this device. Visitors of the demo share an account.
async function tell(app, code) {
    if (app.store.state.me?.demo) return;
    try {
        await app.call("account.update", { language: code });
    } catch {
        // It is told again after the next start.
    }
}

function begin(code) {
    setLanguage(code);
    location.reload();
}
