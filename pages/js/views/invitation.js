/// An invitation opened by a link, for logged-in users.

import { h, replace } from "../dom.js";
import { problemText } from "../form.js";
import { WHAT_IT_MEANS, invitationWords, watchedWords } from "../invitations/words.js";
import { t } from "../language.js";
import { chooseGroup, store } from "../store.js";

export function mount(root, app) {
    const place = h("section", { class: "card", "aria-live": "polite" });
    root.append(h("div", { class: "panel" }, h("h1", null, t("Invitation")), place));

    function enter({ group, name }) {
        // The token is no longer needed in the address.
        history.replaceState(null, "", "#group");
        chooseGroup(group);
        app.say(t("You are now in the group {group}.", { group: name }), "good");
        app.go("#map");
    }

    function fail(problem) {
        replace(place, h("p", { class: "error", role: "alert" }, problemText(problem)),
            h("a", { class: "button", href: "#map" }, t("To the map")));
    }

    async function accept(token) {
        try {
            enter(await app.call("invitation.accept", { token }));
        } catch (problem) {
            fail(problem);
        }
    }

    async function load(token) {
        replace(place, h("p", { class: "muted" }, t("One moment…")));
        try {
            const invitation = await app.call("invitation.get", { token });
            if (invitation.group) return enter(invitation);
            const join = h("button", {
                type: "button", class: "button primary wide",
                onclick: () => {
                    join.disabled = true;
                    accept(token);
                },
            }, t("Join {group}", { group: invitation.name }));
            const { me } = store.state;
            replace(place, h("p", { class: "break" }, invitationWords(invitation)),
                h("p", { class: "small muted" }, WHAT_IT_MEANS),
                watchedWords(invitation),
                me?.demo ? h("p", null, t("This is the demo. Log out, and log in with your own account."))
                    : [
                        h("p", { class: "small muted" },
                            t("You are logged in as {user}.", { user: me?.user })),
                        join,
                    ]);
        } catch (problem) {
            fail(problem);
        }
    }

    return {
        show(token) {
            const { joining } = store.state;
            store.change((state) => { state.joining = null; });
            if (!token) return app.go("#map");
            // Users who have just pressed "… and join" are not asked again.
            if (joining === token) accept(token);
            else load(token);
        },
    };
}
