/// The people of the installation: search and administration.

import { h, keyed, toggle, write } from "../dom.js";
import { makeField, makeForm, problemText } from "../form.js";
import { access } from "./access.js";
import { makeAdding } from "./adding.js";
import { makePerson } from "./person.js";
import { counted } from "./words.js";

const PAGE = 50;

export function makePeople(app) {
    let people = [];
    let next;
    let prefix = "";
    /// Whether the list could not be loaded.
    let hasFailed = false;
    /// Grows with each query: responses to earlier ones are outdated.
    let asked = 0;
    const rows = new Map();

    const field = makeField({
        name: "prefix", label: "The user name begins with", autocomplete: "off", autocapitalize: "none",
        spellcheck: "false", type: "search",
    });
    const search = makeForm({
        fields: [field],
        button: "Find",
        submit: ({ prefix: text }) => find(text.trim().toLowerCase()),
    });
    search.setAttribute("role", "search");
    search.classList.add("in-line");
    const count = h("p", { class: "small muted", role: "status" });
    const list = h("ul", { class: "list", "aria-label": "People" });
    const error = h("p", { class: "error", role: "alert" });
    const more = h("button", { type: "button", class: "button", hidden: true, onclick: showMore }, "Show more people");
    const show = keyed(list, (person) => {
        const row = makePerson(app, person, () => gone(person.user));
        rows.set(person.user, row);
        return row;
    }, (each) => each.user);
    const adding = makeAdding(app, added);
    const element = h("section", { class: "card people", "aria-labelledby": "people-title" },
        h("h2", { id: "people-title" }, "People"), adding.element, search, count, error, list, more);

    /// From the beginning.
    async function find(text) {
        prefix = text;
        const own = asked += 1;
        try {
            const answer = await page();
            if (own !== asked) return;
            people = answer.users;
            ({ next } = answer);
            hasFailed = false;
            write(error, "");
            render();
        } catch (problem) {
            if (own !== asked) return;
            hasFailed = true;
            // The list belongs to another query.
            people = [];
            next = undefined;
            render();
            write(count, "");
            write(error, problemText(problem));
        }
    }

    async function showMore() {
        const own = asked;
        const last = list.lastElementChild;
        more.disabled = true;
        try {
            const answer = await page(next);
            if (own !== asked) return;
            const known = new Set(people.map(({ user }) => user));
            people = [...people, ...answer.users.filter(({ user }) => !known.has(user))];
            ({ next } = answer);
            write(error, "");
            render();
            last?.nextElementSibling?.querySelector("summary").focus();
        } catch (problem) {
            write(error, problemText(problem));
        } finally {
            more.disabled = false;
        }
    }

    function page(after) {
        return access.call("user.list", { limit: PAGE, ...prefix && { prefix }, ...after && { after } });
    }

    function render() {
        for (const [user, row] of rows) {
            if (people.some((each) => each.user === user)) continue;
            row.release();
            rows.delete(user);
        }
        show(people);
        toggle(more, "hidden", !next);
        write(count, countWords());
    }

    function countWords() {
        if (people.length === 0) {
            return prefix ? `No user name begins with “${prefix}”.` : "No people yet.";
        }
        const words = counted(people.length, "person", "people");
        return next ? `${words}, and more.` : prefix ? `${words} whose user name begins with “${prefix}”.` : `${words}.`;
    }

    /// A newly added person is listed first, whatever the query.
    async function added(user) {
        try {
            const { users } = await access.call("user.list", { prefix: user, limit: 1 });
            const fresh = users.filter((each) => each.user === user);
            people = [...fresh, ...people.filter((each) => each.user !== user)];
            render();
        } catch (problem) {
            write(error, problemText(problem));
        }
    }

    function gone(user) {
        people = people.filter((each) => each.user !== user);
        render();
        write(count, `${user} is removed. ${countWords()}`);
        field.input.focus();
        app.loadGroups();
    }

    return {
        element,
        load: () => find(prefix),
        /// After the server was away.
        loadAgain: () => { if (hasFailed) find(prefix); },
        /// The shown row of a person, if there is one.
        refresh: (user) => rows.get(user)?.refresh(),
    };
}
