/// A link that lets anyone who has it join a group.

import { dateTime } from "../format.js";
import { t, tn } from "../language.js";
import { showLink } from "../link-box.js";

/// `invitation`: `{path,uses,expiresAt}`; `group`: its name.
export function showInvitation(app, { path, uses, expiresAt }, group) {
    return showLink(app, {
        path,
        title: t("Join {group} on Kith", { group }),
        words: tn(uses,
            "For one person, until {time}. Anyone who has the link can join: don't send it to "
                + "anyone else. It is shown only once.",
            "For up to {count} people, until {time}. Anyone who has the link can join: don't send "
                + "it to anyone else. It is shown only once.",
            { time: dateTime(expiresAt) }),
    });
}
