/// The third step: inviting others, or joining them.

import { h } from "../dom.js";
import { makeField, makeForm } from "../form.js";
import { makeInviting } from "../invitations/inviting.js";
import { makeReceived } from "../invitations/received.js";
import { tokenIn } from "../invitations/words.js";
import { t } from "../language.js";
import { chosenGroup, store } from "../store.js";

export function makeInviteStep(app, next) {
    const group = chosenGroup() ?? [...store.state.groups.values()][0];
    const received = h("div", { class: "stack tight" });
    const invitations = makeReceived(app, () => {
        received.replaceChildren(...invitations.rows());
    });
    invitations.load();
    const link = makeField({
        name: "link", label: t("The link you received"), type: "url", autocomplete: "off",
    });
    const join = makeForm({
        fields: [link],
        button: t("Join"),
        submit({ link: text }) {
            const token = tokenIn(text.slice(text.indexOf("#")));
            if (!token) {
                throw { errors: [{ field: "link", reason: t("This isn't an invitation link") }] };
            }
            next();
            app.go(`#invitation/${token}`);
        },
    });
    const inviting = group
        ? makeInviting(app, group.group, () => store.state.groups.get(group.group)).element : null;
    if (inviting) inviting.open = true;
    const joining = h("details", { open: !group }, h("summary", null, t("Join with a link")), join);
    return {
        title: group ? t("Who should be in {group}?", { group: group.name })
            : t("Who is inviting you?"),
        content: [
            h("p", null, group
                ? t("Send a link to people you trust, or invite them by user name.")
                : t("A group member can invite you by your user name, {user}, or send you a link.",
                    { user: store.state.me?.user })),
            received, inviting, joining,
            h("button", { type: "button", class: "button primary wide", onclick: () => next() },
                t("Done")),
        ],
    };
}
