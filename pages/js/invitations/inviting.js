/// Inviting to a group, by user name or by link; and the open invitations.

import { newID } from "../api.js";
import { h, keyed, replace, toggle, write } from "../dom.js";
import { makeField, makeForm, problemText } from "../form.js";
import { dateTime } from "../format.js";
import { t, tn } from "../language.js";
import { nameOf } from "../store.js";
import { showInvitation } from "./link.js";

/// `current`: returns the group from the store.
export function makeInviting(app, key, current) {
    const open = makeOpen(app, key);
    const place = h("div", { role: "status" });
    const uses = makeField({
        name: "uses", label: t("Number of people"), type: "number", value: "1", min: "1",
        max: "100", inputmode: "numeric",
    });
    const link = makeForm({
        fields: [uses],
        button: t("Make a link"),
        submit: async ({ uses: count }) => {
            const made = await app.call("group.invite", {
                id: newID(), group: key, uses: Number(count),
            });
            replace(place, made.path
                ? showInvitation(app, made, current()?.name ?? t("the group"))
                : h("p", null, t("The link was lost. Revoke it and create another.")));
            open.load();
        },
    });
    const byName = makeByName(app, key, () => open.load());
    const element = h("details", {
        class: "inviting",
        ontoggle: () => { if (element.open) open.load(); },
    }, h("summary", null, t("Invite")), place, link, byName, open.element);
    return { element };
}

function makeByName(app, key, done) {
    const who = makeField({
        name: "who", label: t("Invite by user name"), autocomplete: "off", autocapitalize: "none",
        spellcheck: "false",
        hint: t("People who have added you as a friend join immediately; others are asked."),
    });
    return makeForm({
        fields: [who],
        button: t("Invite"),
        submit: async ({ who: text }) => {
            const user = text.trim();
            let answer;
            try {
                answer = await app.call("group.add", { group: key, user });
            } catch (problem) {
                // All errors concern the only field.
                const reasons = problem.errors.map((error) => error.reason);
                if (reasons.length === 0) reasons.push(problemText(problem));
                problem.errors = [{ field: "who", reason: reasons.join("; ") }];
                throw problem;
            }
            who.input.value = "";
            app.say(answer.invited
                ? t("If the user {user} exists, they will be asked.", { user })
                : t("{user} is now in the group.", { user }), "good");
            done();
        },
    });
}

/// The group's open invitations; any member can revoke each.
function makeOpen(app, key) {
    const list = h("ul", { class: "list", "aria-label": t("Open invitations") });
    const error = h("p", { class: "error", role: "alert" });
    const element = h("div", { hidden: true }, h("h3", null, t("Open invitations")), list, error);
    const show = keyed(list, (item) => makeItem(app, key, item, load), (item) => item.invitation);

    async function load() {
        try {
            const { invitations } = await app.call("invitation.list", { group: key });
            show(invitations);
            element.hidden = invitations.length === 0;
            write(error, "");
        } catch (problem) {
            element.hidden = false;
            write(error, problemText(problem));
        }
    }

    return { element, load };
}

function makeItem(app, key, { invitation }, reload) {
    const words = h("span", { class: "break" });
    const more = h("span", { class: "muted small" });
    const revoke = h("button", {
        type: "button", class: "button quiet danger",
        onclick: async () => {
            try {
                await app.call("invitation.revoke", { group: key, invitation });
                app.say(t("That invitation can no longer be used."));
            } catch (problem) {
                app.say(problemText(problem), "error");
            }
            reload();
        },
    }, t("Revoke"));
    return {
        element: h("li", { class: "row" },
            h("span", { class: "grow member-body" }, words, more), revoke),
        update({ user, email, by, uses, used, expiresAt }) {
            const whom = user ?? email;
            write(words, whom ?? (uses === 1 ? t("Link for one person")
                : tn(uses, "Link, used {used} of 1 time", "Link, used {used} of {count} times", { used })));
            write(more, t("by {name}, until {time}", { name: nameOf(by), time: dateTime(expiresAt) }));
            toggle(revoke, "aria-label", whom ? t("Revoke {name}", { name: whom }) : t("Revoke the link"));
        },
    };
}
