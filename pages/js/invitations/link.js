/// A link that brings whoever has it into a group.

import { dateTime } from "../format.js";
import { t, tn } from "../language.js";
import { showLink } from "../link-box.js";

/// `invitation`: `{path,uses,expiresAt}`; `group`: its name.
export function showInvitation(app, { path, uses, expiresAt }, group) {
    return showLink(app, {
        path,
        title: t("Join {group} on Kith", { group }),
        words: tn(uses,
            "For one person, until {time}. Whoever has it can come in: send it to nobody else. It is "
                + "shown only now.",
            "For up to {count} people, until {time}. Whoever has it can come in: send it to nobody "
                + "else. It is shown only now.",
            { time: dateTime(expiresAt) }),
    });
}
