/// A link that brings whoever has it into a group.

import { dateTime } from "../format.js";
import { showLink } from "../link-box.js";

/// `invitation`: `{path,uses,expiresAt}`; `group`: its name.
export function showInvitation(app, { path, uses, expiresAt }, group) {
    const whom = uses === 1 ? "For one person" : `For up to ${uses} people`;
    return showLink(app, {
        path,
        title: `Join ${group} on Kith`,
        words: `${whom}, until ${dateTime(expiresAt)}. Whoever has it can come in: send it to `
            + "nobody else. It is shown only now.",
    });
}
