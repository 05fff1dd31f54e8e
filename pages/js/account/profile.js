/// My name, email address and password.

import { h, replace, write } from "../dom.js";
import { makeField, makeForm, problemText } from "../form.js";
import { dateTime, together } from "../format.js";
import { userNameFor } from "./user-name.js";

/// - `loaded(account)` is called with what `account.get` says.
/// - `verify(address)` sends a code there, to be typed in where I am reached.
export function makeProfile(app, { loaded, verify }) {
    const error = h("p", { class: "error", role: "alert" });
    const facts = h("div", null);
    const fields = [
        makeField({ name: "firstName", label: "First name", autocomplete: "given-name" }),
        makeField({ name: "lastName", label: "Last name", autocomplete: "family-name" }),
        makeField({ name: "email", label: "Email", type: "email", autocomplete: "email" }),
        makeField({
            name: "password", label: "Your password", type: "password",
            autocomplete: "current-password",
        }),
    ];
    // Asked for when the server wants it: an address that is verified is protected.
    const [password] = fields.slice(-1);
    password.element.hidden = true;
    let known = {};
    const form = makeForm({
        fields,
        button: "Save",
        submit: async (values) => {
            const changes = Object.fromEntries(Object.entries(values)
                .map(([name, value]) => [name, name === "password" ? value : value.trim()])
                .filter(([name, value]) => value !== (known[name] ?? "")));
            if (Object.keys(changes).length > 0) {
                show(await update(changes), values);
                password.element.hidden = true;
            }
            app.say("Saved.", "good");
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
            throw { errors: [{ field: "password", reason: "This is not your password" }] };
        }
    }

    const edit = h("details", null, h("summary", null, "Change name or email"), form);
    const element = h("section", { class: "card", "aria-labelledby": "profile-title" },
        h("h2", { id: "profile-title" }, "Profile"), facts, error, edit);

    /// `before`: the values that may be replaced; a field with any other value was edited since.
    function show(account, before = known) {
        replace(facts,
            h("p", null, h("strong", { class: "break" }, account.name)),
            h("p", { class: "muted break" }, `@${account.user}`,
                account.email ? ` · ${account.email}` : ""),
            account.email && !account.emailVerified && app.store.state.config?.forgot
                ? unverified(account.email) : null,
            h("p", { class: "small muted" }, `Here since ${dateTime(account.createdAt)}`));
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
        }, "Verify this address");
        return h("div", { class: "stack tight" },
            h("p", { class: "small warning-text" }, "This address is not verified. If it is, a "
                + "forgotten password can be set by mail, and you are reached there."), button);
    }

    return {
        element,
        async load() {
            edit.hidden = app.store.state.me?.demo === true;
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
        name: "old", label: "Password now", type: "password", autocomplete: "current-password",
    });
    const fresh = makeField({
        name: "new", label: "New password", type: "password", autocomplete: "new-password",
        hint: "At least 8 characters.",
    });
    const others = makeField({
        name: "endOthers", label: "Log out all other devices", type: "checkbox", checked: true,
        hint: "Phones that send positions as well: they have to be set up anew. Passkeys are "
            + "removed, and links that show where you are end.",
    });
    const form = makeForm({
        fields: [old, fresh, others],
        button: "Change password",
        submit: async (values) => {
            let ended, kept, passkeys, links;
            try {
                ({ ended, kept, passkeys, links } = await app.call("account.password", values));
            } catch (problem) {
                if (problem.kind !== "wrong-credentials") throw problem;
                throw { errors: [{ field: "old", reason: "This is not your password" }] };
            }
            old.input.value = "";
            fresh.input.value = "";
            element.open = false;
            const stays = kept ? ` ${together(kept)} sends where you are now, and stays.` : "";
            const keys = passkeys ? " Your passkeys are removed." : "";
            const shown = links ? " Links that showed where you are have ended." : "";
            app.say(`Your password is changed. ${endedWords(ended)}${stays}${keys}${shown}`, "good");
        },
    });
    form.prepend(userNameFor(app));
    const elsewhere = h("p", { hidden: true },
        "You log in with the password of your organisation, which is changed there. This server "
        + "does not keep it.");
    const element = h("details", { class: "card" },
        h("summary", null, "Change password"), elsewhere, form);
    return {
        element,
        update({ directory }) {
            form.hidden = directory === true;
            elsewhere.hidden = !form.hidden;
        },
    };
}

function endedWords(count) {
    if (count === undefined) return "Devices stay logged in.";
    if (count === 0) return "No other device was logged in.";
    return count === 1 ? "One other device was logged out."
        : `${count} other devices were logged out.`;
}
