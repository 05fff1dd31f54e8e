/// My list of friends: those I share my position with, those who share theirs with me, and blocked
/// users.

import { ask, openDialog } from "../dialog.js";
import { h, keyed, replace, write } from "../dom.js";
import { makeField, makeForm, problemText } from "../form.js";
import { age, dateTime, moment } from "../format.js";
import { geolocation } from "../geolocation.js";
import { t } from "../language.js";

/// `changed` is called after each change; the view then reads everything again.
export function makeFriends(app, changed) {
    const error = h("p", { class: "error", role: "alert" });
    const list = h("ul", { class: "list" });
    const empty = h("p", { class: "muted", hidden: true },
        t("No friends yet. Add one by user name."));
    const all = h("div", { class: "row" });
    const perform = (work, done) => act(app, error, changed, work, done);
    const showRows = keyed(list, (friend) => makeRow(friend, app, perform), (each) => each.user);

    const user = makeField({
        name: "user", label: t("User name"), autocapitalize: "none", autocomplete: "off",
        spellcheck: "false", hint: t("They are notified that you added them, and see nothing of you yet."),
    });
    const form = makeForm({
        fields: [user],
        button: t("Add"),
        submit: async ({ user: name }) => {
            const { friend } = await app.call("friend.add", { user: name.trim().toLowerCase() });
            user.input.value = "";
            app.say(t("{name} is on your list.", { name: friend.name ?? friend.user }), "good");
            changed();
        },
    });
    const adding = h("details", null, h("summary", null, t("Add a friend")), form);
    let isKnown = false;
    const element = h("section", { class: "card", "aria-labelledby": "friends-title" },
        h("h2", { id: "friends-title" }, t("Friends")),
        empty, list, error, all,
        adding);

    return {
        element,
        update(friends) {
            empty.hidden = friends.length > 0;
            if (!isKnown) adding.open = friends.length === 0;
            isKnown = true;
            showRows(friends);
            const seeing = friends.filter((friend) => friend.sharedSince).length;
            replace(all,
                friends.length > 1 && seeing < friends.length ? h("button", {
                    type: "button", class: "button",
                    onclick: () => share(app, "all", t("all friends on your list"), perform),
                }, t("Share my location with all")) : null,
                seeing > 1 ? h("button", {
                    type: "button", class: "button",
                    onclick: () => perform(
                        () => app.call("friend.unshare", { with: "all" }),
                        t("Your friends no longer see your position.")),
                }, t("Stop sharing with all")) : null);
            all.hidden = all.children.length === 0;
        },
    };
}

function makeRow(friend, app, perform) {
    let current = friend;
    const name = h("strong", { class: "break" });
    const detail = h("p", { class: "small muted" });
    const toggleShare = h("button", {
        type: "button", class: "button",
        onclick: () => (current.sharedSince
            ? perform(
                () => app.call("friend.unshare", { with: [current.user] }),
                t("{name} no longer sees your position.", { name: nameOf(current) }))
            : share(app, [current.user], nameOf(current), perform)),
    });
    const more = h("button", {
        type: "button", class: "button quiet",
        onclick: () => showMore(app, current, perform),
    }, t("More"));
    const element = h("li", null, h("div", { class: "row person" },
        h("div", { class: "grow" }, name, detail),
        h("div", { class: "actions" }, toggleShare, more)));
    return {
        element,
        update(next) {
            current = next;
            write(name, nameOf(next));
            write(detail, [
                next.name ? `@${next.user}` : null,
                next.sharedSince
                    ? t("sees your location, since {time}", { time: moment(next.sharedSince) })
                    : t("does not see your location"),
                next.visibleSince ? t("shares their location with you") : null,
            ].filter(Boolean).join(" · "));
            write(toggleShare, next.sharedSince ? t("Stop sharing") : t("Share"));
            const values = { name: nameOf(next) };
            toggleShare.setAttribute("aria-label", next.sharedSince
                ? t("Stop sharing my location with {name}", values) : t("Share my location with {name}", values));
            more.setAttribute("aria-label", t("More about {name}", values));
        },
    };
}

function showMore(app, friend, perform) {
    const at = app.store.state.locations.get(friend.user);
    const after = (work) => () => {
        close();
        work();
    };
    const close = openDialog(nameOf(friend), [
        h("p", { class: "muted" },
            t("On your list since {time}.", { time: dateTime(friend.addedAt) }),
            at ? [" ", t("Their position is from {age}.", { age: age(at.timestamp) })] : null),
        h("div", { class: "stack" },
            at ? h("button", {
                type: "button", class: "button wide", onclick: after(() => app.showPoint(at)),
            }, t("Show on the map")) : null,
            h("button", {
                type: "button", class: "button wide",
                onclick: after(() => perform(
                    () => app.call("friend.remove", { user: friend.user }),
                    t("{name} is off your list and no longer sees anything of you.", { name: nameOf(friend) }))),
            }, t("Remove from my list")),
            h("button", {
                type: "button", class: "button danger wide",
                onclick: after(() => block(app, friend, perform)),
            }, t("Block")),
            h("button", { type: "button", class: "button quiet wide", onclick: () => close() },
                t("Close"))),
    ]);
}

