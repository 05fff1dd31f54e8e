/// The groups known to the page, for its list and its forms.

import { access } from "./access.js";

const PAGE = 100;
/// The maximum number of pages requested at once: for more groups there is the command line.
const MOST_PAGES = 10;

export function makeGroupBook() {
    const listeners = new Set();
    const book = {
        /// `{group,name,members}`, by name.
        groups: [],
        /// Whether the list is complete.
        isWhole: true,

        async load() {
            const groups = [];
            let after;
            for (let page = 0; page < MOST_PAGES; page += 1) {
                const answer = await access.call("group.list", { limit: PAGE, ...after && { after } });
                groups.push(...answer.groups);
                after = answer.next;
                if (!after) break;
            }
            book.groups = groups.sort((a, b) => a.name.localeCompare(b.name));
            book.isWhole = !after;
            for (const listener of listeners) listener();
        },

        /// Calls the listener at each change until the returned function is called.
        listen(listener) {
            listeners.add(listener);
            return () => listeners.delete(listener);
        },
    };
    return book;
}

/// Keeps a field for choosing a group in step with the book. `groups`: the choices.
export function fillChoice(field, groups, { none, isWhole }) {
    const { input } = field;
    const chosen = input.value;
    const choices = [["", none], ...groups.map(({ group, name }) => [group, name])];
    input.replaceChildren(...choices.map(([value, words]) => new Option(words, value)));
    if (!isWhole) input.add(Object.assign(new Option("Not all groups are listed"), { disabled: true }));
    input.value = choices.some(([value]) => value === chosen) ? chosen : "";
}
