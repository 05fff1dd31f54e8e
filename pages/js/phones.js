/// Members I can call by phone: those of my groups who show their number to them.

import { isolate } from "./bidi.js";
import { h, keyed } from "./dom.js";
import { call } from "./help/card.js";
import { isHere } from "./known/presence.js";
import { t } from "./language.js";

/// More would push the other help out of sight.
const MOST_PHONES = 3;

/// `[{user,name,phone}]`, each person once; connected people first.
export function phonesOf({ me, groups }) {
    const found = new Map();
    for (const { states } of groups.values()) {
        for (const member of states.values()) {
            const { user, name, phone } = member;
            if (phone && user !== me?.user) found.set(user, { user, name, phone, isHere: isHere(member) });
        }
    }
    return [...found.values()]
        .sort((a, b) => Number(b.isHere) - Number(a.isHere) || a.name.localeCompare(b.name))
        .slice(0, MOST_PHONES);
}

/// A row of links that dial them: `{element,update(state)}`.
export function makePhones() {
    const element = h("div", { class: "phones" });
    const show = keyed(element, () => {
        const link = h("a", { class: "button" });
        return {
            element: link,
            update: ({ name, phone }) => call(link, phone, t("Call {name}", { name: isolate(name) })),
        };
    }, ({ user }) => user);
    return {
        element,
        update(state) {
            const people = phonesOf(state);
            show(people);
            element.hidden = people.length === 0;
        },
    };
}
