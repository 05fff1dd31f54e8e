/// An invitation that came by a link: its address, and what it says.

import { t, tn } from "../language.js";

/// The token in the part of the address behind the `#`; null if there is none.
export function tokenIn(hash) {
    const [, token] = /^#?\/?invitation\/([^/]+)$/.exec(hash) ?? [];
    return token ?? null;
}

/// As a sentence.
export function invitationWords({ name, inviter, members }) {
    return tn(members, "{inviter} invites you to the group {name}, with 1 person in it.",
        "{inviter} invites you to the group {name}, with {count} people in it.", { inviter, name });
}

export const WHAT_IT_MEANS = t("Its members can write to you and see your name. Where you are, they "
    + "see only once you choose to show it to the group, or in an SOS.");
