/// Enrolment in a run, for logged-in users.

import { call } from "../api.js";
import { ask } from "../dialog.js";
import { h, replace, write } from "../dom.js";
import { makeField, makeForm, problemText } from "../form.js";
import { dateTime } from "../format.js";
import { t, tx } from "../language.js";
import { store } from "../store.js";

const WHAT_IS_SHOWN = t("From the start until you finish, everyone sees where you are on the course, "
    + "even without an account: with your number and the name you enter here, never with your user name. "
    + "No one sees where you are off the course. It starts automatically at the start.");

export function makeEnrolment(id) {
    const element = h("section", { class: "panel", "aria-label": t("Taking part") });
    let shown = null;

    async function update(run) {
        const key = `${run.status} ${store.state.me?.user}`;
        if (key === shown) return;
        shown = key;
        if (!store.state.me) {
            replace(element, run.status === "announced" ? h("p", null, tx("To take part, {link}.", {
                link: h("a", { href: "/" }, t("log in or create an account")),
            })) : null);
            return;
        }
        try {
            const { bib, mine } = await call("run.get", { run: id });
            show(run, bib, mine);
        } catch (problem) {
            replace(element, h("p", { class: "error" }, problemText(problem)));
        }
    }

    function show(run, bib, isMine) {
        replace(element,
            isMine ? h("p", null, h("a", { class: "button", href: `#${id}/edit` },
                t("Edit your run"))) : null,
            bib ? joined(run, bib) : run.status === "announced" ? joining(run) : null);
    }

    function joined(run, bib) {
        const error = h("p", { class: "error", role: "alert" });
        return [
            h("p", null, tx("You are taking part with number {bib}.", {
                bib: h("strong", null, String(bib)),
            })),
            h("button", {
                type: "button", class: "button danger quiet",
                onclick: async () => {
                    if (!await ask({
                        title: run.status === "over" ? t("Withdraw your result?") : t("Withdraw?"),
                        text: t("You are no longer shown, and your number is not reassigned."),
                        yes: t("Withdraw"), danger: true,
                    })) return;
                    try {
                        await call("run.withdraw", { run: id });
                        show(run, undefined, false);
                    } catch (problem) {
                        write(error, problemText(problem));
                    }
                },
            }, t("Withdraw")), error,
        ];
    }

    function joining(run) {
        const name = makeField({
            name: "name", label: t("Name shown to everyone"), maxlength: 64, autocomplete: "off",
            hint: t("Leave empty to be shown by number only."),
        });
        const heart = makeField({
            name: "showHeartRate", label: t("Show my heart rate to everyone"), type: "checkbox",
        });
        return [
            h("h2", null, t("Take part")),
            h("p", { class: "small muted" },
                t("Enrolment is open until {time}.", { time: dateTime(run.enrolmentClosesAt) }), " ",
                WHAT_IS_SHOWN),
            makeForm({
                fields: [name, heart], button: t("Take part"),
                async submit(values) {
                    const { bib } = await call("run.enrol", {
                        run: id, name: values.name.trim() || undefined,
                        showHeartRate: values.showHeartRate,
                    });
                    show(run, bib, false);
                },
            }),
        ];
    }

    return { element, update };
}
