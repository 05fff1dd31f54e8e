/// Taking part in a run, for whoever is logged in.

import { call } from "../api.js";
import { ask } from "../dialog.js";
import { h, replace, write } from "../dom.js";
import { makeField, makeForm, problemText } from "../form.js";
import { dateTime } from "../format.js";
import { store } from "../store.js";

const WHAT_IS_SHOWN = "From the start until you finish everybody sees where you are on the course, also "
    + "without an account: with your number, and the name that you write here, never with your user name. "
    + "Nobody sees where you are beside the course. It begins by itself at the start.";

export function makeEnrolment(id) {
    const element = h("section", { class: "panel", "aria-label": "Taking part" });
    let shown = null;

    async function update(run) {
        const key = `${run.status} ${store.state.me?.user}`;
        if (key === shown) return;
        shown = key;
        if (!store.state.me) {
            replace(element, run.status === "announced" ? h("p", null, "To take part, ",
                h("a", { href: "/" }, "log in or make an account"), ".") : null);
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
                "Change your run")) : null,
            bib ? joined(run, bib) : run.status === "announced" ? joining(run) : null);
    }

    function joined(run, bib) {
        const error = h("p", { class: "error", role: "alert" });
        return [
            h("p", null, "You take part, with the number ", h("strong", null, String(bib)), "."),
            h("button", {
                type: "button", class: "button danger quiet",
                onclick: async () => {
                    if (!await ask({
                        title: run.status === "over" ? "Take your result back?" : "Withdraw?",
                        text: "You are not shown any more, and your number is not given again.",
                        yes: "Withdraw", danger: true,
                    })) return;
                    try {
                        await call("run.withdraw", { run: id });
                        show(run, undefined, false);
                    } catch (problem) {
                        write(error, problemText(problem));
                    }
                },
            }, "Withdraw"), error,
        ];
    }

    function joining(run) {
        const name = makeField({
            name: "name", label: "Name shown to everybody", maxlength: 64, autocomplete: "off",
            hint: "Leave it empty to be shown with your number alone.",
        });
        const heart = makeField({
            name: "showHeartRate", label: "Show my heart rate to everybody", type: "checkbox",
        });
        return [
            h("h2", null, "Take part"),
            h("p", { class: "small muted" },
                `Enrolment is open until ${dateTime(run.enrolmentClosesAt)}. ${WHAT_IS_SHOWN}`),
            makeForm({
                fields: [name, heart], button: "Take part",
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
