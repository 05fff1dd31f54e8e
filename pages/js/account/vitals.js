/// Vital signs from a wearable: consent to store them, the latest of each, the health profile, and
/// withdrawal.

import { ask } from "../dialog.js";
import { h, replace, write } from "../dom.js";
import { problemText } from "../form.js";
import { age, dateTime, number } from "../format.js";
import { t } from "../language.js";
import { makeHealthProfile } from "./health-profile.js";
import { termsLinks } from "./terms.js";

const WHAT_IT_IS = t("A watch or another wearable can send your heart rate and more. This is "
    + "stored only once you have agreed. Only you see it, unless you give a service access, and it "
    + "is stored encrypted. Companies may query about a thousand people or more together; you are "
    + "counted in such numbers.");
/// How many samples are searched for the latest value of each kind.
const LOOKED_AT = 100;

const ROWS = [
    ["heartRate", t("Heart rate"), t("per minute")],
    ["oxygenSaturation", t("Oxygen saturation"), "%"],
    ["respiratoryRate", t("Breaths"), t("per minute")],
    ["systolicPressure", t("Blood pressure, upper"), "mmHg"],
    ["diastolicPressure", t("Blood pressure, lower"), "mmHg"],
    ["bodyTemperature", t("Temperature"), "°C"],
];

export function makeVitals(app) {
    const fact = h("p", { class: "small muted" }, WHAT_IT_IS);
    const links = h("p", { class: "row small" });
    const list = h("ul", { class: "list", "aria-label": t("Vital signs") });
    const profile = makeHealthProfile(app);
    const error = h("p", { class: "error", role: "alert" });
    const button = h("button", { type: "button", class: "button wide" });
    const element = h("details", { class: "card" },
        h("summary", null, t("Vital signs")), fact, links, list, profile.element, error, button);

    async function act(work) {
        button.disabled = true;
        write(error, "");
        try {
            await work();
            await load();
        } catch (problem) {
            write(error, problemText(problem));
        } finally {
            button.disabled = false;
        }
    }

    async function agree() {
        const { terms } = await app.call("account.get");
        await app.call("vitals.consent", { version: terms?.version });
        app.say(t("Your vital signs are now being stored."), "good");
    }

    async function withdraw() {
        const isSure = await ask({
            title: t("Delete your vital signs?"),
            text: t("All stored vital signs and your health profile will be deleted, and nothing "
                + "more will be stored. You can download your data first."),
            yes: t("Stop and delete"), danger: true,
        });
        if (!isSure) return;
        await app.call("vitals.withdraw");
        app.say(t("Your vital signs were deleted."), "good");
    }

    function row([key, title, unit], samples) {
        const sample = samples.find((each) => each[key] !== undefined);
        if (!sample) return null;
        return h("li", null, h("div", { class: "row" },
            h("span", { class: "grow" }, title),
            h("strong", null, `${number(sample[key])} ${unit}`),
            h("span", { class: "small muted" }, `${age(sample.timestamp)} · ${sample.device}`)));
    }

    async function load() {
        try {
            const { vitals, consent } = await app.call("vitals.list", { limit: LOOKED_AT });
            write(error, "");
            replace(links, consent ? [] : termsLinks());
            replace(list, ROWS.map((each) => row(each, vitals)).filter(Boolean));
            write(fact, consent
                ? [
                    t("Stored since you agreed on {time}.", { time: dateTime(consent.at) }),
                    vitals.length ? "" : t("No data yet."),
                ].filter(Boolean).join(" ")
                : WHAT_IT_IS);
            write(button, consent ? t("Stop and delete") : t("Store my vital signs"));
            profile.element.hidden = !consent;
            if (consent && !profile.element.open) await profile.load();
            button.onclick = () => act(consent ? withdraw : agree);
        } catch (problem) {
            write(error, problemText(problem));
        }
    }

    return { element, load };
}
