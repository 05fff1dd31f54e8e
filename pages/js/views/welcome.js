/// For visitors who are not logged in: an introduction, login, registration, the demo.

import { makePasskeyLogin } from "../account/passkeys.js";
import { makeCodeField } from "../account/second-factor.js";
import { termsLinks } from "../account/terms.js";
import { call, session } from "../api.js";
import { h, replace, write } from "../dom.js";
import { makeField, makeForm, problemText } from "../form.js";
import { logo } from "../icons.js";
import { WHAT_IT_MEANS, invitationWords, tokenIn, watchedWords } from "../invitations/words.js";
import { t } from "../language.js";
import { store } from "../store.js";
import { makeForgotten } from "./forgotten.js";

const USER_NAME = t("2 to 32 letters from a to z, digits, - and _. It cannot be changed later.");

export function mountWelcome(place, { entered, word, login: known }) {
    const box = h("div", { class: "welcome-box" });
    const demo = h("div", { class: "welcome-demo", hidden: true });
    const invited = h("div", { class: "card invited", role: "status", hidden: true });
    const token = tokenIn(location.hash);
    /// Whether an invitation is accepted by logging in.
    let joins = false;
    const page = h("main", { class: "welcome" },
        h("div", { class: "welcome-words" },
            h("div", { class: "brand big" }, logo(44), h("h1", null, "Kith")),
            h("p", { class: "claim" },
                t("See where the people you trust are, and reach them when you need help.")),
            h("p", { class: "muted" },
                t("Phones send their position to this server. It shows it to the groups and friends you "
                    + "choose, for as long as you choose, and to no one else. It is not an emergency "
                    + "service: an SOS goes to the people in your groups.")),
            demo),
        h("div", { class: "welcome-box" }, invited, box));
    place.append(page);

    /// Who can create an account: `open`, `invitation` or `closed`.
    const registration = () => store.state.config?.registration ?? "open";
    const mayRegister = () => registration() === "open" || registration() === "invitation" && joins;
    const isOffline = store.state.config === null;
    showLogIn({
        word: word ?? (isOffline ? t("The server cannot be reached at the moment.") : null),
        login: known,
    });
    const unlisten = store.listen(showDemo);
    showDemo();
    if (token) showInvitation();

    async function showInvitation() {
        invited.hidden = false;
        try {
            const invitation = await call("invitation.get", { token });
            joins = true;
            replace(invited, h("h2", null, t("You are invited")),
                h("p", { class: "break" }, invitationWords(invitation)),
                h("p", { class: "small muted" }, WHAT_IT_MEANS),
                watchedWords(invitation));
            // Visitors with an invitation usually have no account yet.
            if (mayRegister()) showRegister();
            else showLogIn();
        } catch (problem) {
            replace(invited, h("p", { class: "error" }, problemText(problem)));
        }
    }

    function showDemo() {
        if (!page.isConnected) return unlisten?.();
        const has = store.state.config?.demo === true;
        if (demo.hidden === !has) return;
        demo.hidden = !has;
        const error = h("p", { class: "error", role: "alert" });
        const button = h("button", {
            type: "button", class: "button primary", id: "watch-demo",
            onclick: async () => {
                button.disabled = true;
                write(error, "");
                try {
                    finish(await session.watchDemo());
                } catch (problem) {
                    write(error, problemText(problem));
                    button.disabled = false;
                }
            },
        }, t("Watch the demo"));
        replace(demo, h("p", null, t("Five fictional people are on the move. No account needed.")),
            button, error);
    }

    function finish(me) {
        if (joins && !me.demo) store.change((state) => { state.joining = token; });
        unlisten();
        page.remove();
        entered(me);
    }

    function showLogIn({ word: said, login = "" } = {}) {
        const fields = [
            makeField({
                name: "login", label: t("User name or email"), autocomplete: "username",
                autocapitalize: "none", spellcheck: "false", value: login,
            }),
            makeField({
                name: "password", label: t("Password"), type: "password",
                autocomplete: "current-password",
            }),
        ];
        const code = makeCodeField();
        code.element.hidden = true;
        const form = makeForm({
            fields: [...fields, code],
            button: joins ? t("Log in and join") : t("Log in"),
            submit: async (values) => {
                let isWanting = false;
                for (const field of fields) {
                    if (values[field.name]) continue;
                    field.setError(t("Required."));
                    if (!isWanting) field.input.focus();
                    isWanting = true;
                }
                if (isWanting) return;
                try {
                    finish(await session.logIn(values));
                } catch (problem) {
                    if (problem.kind !== "second-factor-required") throw problem;
                    code.element.hidden = false;
                    code.input.focus();
                }
            },
        });
        const forgotten = store.state.config?.forgot
            ? h("p", null, h("button", {
                type: "button", class: "button quiet",
                onclick: () => replace(box, makeForgotten({
                    login: fields[0].value, leave: (typed) => showLogIn({ login: typed }),
                })),
            }, t("Forgotten password?")))
            : h("p", { class: "small muted" },
                t("Forgotten password? Ask the operator of this server: they can send you a link."));
        replace(box, h("section", { class: "card", "aria-labelledby": "log-in" },
            h("h2", { id: "log-in" }, t("Log in")),
            h("p", { role: "status", class: "small muted", hidden: !said }, said ?? ""),
            form, store.state.config?.passkeys ? makePasskeyLogin(finish) : null,
            mayRegister() ? h("p", { class: "row" }, t("New here?"),
                h("button", {
                    type: "button", class: "button quiet",
                    onclick: () => showRegister(),
                }, t("Create account")),
                registration() === "open" ? h("button", {
                    type: "button", class: "button quiet",
                    onclick: () => showRegisterCompany(),
                }, t("For companies")) : null) : h("p", { class: "small muted" },
                registration() === "invitation"
                    ? t("Accounts can only be created by invitation: open an invitation link.")
                    : t("Accounts are created by the operator of this server.")),
            forgotten));
        if (login) fields[1].input.focus();
    }

    function showRegisterCompany() {
        const fields = [
            makeField({ name: "company", label: t("Company"), autocomplete: "organization" }),
            makeField({
                name: "username", label: t("User name"), autocapitalize: "none", spellcheck: "false",
                hint: USER_NAME, refusal: userNameRefusal,
            }),
            makeField({ name: "email", label: t("Email"), type: "email", autocomplete: "email" }),
            makeField({
                name: "password", label: t("Password"), type: "password",
                autocomplete: "new-password", hint: t("At least 8 characters."),
            }),
            makeField({
                name: "acceptTerms", type: "checkbox", refusal: () => t("Required."),
                label: t("We use people's data for what they agreed to, and delete it when asked to."),
            }),
        ];
        const texts = termsLinks();
        const form = makeForm({
            fields,
            button: t("Create company account"),
            submit: async (values) => {
                await call("thirdparty.register", values);
                finish(await session.logIn({
                    login: values.username, password: values.password,
                }));
            },
        });
        replace(box, h("section", { class: "card", "aria-labelledby": "register-company" },
            h("h2", { id: "register-company" }, t("An account for a company")),
            h("p", { class: "small muted" }, t("For services that people can give their data to.")),
            texts.length ? h("p", { class: "row small" },
                t("With an account you also agree to these:"), texts) : null,
            form, h("p", { class: "row" }, t("Are you a person?"),
                h("button", {
                    type: "button", class: "button quiet", onclick: () => showLogIn(),
                }, t("Log in")))));
        fields[0].input.focus();
    }

    function showRegister() {
        const fields = [
            makeField({
                name: "username", label: t("User name"), autocomplete: "username",
                autocapitalize: "none", spellcheck: "false",
                hint: USER_NAME, refusal: userNameRefusal,
            }),
            makeField({ name: "firstName", label: t("First name"), autocomplete: "given-name" }),
            makeField({ name: "lastName", label: t("Last name"), autocomplete: "family-name" }),
            makeField({ name: "email", label: t("Email"), type: "email", autocomplete: "email" }),
            makeField({
                name: "password", label: t("Password"), type: "password",
                autocomplete: "new-password", hint: t("At least 8 characters."),
            }),
            makeField({
                name: "acceptTerms", type: "checkbox", refusal: () => t("Required."),
                label: t("I agree that this server stores where I am, and shows it to the people I share "
                    + "it with, until I delete it."),
            }),
        ];
        const texts = termsLinks();
        const form = makeForm({
            fields,
            button: joins ? t("Create account and join") : t("Create account"),
            submit: async (values) => {
                await call("account.register",
                    registration() === "invitation" ? { ...values, invitation: token } : values);
                try {
                    finish(await session.logIn({
                        login: values.username, password: values.password,
                    }));
                } catch (problem) {
                    showLogIn({
                        login: values.username,
                        word: t("Your account was created. {problem}", { problem: problemText(problem) }),
                    });
                }
            },
        });
        replace(box, h("section", { class: "card", "aria-labelledby": "register" },
            h("h2", { id: "register" }, t("Create account")),
            texts.length ? h("p", { class: "row small" },
                t("With an account you also agree to these:"), texts) : null, form,
            h("p", { class: "row" }, t("Have one already?"),
                h("button", {
                    type: "button", class: "button quiet", onclick: () => showLogIn(),
                }, t("Log in")))));
        fields[0].input.focus();
    }
}

/// The allowed form, whatever was wrong; a name that is taken is reported as such.
function userNameRefusal(reason) {
    return reason.startsWith("must be") ? t("Use 2 to 32 letters from a to z, digits, - and _.") : null;
}
