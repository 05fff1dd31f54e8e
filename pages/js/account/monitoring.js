/// Monitoring of my vital signs, so that help is called when I can't call for it.

import { ask } from "../dialog.js";
import { h, replace, write } from "../dom.js";
import { makeField, makeForm, problemText } from "../form.js";
import { dateTime, together } from "../format.js";
import { t } from "../language.js";
import { store } from "../store.js";
import { MEASURED, vitalsReason } from "../vitals-reason.js";

const WHAT_IT_IS = t("If your watch sends your vital signs, they can be compared with what is "
    + "usual. If they are dangerous, or unusual and you don't answer whether you are all right, "
    + "the groups you choose receive an SOS from you, and dispatch is called with your name, your "
    + "position and the reason.");
const WARNING = t("This is not a medical device. It misses what your watch doesn't measure, needs "
    + "a network, and can be wrong. If you can call for help yourself, do.");
const STATES = {
    "watching": t("Your vital signs are watched."),
    "asked": t("You are being asked whether you are all right."),
    "in-need": t("Help is being called for you."),
    "assisted": t("Dispatch has answered the call for you. No new call is made until you say that "
        + "you no longer need help."),
};
const EVENTS = {
    "acknowledged": t("Help was confirmed"), "refused": t("Help was refused"),
    "closed": t("The call was closed"), "called-off": t("You no longer needed help"),
};
const LISTED = 5;

export function makeMonitoring(app) {
    const fact = h("p", { class: "small muted" }, WHAT_IT_IS);
    const warning = h("p", { class: "small" }, WARNING);
    const missing = h("p", { class: "small" });
    const phone = makeForm({
        fields: [makeField({
            name: "phone", label: t("Phone number for calling you back"), type: "tel",
            autocomplete: "tel", hint: t("Given only to dispatch."),
        })],
        button: t("Save the number"),
        submit: async ({ phone: number }) => {
            show(await app.call("emergency.subscribe", { phone: number.trim() || null }));
            app.say(t("Saved."), "good");
        },
    });
    const groups = h("div");
    const list = h("ul", { class: "list", "aria-label": t("Calls for help") });
    const error = h("p", { class: "error", role: "alert" });
    const noHelp = h("button", {
        type: "button", class: "button primary wide",
        onclick: () => act(async () => {
            await app.call("emergency.reactivate");
            app.say(t("Your vital signs are watched again."), "good");
        }),
    }, t("I no longer need help"));
    const stop = h("button", { type: "button", class: "button wide", onclick: () => act(end) },
        t("Stop watching"));
    const element = h("details", { class: "card" },
        h("summary", null, t("Help when you cannot call")), fact, warning, missing, phone, groups, noHelp, list,
        error, stop);

    async function act(work) {
        stop.disabled = noHelp.disabled = true;
        write(error, "");
        try {
            await work();
            await load();
        } catch (problem) {
            write(error, problemText(problem));
        } finally {
            stop.disabled = noHelp.disabled = false;
        }
    }

    async function start(chosen) {
        const { consent } = await app.call("vitals.list", { limit: 1 });
        if (!consent) throw new Error(t("First agree to have your vital signs stored, under “Vital signs”."));
        show(await app.call("emergency.subscribe", chosen));
        app.say(t("Your vital signs are now being watched."), "good");
    }

    async function change(chosen) {
        show(await app.call("emergency.subscribe", chosen));
        app.say(t("Saved."), "good");
    }

    async function end() {
        const isSure = await ask({
            title: t("Stop watching?"),
            text: t("No one will be called because of your vital signs any more."),
            yes: t("Stop watching"), danger: true,
        });
        if (!isSure) return;
        await app.call("emergency.unsubscribe");
        app.say(t("Your vital signs are no longer watched."), "good");
    }

    function show(state) {
        const isOn = state.state !== "off";
        write(fact, isOn
            ? `${STATES[state.state]} ${t("You agreed on {time}.", { time: dateTime(state.since) })}`
            : WHAT_IT_IS);
        const names = (state.missing ?? []).map((name) => MEASURED[name] ?? name);
        write(missing, isOn && names.length
            ? t("Not measured recently, so not counted: {list}.", { list: together(names) }) : "");
        replace(groups, groupsForm(state.groups));
        phone.hidden = !isOn;
        phone.elements.phone.value = state.phone ?? "";
        noHelp.hidden = !["in-need", "assisted"].includes(state.state);
        stop.hidden = !isOn;
    }

    /// - Parameter chosen: the ids of the alerted groups; nil before monitoring starts.
    function groupsForm(chosen) {
        const all = [...store.state.groups.values()];
        const form = makeForm({
            fields: all.map(({ group, name }) => makeField({
                name: group, type: "checkbox", checked: chosen?.includes(group) ?? true, label: name,
            })),
            button: chosen ? t("Save the groups") : t("Watch my vital signs"),
            submit: async (values) => {
                const wanted = all.map(({ group }) => group).filter((group) => values[group]);
                if (all.length > 0 && wanted.length === 0) throw new Error(t("Choose at least one group."));
                await (chosen ? change : start)(wanted.length > 0 ? { groups: wanted } : {});
            },
        });
        if (all.length === 0) return chosen ? null : form;
        return [
            h("p", { class: "small" }, t("These groups are alerted, and notified when no vital "
                + "signs arrive. A group you join later is not, unless you choose it here.")),
            form,
        ];
    }

    function row(incident) {
        const events = (incident.events ?? []).map(({ at, event, by }) =>
            h("p", { class: "small muted break" },
                [EVENTS[event] ?? event, by, dateTime(at)].filter(Boolean).join(" · ")));
        return h("li", null,
            h("strong", null, t("Help was called, {time}", { time: dateTime(incident.openedAt) })),
            h("p", { class: "small break" }, incident.reasons.map(vitalsReason).join(", ")),
            events);
    }

    async function load() {
        try {
            show(await app.call("emergency.get"));
            const { incidents } = await app.call("incident.list", { limit: LISTED });
            replace(list, incidents.map(row));
        } catch (problem) {
            write(error, problemText(problem));
        }
    }

    return { element, load };
}
