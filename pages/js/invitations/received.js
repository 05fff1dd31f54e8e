/// The invitations waiting for my answer.

import { h } from "../dom.js";
import { problemText } from "../form.js";
import { t } from "../language.js";

/// `changed` is called when the list may have changed.
export function makeReceived(app, changed) {
    /// Those that can still be accepted, by id.
    let waiting = new Map();

    async function load() {
        try {
            const { invitations } = await app.call("invitation.list");
            waiting = new Map(invitations.map((each) => [each.invitation, each]));
        } catch {
            // The notice is shown without its buttons.
            return;
        }
        changed();
    }

    async function answer(method, invitation, words) {
        try {
            await app.call(method, { invitation });
            app.say(words, "good");
        } catch (problem) {
            app.say(problemText(problem), "error");
        }
        await load();
    }

    /// The notices for which the list has been requested.
    const known = new Set();

    /// Requests the list when there is a new invitation, however the page learned of it.
    function learn(notices) {
        const fresh = notices.filter(({ id, kind }) => kind === "invited-to-group" && !known.has(id));
        if (fresh.length === 0) return;
        for (const { id } of fresh) known.add(id);
        load();
    }

    const isWaiting = ({ kind, invitation }) => (
        kind === "invited-to-group" && waiting.has(invitation));

    return {
        load,
        learn,
        /// Whether the notice can still be answered.
        isWaiting,
        /// The buttons of a notice; null if there is nothing to answer.
        actions(notice) {
            return isWaiting(notice) ? buttons(waiting.get(notice.invitation)) : null;
        },
        /// All waiting invitations, each with its buttons.
        rows: () => [...waiting.values()].map((each) => h("div", { class: "stack tight" },
            h("p", { class: "break" }, t("You are invited to {group}.", { group: each.name })),
            buttons(each))),
    };

    function buttons({ invitation, name }) {
        return h("div", { class: "row" },
            h("button", {
                type: "button", class: "button primary",
                "aria-label": t("Join {name}", { name }),
                onclick: () => answer("invitation.accept", invitation,
                    t("You are now in the group {name}.", { name })),
            }, t("Accept")),
            h("button", {
                type: "button", class: "button",
                "aria-label": t("Decline {name}", { name }),
                onclick: () => answer("invitation.decline", invitation,
                    t("Declined. No one is notified.")),
            }, t("Decline")));
    }
}
