/// My name, picture, email address, phone number and password.

import { h, replace, write } from "../dom.js";
import { makeField, makeForm, problemText } from "../form.js";
import { dateTime, together } from "../format.js";
import { t, tn } from "../language.js";
import { makeCalling } from "./calling.js";
import { makePicture } from "./picture.js";
import { userNameFor } from "./user-name.js";

/// - `loaded(account)` is called with the answer of `account.get`.
/// - `verify(address)` sends a code there, to be entered among the notification channels.
export function makeProfile(app, { loaded, verify }) {
    const error = h("p", { class: "error", role: "alert" });
    const facts = h("div", null);
    const fields = [
        makeField({ name: "firstName", label: t("First name"), autocomplete: "given-name" }),
        makeField({ name: "lastName", label: t("Last name"), autocomplete: "family-name" }),
        makeField({ name: "email", label: t("Email"), type: "email", autocomplete: "email" }),
        makeField({
            name: "password", label: t("Your password"), type: "password",
            autocomplete: "current-password",
        }),
    ];
    // Shown when the server requires it: a verified address is protected.
    const [password] = fields.slice(-1);
    password.element.hidden = true;
    let known = {};
    const form = makeForm({
        fields,
        button: t("Save"),
        submit: async (values) => {
            const changes = Object.fromEntries(Object.entries(values)
                .map(([name, value]) => [name, name === "password" ? value : value.trim()])
                .filter(([name, value]) => value !== (known[name] ?? "")));
            if (Object.keys(changes).length > 0) {
                show(await update(changes), values);
                password.element.hidden = true;
            }
            app.say(t("Saved."), "good");
            edit.open = false;
        },
    });
    form.prepend(userNameFor(app));

    async function update(changes) {
        try {
            return await app.call("account.update", changes);
        } catch (problem) {
            if (problem.errors?.some(({ field }) => field === "password")) {
                password.element.hidden = false;
            }
            if (problem.kind !== "wrong-credentials") throw problem;
            throw { errors: [{ field: "password", reason: t("Wrong password") }] };
        }
    }

    const picture = makePicture(app, updateRest);
    const calling = makeCalling(app, updateRest);
    const edit = h("details", null, h("summary", null, t("Change name or email")), form);
    const element = h("section", { class: "card", "aria-labelledby": "profile-title" },
        h("h2", { id: "profile-title" }, t("Profile")), picture.element, facts, calling.summary,
        error, edit, calling.element);

    /// Changes values that have no field in the form.
    async function updateRest(changes) {
        const account = await app.call("account.update", changes);
        known = { ...known, ...account };
        return account;
    }

    /// `before`: the values that can be replaced; a field with any other value was edited since.
    function show(account, before = known) {
        replace(facts,
            h("p", null, h("strong", { class: "break", dir: "auto" }, account.name)),
            h("p", { class: "muted break" }, `@${account.user}`,
                account.email ? ` · ${account.email}` : ""),
            account.email && !account.emailVerified && app.store.state.config?.forgot
                ? unverified(account.email) : null,
            h("p", { class: "small muted" },
                t("Member since {time}", { time: dateTime(account.createdAt) })));
        picture.show(account);
        calling.show(account);
        for (const field of fields) {
            if (field.input.value !== (before[field.name] ?? "")) continue;
            field.input.value = account[field.name] ?? "";
        }
        known = account;
    }

    function unverified(address) {
        const button = h("button", {
            type: "button", class: "button",
            onclick: async () => {
                button.disabled = true;
                try {
                    await verify(address);
                    write(error, "");
                } catch (problem) {
                    write(error, problemText(problem));
                }
                button.disabled = false;
            },
        }, t("Verify this address"));
        return h("div", { class: "stack tight" },
            h("p", { class: "small warning-text" }, t("This address is not verified. Once it is, "
                + "you can reset a forgotten password by mail, and you are notified there.")),
            button);
    }

    return {
        element,
        async load() {
            for (const part of [edit, picture, calling]) {
                (part.element ?? part).hidden = app.store.state.me?.demo === true;
            }
            try {
                const account = await app.call("account.get");
                show(account);
                loaded(account);
                write(error, "");
            } catch (problem) {
                write(error, problemText(problem));
            }
        },
    };
}

export function makePassword(app) {
    const old = makeField({
        name: "old", label: t("Current password"), type: "password", autocomplete: "current-password",
    });
    const fresh = makeField({
        name: "new", label: t("New password"), type: "password", autocomplete: "new-password",
        hint: t("At least 8 characters."),
    });
    const others = makeField({
        name: "endOthers", label: t("Log out all other devices"), type: "checkbox", checked: true,
        hint: t("Including phones that send positions: they have to be set up again. Passkeys are "
            + "removed, and links that show where you are and programs you let see a group end."),
    });
    const form = makeForm({
        fields: [old, fresh, others],
        button: t("Change password"),
        submit: async (values) => {
            let ended, kept, passkeys, links, observers;
            try {
                ({ ended, kept, passkeys, links, observers } = await app.call("account.password", values));
            } catch (problem) {
                if (problem.kind !== "wrong-credentials") throw problem;
                throw { errors: [{ field: "old", reason: t("Wrong password") }] };
            }
            old.input.value = "";
            fresh.input.value = "";
            element.open = false;
            app.say([
                t("Your password was changed."), endedWords(ended),
                kept ? t("Still logged in, to keep sending where you are: {devices}.", {
                    devices: together(kept),
                }) : "",
                passkeys ? t("Your passkeys were removed.") : "",
                links ? t("Links that showed where you are have ended.") : "",
                observers ? t("Programs that you let see a group have ended.") : "",
            ].filter(Boolean).join(" "), "good");
        },
    });
    form.prepend(userNameFor(app));
    const elsewhere = h("p", { hidden: true },
        t("You log in with your organisation's password, which is changed there. This server "
            + "doesn't store it."));
    const element = h("details", { class: "card" },
        h("summary", null, t("Change password")), elsewhere, form);
    return {
        element,
        update({ directory }) {
            form.hidden = directory === true;
            elsewhere.hidden = !form.hidden;
        },
    };
}

function endedWords(count) {
    if (count === undefined) return t("Devices stay logged in.");
    if (count === 0) return t("No other device was logged in.");
    return tn(count, "One other device was logged out.", "{count} other devices were logged out.");
}