/// The friends who share their position with me.
export function makeSharers(app, changed) {
    const list = h("ul", { class: "list" });
    const empty = h("p", { class: "muted", hidden: true },
        t("No friend is sharing their location with you."));
    const error = h("p", { class: "error", role: "alert" });
    const perform = (work, done) => act(app, error, changed, work, done);
    const showRows = keyed(list, (each) => {
        const detail = h("p", { class: "small muted" });
        let current = each;
        const onMap = h("button", {
            type: "button", class: "button",
            onclick: () => app.showPoint(app.store.state.locations.get(current.user)),
            "aria-label": t("{name}: show on the map", { name: nameOf(each) }),
        }, t("On the map"));
        const blocking = h("button", {
            type: "button", class: "button quiet", "aria-label": t("Block {name}", { name: nameOf(each) }),
            onclick: () => block(app, current, perform),
        }, t("Block"));
        const element = h("li", null, h("div", { class: "row person" },
            h("div", { class: "grow" }, h("strong", { class: "break" }, nameOf(each)), detail),
            h("div", { class: "actions" }, onMap, blocking)));
        return {
            element,
            update(next) {
                current = next;
                const at = app.store.state.locations.get(next.user);
                onMap.hidden = !at;
                write(detail, at
                    ? t("Newest position {age}", { age: age(at.timestamp) }) : t("No position known"));
            },
        };
    }, (each) => each.user);
    return {
        element: h("section", { class: "card", "aria-labelledby": "sharers-title" },
            h("h2", { id: "sharers-title" }, t("Friends who share their location with me")),
            empty, list, error),
        update(sharers) {
            empty.hidden = sharers.length > 0;
            showRows(sharers);
        },
    };
}

export function makeBlocked(app, changed) {
    const list = h("ul", { class: "list" });
    const error = h("p", { class: "error", role: "alert" });
    const summary = h("summary", null, t("Blocked"));
    const element = h("details", { class: "card" }, summary,
        h("p", { class: "small muted" },
            t("They see nothing of you, can't reach you, and are not notified of this.")),
        list, error);
    return {
        element,
        update(blocked) {
            element.hidden = blocked.length === 0;
            write(summary, t("Blocked ({count})", { count: blocked.length }));
            replace(list, blocked.map((each) => h("li", null, h("div", { class: "row" },
                h("strong", { class: "grow break" }, each.user),
                h("button", {
                    type: "button", class: "button", "aria-label": t("Unblock {user}", { user: each.user }),
                    onclick: () => act(app, error, changed,
                        () => app.call("friend.unblock", { user: each.user }),
                        t("{user} is no longer blocked.", { user: each.user })),
                }, t("Unblock"))))));
        },
    };
}

// MARK: Actions

/// Shows on the map what they will see, and shares it once the user confirms.
function share(app, whom, words, perform) {
    const send = (fix) => perform(async () => {
        const result = await app.call("friend.share", { with: whom, ...(fix ? { fix } : {}) });
        app.say(result.fix
            ? t("Visible to {words} until you stop.", { words })
            : t("Visible to {words} as soon as your position arrives.", { words }), "good");
    });
    /// - Parameter known: the position that the server has of me; null: none. It need not be sent
    ///   again.
    const confirm = async (fix, known) => {
        app.go("#map");
        const point = await app.choosePoint(fix
            ? t("{words} will see you here, {age}. Is that right? If not, move the map.",
                { words, age: age(fix.timestamp) })
            : t("Your position is not known. Tap the map where you are."),
        fix ? { at: fix, yes: t("Yes, share it") } : {});
        app.go("#people");
        if (!point) return;
        const { timestamp: _, ...own } = point;
        await send(point === known ? null : own);
    };
    const after = (work) => () => {
        close();
        work();
    };
    const isDemo = app.store.state.me?.demo === true;
    const close = openDialog(t("Share my location"), [
        h("p", null, t("With {words}, until you stop. They are notified. You see on the map what they "
            + "will see, and confirm it.", { words })),
        h("div", { class: "stack" },
            h("button", {
                type: "button", class: "button primary wide",
                onclick: after(() => {
                    const known = ownFix(app.store.state);
                    return known || isDemo ? confirm(known, known) : locate(app, confirm);
                }),
            }, t("Share it")),
            isDemo ? null : h("button", {
                type: "button", class: "button wide",
                onclick: after(() => locate(app, confirm)),
            }, t("Get this device's position first")),
            h("button", { type: "button", class: "button wide", onclick: after(() => send(null)) },
                t("As soon as it is known")),
            h("button", { type: "button", class: "button quiet wide", onclick: () => close() },
                t("Cancel"))),
    ]);
}

async function locate(app, confirm) {
    let fix = null;
    try {
        fix = await geolocation.locate();
    } catch (error) {
        app.say(error.message, "warning");
    }
    await confirm(fix, null);
}

/// The newest position that the server has of me, as far as the page knows.
function ownFix({ me, groups }) {
    return [...groups.values()].map(({ states }) => states.get(me?.user)?.fix).filter(Boolean)
        .sort((left, right) => Date.parse(right.timestamp) - Date.parse(left.timestamp))[0] ?? null;
}

async function block(app, friend, perform) {
    const isSure = await ask({
        title: t("Block {name}?", { name: nameOf(friend) }),
        text: t("They no longer see anything of you, and anything they share or write as a friend does "
            + "not reach you. They are not notified. Groups that you are both in stay as they are."),
        yes: t("Block"), danger: true,
    });
    if (!isSure) return;
    await perform(() => app.call("friend.block", { user: friend.user }),
        t("{name} is blocked.", { name: nameOf(friend) }));
}

async function act(app, error, changed, work, done) {
    write(error, "");
    try {
        await work();
        if (done) app.say(done, "good");
    } catch (problem) {
        write(error, problemText(problem));
    }
    changed();
}

function nameOf({ name, user }) {
    return name ?? user;
}
