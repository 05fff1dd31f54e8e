/// The list of the chosen group's members beside the map, which also gives keyboard access to it.

import { serverNow } from "../clock.js";
import { h, keyed, toggle, write } from "../dom.js";
import { firstSteps } from "../first-steps/steps.js";
import { coordinates, dateTime, moment } from "../format.js";
import { icon } from "../icons.js";
import { journeyControl } from "../journey.js";
import {
    FRIEND_COLOUR, ageWords, describe, fixWords, friendOf, initials, isCurrent, journeyWords,
    membersOf,
} from "../member.js";
import { positionControl } from "../position.js";
import { sharingSwitch } from "../sharing.js";
import { makeSheet } from "../sheet.js";
import { chosenGroup, isLive, store } from "../store.js";

const TICK_MS = 1_000;

export function mount(root, app) {
    const title = h("h1", null, "Map");
    const summary = h("p", { class: "muted small" });
    const rows = h("ul", { class: "list members", "aria-label": "Members" });
    const friendsTitle = h("h2", null, "Friends");
    const friendRows = h("ul", { class: "list members", "aria-label": "Friends" });
    const empty = h("div", { class: "empty", hidden: true });
    const sheet = makeSheet(root, app, [
        h("div", { class: "sheet-title" }, title, summary),
        h("button", {
            type: "button", class: "icon-button", "aria-label": "Show everybody on the map",
            title: "Show everybody",
            onclick: () => {
                app.people.follow(null);
                if (!app.people.fit()) app.say("Nobody's position is known yet.");
            },
        }, icon("fit")),
    ], [
        firstSteps(app),
        rows,
        friendsTitle,
        friendRows,
        empty,
        h("section", { class: "card you", "aria-label": "You" },
            h("h2", null, "You"), sharingSwitch(app), positionControl(app), journeyControl(app)),
    ]);
    app.sheet = sheet;
    const showRows = keyed(rows, (view) => makeRow(app, sheet, view), (view) => view.member.user);
    const showFriends = keyed(
        friendRows, (view) => makeRow(app, sheet, view), (view) => view.member.user);
    let unlisten = null;
    let ticker = null;
    let selected = null;

    function update() {
        const { state } = store;
        const group = chosenGroup(state);
        write(title, group?.name ?? "Map");
        const members = group ? membersOf(group, state.me?.user) : [];
        write(summary, group ? summaryWords(members, state) : "");
        const colours = app.people.colours();
        const now = serverNow();
        const isKnown = isLive(state);
        const view = (member) => ({
            member,
            now,
            isKnown,
            group: group?.group,
            colour: colours.get(member.user) ?? FRIEND_COLOUR,
            hasPath: group?.paths.has(member.user) ?? false,
            isMe: member.user === state.me?.user,
            isSelected: state.selected === member.user,
            isFollowed: state.followed === member.user,
        });
        showRows(members.map(view));
        const isMember = new Set(members
            .filter((member) => member.state !== "inactive").map((member) => member.user));
        const friends = [...state.locations.keys()].filter((user) => !isMember.has(user))
            .map((user) => friendOf(user, state));
        showFriends(friends.map(view));
        friendsTitle.hidden = friends.length === 0;
        showEmpty(state, group, members);
        if (state.selected !== selected) {
            selected = state.selected;
            if (selected) reveal();
        }
    }

    function showEmpty(state, group, members) {
        const text = state.groups.size === 0 && state.isLoaded ? "noGroup"
            : group && members.length === 1 ? "alone" : "";
        empty.hidden = !text;
        if (empty.dataset.text === text) return;
        empty.dataset.text = text;
        empty.replaceChildren(...(text === "noGroup"
            ? [h("p", null, "You are in no group yet."),
                h("p", null, h("a", { class: "button primary", href: "#group" }, "Make a group"))]
            : text ? [h("p", null, "Nobody else is in this group yet."),
                h("p", null, h("a", { class: "button", href: "#group" }, "Invite somebody"))] : []));
    }

    function reveal() {
        root.querySelector(`[data-user="${CSS.escape(selected)}"]`)
            ?.scrollIntoView({ block: "nearest" });
    }

    return {
        show(user) {
            unlisten ??= store.listen(update);
            ticker ??= setInterval(update, TICK_MS);
            update();
            sheet.show();
            app.shownSheet = sheet;
            if (user && app.people.show(user)) {
                store.change((state) => { state.selected = user; });
            }
        },
        hide() {
            unlisten?.();
            unlisten = null;
            clearInterval(ticker);
            ticker = null;
            sheet.hide();
        },
    };
}

