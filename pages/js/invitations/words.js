/// An invitation received by link: its address, and its words.

import { h } from "../dom.js";
import { t, tn } from "../language.js";
import { programWords } from "../sharing-words.js";

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

/// Which programs see the group, as a paragraph; null if there are none.
export function watchedWords({ name, observers }) {
    const words = programWords(name, observers);
    return words ? h("p", { class: "small muted break" }, words) : null;
}

export const WHAT_IT_MEANS = t("Its members can write to you and see your name. They see where you "
    + "are only once you choose to show it to the group, or in an SOS.");
