/// For companies: their services, and what protects their account.

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
        h("p", null, t("The address {email} is not confirmed: your services ask nobody for data before it is. Open "
            + "the link that was sent there, have a code sent, or ask whoever runs this server.",
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
        makeField({ name: "description", label: t("What it does with people's data") }),
        makeAddress(),
        makeField({
            name: "positions", type: "checkbox", checked: true,
            label: t("It needs where people are and have been"),
        }),
        makeField({ name: "vitals", type: "checkbox", label: t("It needs their vital signs") }),
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
        h("p", { class: "muted" }, t("The account {user} is a company's. People let its services have their data, "
            + "one by one, and take that back whenever they like.", { user: account.user })),
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
            h("p", null, t("The token of {service}. It is shown this once: keep it where the program is.",
                { service })),
            h("code", { class: "break" }, secret),
            h("p", { class: "small muted" }, t("It connects with the user name {user}, and asks on {topic}.", {
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
                "1 person lets it have {data}.", "{count} people let it have {data}.",
                { count: number(service.users), data })),
            h("details", null, h("summary", null, service.address ?? t("No page where people open it")),
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
                        text: t("Nobody's data reaches it any more, and its name is never given again."),
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
        name: "address", label: t("Where people open it"), value, autocapitalize: "none", spellcheck: "false",
        hint: t("A page of yours, with https; empty: none."),
    });
}
