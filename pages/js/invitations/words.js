/// An invitation that came by a link: its address, and what it says.

/// The token in the part of the address behind the `#`; null if there is none.
export function tokenIn(hash) {
    const [, token] = /^#?\/?invitation\/([^/]+)$/.exec(hash) ?? [];
    return token ?? null;
}

/// As a sentence.
export function invitationWords({ name, inviter, members }) {
    const people = members === 1 ? "1 person" : `${members} people`;
    return `${inviter} invites you to the group ${name}, with ${people} in it.`;
}

export const WHAT_IT_MEANS = "Its members can write to you and see your name. Where you are, they "
    + "see only once you choose to show it to the group, or in an SOS.";
