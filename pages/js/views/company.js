/// For companies: their services, and their account's security.

import { makeChannels } from "../account/channels.js";
import { makeCohorts } from "../account/cohorts.js";
import { makeDeletion, makeLogOut } from "../account/leaving.js";
import { makePasskeys } from "../account/passkeys.js";
import { makePassword } from "../account/profile.js";
import { makeSecondFactor } from "../account/second-factor.js";
import { call } from "../api.js";
import { ask } from "../dialog.js";
import { h, replace, write } from "../dom.js";
import { makeField, makeForm, problemText } from "../form.js";
import { number, together } from "../format.js";
import { t, tn } from "../language.js";
import { withRetry } from "../retry.js";
import { say } from "../toasts.js";
import { store } from "../store.js";

const DATA = { positions: t("positions"), vitals: t("vital signs") };

/// - Parameter account: the answer to `account.get`.
/// - Returns: the element to remove.
export function mountCompany(place, account) {
    const app = { call: withRetry(call), say, store };
    const secondFactor = makeSecondFactor(app);
    const passkeys = makePasskeys(app);
    const unconfirmed = h("section", { class: "card", hidden: account.emailVerified === true },
        h("p", null, t("The address {email} is not confirmed: until it is, your services cannot request "
            + "data. Open the link sent there, have a code sent, or ask the operator of this server.",
        { email: account.email })),
        h("button", { type: "button", class: "button", onclick: () => confirmAddress() }, t("Send a code")));
    const channels = makeChannels(app, { confirmed: () => { unconfirmed.hidden = true; } });
    const list = h("ul", { class: "list", "aria-label": t("Your services") });
    const error = h("p", { class: "error", role: "alert" });
    const token = h("div", { class: "stack", role: "status" });
    const fields = [
        makeField({
            name: "service", label: t("Name for programs"), autocapitalize: "none", spellcheck: "false",
            hint: t("Lowercase letters, digits, - and _; cannot be changed later."),
        }),
        makeField({ name: "name", label: t("Name for people") }),
        makeField({ name: "description", label: t("How it uses people's data") }),
        makeAddress(),
        makeField({
            name: "positions", type: "checkbox", checked: true,
            label: t("It needs people's current and past locations"),
        }),
        makeField({ name: "vitals", type: "checkbox", label: t("It needs people's vital signs") }),
    ];
    const form = makeForm({
        fields,
        button: t("Make the service"),
        submit: async ({ positions, vitals, address, ...values }) => {
            const data = [positions && "positions", vitals && "vitals"].filter(Boolean);
            if (data.length === 0) {
                throw { errors: [{ field: "vitals", reason: t("Choose at least one of the two") }] };
            }
            try {
                showToken(await app.call("service.create", {
                    ...values, data, ...(address.trim() && { address: address.trim() }),
                }));
                maker.open = false;
            } catch (problem) {
                if (problem.kind !== "second-factor-required") throw problem;
                secondFactor.element.open = true;
                throw { errors: [{
                    field: "service", reason: t("Set up a second factor first, below"),
                }] };
            }
            await load();
        },
    });
    const maker = h("details", { class: "card" }, h("summary", null, t("New service")), form);
    const page = h("main", { class: "panel company" },
        h("h1", null, account.name),
        h("p", { class: "muted" }, t("{user} is a company account. People give its services access to "
            + "their data, one by one, and can revoke it at any time.", { user: account.user })),
        unconfirmed,
        h("section", { class: "card", "aria-labelledby": "own-services" },
            h("h2", { id: "own-services" }, t("Services")), list, error, token),
        maker, channels.element, makeCohorts(app).element, secondFactor.element, passkeys.element, makePassword(app).element,
        makeLogOut(app).element, makeDeletion(app).element);
    place.append(page);

    async function confirmAddress() {
        try {
            await channels.verify(account.email);
        } catch (problem) {
            say(problemText(problem), "error");
        }
    }

    function showToken({ service, token: secret }) {
        replace(token,
            h("p", null, t("The token of {service}. It is shown only once: store it with the program.",
                { service })),
            h("code", { class: "break" }, secret),
            h("p", { class: "small muted" }, t("It connects with the user name {user} and sends requests on {topic}.", {
                user: `service:${service}`,
                topic: `${store.state.me.root}/services/${service}/requests/…`,
            })));
        token.scrollIntoView({ block: "center" });
    }

    function row(service) {
        const button = (text, work, style = "button") => h("button", {
            type: "button", class: style,
            onclick: async () => {
                write(error, "");
                try { await work(); } catch (problem) { write(error, problemText(problem)); }
            },
        }, text);
        const data = together(service.data.map((kind) => DATA[kind] ?? kind));
        return h("li", null,
            h("div", null, h("strong", null, service.name), ` · ${service.service}`),
            h("p", { class: "small" }, service.description),
            h("p", { class: "small muted" }, tn(service.users,
                "1 person gives it access to {data}.", "{count} people give it access to {data}.",
                { count: number(service.users), data })),
            h("details", null, h("summary", null, service.address ?? t("No web page")),
                makeForm({
                    fields: [makeAddress(service.address)],
                    button: t("Save"),
                    submit: async ({ address }) => {
                        await app.call("service.update",
                            { service: service.service, address: address.trim() || null });
                        await load();
                    },
                })),
            h("div", { class: "row" },
                button(t("New token"), async () => {
                    showToken(await app.call("service.token", { service: service.service }));
                }),
                button(t("Delete"), async () => {
                    const isSure = await ask({
                        title: t("Delete {name}?", { name: service.name }),
                        text: t("It no longer receives anyone's data, and its name is never reused."),
                        yes: t("Delete"), danger: true,
                    });
                    if (!isSure) return;
                    await app.call("service.delete", { service: service.service });
                    replace(token);
                    await load();
                }, "button danger")));
    }

    async function load() {
        try {
            const { services } = await app.call("service.list");
            replace(list, services.length > 0 ? services.map(row)
                : [h("li", { class: "muted" }, t("None yet."))]);
        } catch (problem) {
            write(error, problemText(problem));
        }
    }

    secondFactor.update(account);
    passkeys.load();
    channels.load();
    load();
    return page;
}

function makeAddress(value = "") {
    return makeField({
        name: "address", label: t("Web page"), value, autocapitalize: "none", spellcheck: "false",
        hint: t("One of your pages, with https. Leave empty for none."),
    });
}