/// The number of members; without a connection, the time of this information.
function summaryWords(members, state) {
    const count = members.length === 1 ? "1 member" : `${members.length} members`;
    if (isLive(state)) {
        return `${count}, ${members.filter((member) => member.online).length} online`;
    }
    const since = state.heardAt ? `This is how it was at ${moment(state.heardAt)}.` : "";
    return `${count}. No connection: how they are is not known at the moment. ${since}`.trim();
}

function makeRow(app, sheet, { member: { user } }) {
    const avatar = h("span", { class: "avatar", "aria-hidden": "true" });
    const name = h("span", { class: "member-name" });
    const age = h("span", { class: "muted small nowrap" });
    const state = h("span", { class: "badge" });
    const warning = h("span", { class: "badge warning" });
    const presence = h("span", { class: "presence small" });
    const journey = h("span", { class: "small" });
    const facts = h("span", { class: "muted small" });
    const details = h("div", { class: "member-details", id: `member-${user}`, hidden: true });
    const button = h("button", {
        type: "button", class: "member", "aria-controls": details.id,
        onclick: () => {
            const isOpen = store.state.selected === user;
            store.change((each) => { each.selected = isOpen ? null : user; });
            if (isOpen) return;
            sheet.makeRoom();
            if (!app.people.show(user)) app.say(`No position of ${name.textContent} is known yet.`);
        },
    },
    avatar,
    h("span", { class: "member-body" },
        h("span", { class: "member-line" }, name, age),
        h("span", { class: "member-line wrap" }, state, warning, presence),
        journey, facts));
    const more = makeDetails(app, user);
    details.append(more.element);
    const element = h("li", { class: "member-row", dataset: { user } }, button, details);
    return {
        element,
        update({ member, now, isKnown, group, colour, hasPath, isMe, isSelected, isFollowed }) {
            const { label, tone, detail, warnings } = describe(member, now);
            const { fix } = member;
            toggle(element, "data-state", member.state);
            toggle(element, "data-selected", isSelected);
            toggle(element, "data-old", !isKnown || !isCurrent(member, now));
            toggle(button, "aria-expanded", String(isSelected));
            toggle(element, "data-kind", member.kind);
            avatar.style.setProperty("--person", colour);
            write(avatar, member.state === "sos" ? "SOS" : initials(member.name));
            write(name, isMe ? `${member.name} (you)` : member.name);
            write(age, fix ? ageWords(fix, now) : "");
            toggle(age, "title", fix ? dateTime(fix.timestamp) : null);
            state.className = `badge ${tone}`;
            write(state, [label, detail].filter(Boolean).join(" "));
            write(warning, warnings.join(", "));
            warning.hidden = warnings.length === 0;
            presence.hidden = member.kind === "friend";
            write(presence, !isKnown ? "Not known now" : member.online ? "Online" : "Offline");
            toggle(presence, "data-online", isKnown && member.online);
            write(journey, member.state === "routing" && member.journey
                ? journeyWords(member.journey, now) : "");
            journey.hidden = !journey.textContent;
            write(facts, fix ? fixWords(fix).join(" · ") : "No position yet");
            facts.hidden = !facts.textContent;
            details.hidden = !isSelected;
            if (isSelected) more.update({ fix, group, hasPath, isFollowed, member });
        },
    };
}

function makeDetails(app, user) {
    const place = h("p", { class: "small muted numbers" });
    const follow = h("button", {
        type: "button", class: "button",
        onclick: () => app.people.follow(store.state.followed === user ? null : user),
    }, icon("follow", 20), "Follow");
    const gpx = h("a", { class: "button", download: true }, icon("download", 20), "GPX");
    const json = h("a", { class: "button", download: true }, icon("download", 20), "GeoJSON");
    return {
        element: h("div", { class: "member-more" }, place,
            h("div", { class: "row" }, follow, gpx, json)),
        update({ fix, group, hasPath, isFollowed, member }) {
            write(place, fix ? coordinates(fix) : "");
            follow.hidden = !fix;
            toggle(follow, "aria-pressed", String(isFollowed));
            gpx.hidden = member.kind === "friend"
                || (!hasPath && !["routing", "sos"].includes(member.state));
            json.hidden = gpx.hidden;
            const base = `/api/groups/${encodeURIComponent(group ?? "")}/members/`
                + `${encodeURIComponent(user)}/path`;
            toggle(gpx, "href", `${base}.gpx`);
            toggle(json, "href", `${base}.geojson`);
            toggle(gpx, "aria-label", `Path of ${member.name} as GPX`);
            toggle(json, "aria-label", `Path of ${member.name} as GeoJSON`);
        },
    };
}
