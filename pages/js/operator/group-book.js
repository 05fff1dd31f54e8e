/// The groups that the page knows, for its list and for the choices of its forms.

import { access } from "./access.js";

const PAGE = 100;
/// So many pages are asked for at once: whoever has more groups looks for one on the command line.
const MOST_PAGES = 10;

export function makeGroupBook() {
    const listeners = new Set();
    const book = {
        /// `{group,name,members}`, by name.
        groups: [],
        /// Whether these are all.
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

        /// Calls the listener at each change until what it returns is called.
        listen(listener) {
            listeners.add(listener);
            return () => listeners.delete(listener);
        },
    };
    return book;
}

/// A field in which a group is chosen, kept in step with the book. `show(groups)` takes those to choose from.
export function fillChoice(field, groups, { none, isWhole }) {
    const { input } = field;
    const chosen = input.value;
    const choices = [["", none], ...groups.map(({ group, name }) => [group, name])];
    input.replaceChildren(...choices.map(([value, words]) => new Option(words, value)));
    if (!isWhole) input.add(Object.assign(new Option("More groups are not in this list"), { disabled: true }));
    input.value = choices.some(([value]) => value === chosen) ? chosen : "";
}
