/// The list of the chosen group's members beside the map, which also gives keyboard access to it.
/// Above it the user's own controls: sharing, a journey, and a call for help.

import { isolate } from "../bidi.js";
import { serverNow } from "../clock.js";
import { h, keyed, write } from "../dom.js";
import { firstSteps } from "../first-steps/steps.js";
import { moment, number } from "../format.js";
import { icon } from "../icons.js";
import { journeyControl } from "../journey.js";
import { presenceOf } from "../known/presence.js";
import { t, tn } from "../language.js";
import { FRIEND_COLOUR, friendOf, matching, membersOf, namesakes } from "../member.js";
import { makeRow } from "../members/row.js";
import { listenForPlaces } from "../near.js";
import { findMe } from "../position.js";
import { openSearch } from "../search/search.js";
import { sharingControl } from "../sharing.js";
import { makeSheet } from "../sheet.js";
import { countDown } from "../sos-countdown.js";
import { sosRequest } from "../sos-request.js";
import { chosenGroup, isLive, store } from "../store.js";
import { whileConnected } from "../while-connected.js";

const TICK_MS = 1_000;
/// Up to this many people there is no filter field.
const FEW = 8;

export function mount(root, app) {
    const title = h("bdi", null, t("Map"));
    const summary = h("p", { class: "muted small" });
    const rows = h("ul", { class: "list members", "aria-label": t("Members") });
    const friendsTitle = h("h2", null, t("Friends"));
    const friendRows = h("ul", { class: "list members", "aria-label": t("Friends") });
    const empty = h("div", { class: "empty", hidden: true });
    const none = h("p", { class: "muted", role: "status", hidden: true });
    const filter = h("input", {
        type: "search", class: "input", placeholder: t("Filter by name"),
        "aria-label": t("Filter by name"), autocomplete: "off", spellcheck: "false",
        oninput: () => update(),
    });
    const locate = iconButton("follow", t("Where am I?"), () => findMe(app, app.showPoint));
    locate.hidden = store.state.me?.demo === true;
    const sheet = makeSheet(root, app, [
        h("div", { class: "sheet-title" }, h("h1", null, title), summary),
        iconButton("search", t("Search"), () => openSearch(app)),
        locate,
        iconButton("fit", t("Show everyone on the map"), () => {
            app.people.follow(null);
            if (!app.people.fit()) app.say(t("No positions are known yet."));
        }),
    ], [
        firstSteps(app),
        h("section", { class: "you", "aria-label": t("You") }, sharingControl(app)),
        h("div", { class: "you-actions" }, journeyControl(app), helpButton(app)),
        filter,
        none,
        rows,
        friendsTitle,
        friendRows,
        empty,
    ], { opened: () => update() });
    app.sheet = sheet;
    const showRows = keyed(rows, (view) => makeRow(app, sheet, view), (view) => view.member.user);
    const showFriends = keyed(
        friendRows, (view) => makeRow(app, sheet, view), (view) => view.member.user);
    let places = 0;
    let endings = null;
    let ticker = null;
    let selected = null;

    function update() {
        const { state } = store;
        const group = chosenGroup(state);
        write(title, group?.name ?? t("Map"));
        const members = group ? membersOf(group, state.me?.user) : [];
        // A group's members are received after its name.
        const isKnown = group?.members.length > 0 || group && !isLive(state);
        write(summary, isKnown ? summaryWords(members, state) : "");
        showEmpty(state, group);
        if (!sheet.isOpen) return;
        const isMember = new Set(members
            .filter((member) => member.state !== "inactive").map((member) => member.user));
        const friends = [...state.locations.keys()].filter((user) => !isMember.has(user))
            .map((user) => friendOf(user, state));
        const everybody = [...members, ...friends];
        const view = viewer(group, namesakes(everybody));
        filter.hidden = everybody.length <= FEW;
        const text = filter.hidden ? "" : filter.value;
        const wanted = new Set(matching(everybody, text).map(({ user }) => user));
        const isShown = ({ user, state: condition }) =>
            wanted.has(user) || condition === "sos" || user === state.selected;
        const shownFriends = friends.filter(isShown);
        showRows(members.filter(isShown).map(view));
        showFriends(shownFriends.map(view));
        friendsTitle.hidden = shownFriends.length === 0;
        none.hidden = wanted.size > 0 || everybody.length === 0;
        write(none, none.hidden ? "" : t("No one here is called “{text}”.", { text: isolate(text) }));
        if (state.selected !== selected) {
            selected = state.selected;
            if (selected) reveal();
        }
    }

    /// The view of a member's row.
    function viewer(group, shared) {
        const { state } = store;
        const colours = app.people.colours();
        const now = serverNow();
        const isKnown = isLive(state);
        return (member) => ({
            member,
            now,
            isKnown,
            group: group?.group,
            colour: colours.get(member.user) ?? FRIEND_COLOUR,
            hasPath: group?.paths.has(member.user) ?? false,
            isMe: member.user === state.me?.user,
            isSelected: state.selected === member.user,
            isFollowed: state.followed === member.user,
            needsUser: shared.has(member.user),
            places,
        });
    }

    function showEmpty(state, group) {
        const text = state.groups.size === 0 && state.isLoaded ? "noGroup"
            : group?.members.length === 1 ? "alone" : "";
        empty.hidden = !text;
        if (empty.dataset.text === text) return;
        empty.dataset.text = text;
        empty.replaceChildren(...(text === "noGroup"
            ? [h("p", null, t("You are not in a group yet.")),
                h("p", null, h("a", { class: "button primary", href: "#group" }, t("Make a group")))]
            : text ? [h("p", null, t("No one else is in this group yet.")),
                h("p", null, h("a", { class: "button", href: "#group" }, t("Invite someone")))] : []));
    }

    function reveal() {
        root.querySelector(`[data-user="${CSS.escape(selected)}"]`)
            ?.scrollIntoView({ block: "nearest" });
    }

    return {
        show(user) {
            endings ??= [store.listen(update), listenForPlaces(() => { places += 1; })];
            ticker ??= setInterval(update, TICK_MS);
            sheet.show();
            update();
            app.shownSheet = sheet;
            if (user && app.people.show(user)) {
                store.change((state) => { state.selected = user; });
            }
        },
        hide() {
            for (const end of endings ?? []) end();
            endings = null;
            clearInterval(ticker);
            ticker = null;
            sheet.hide();
        },
    };
}

function iconButton(name, words, onclick) {
    return h("button", {
        type: "button", class: "icon-button", "aria-label": words, title: words, onclick,
    }, icon(name));
}

/// A press starts the countdown, as with the held button above: the countdown is the second
/// thought.
function helpButton(app) {
    const element = h("button", {
        type: "button", class: "button quiet danger", onclick: () => countDown(app),
    }, t("Call for help"));
    whileConnected(element, () => {
        element.hidden = sosRequest.current.phase !== "none";
    }, { subscriptions: [(f) => sosRequest.listen(f)] });
    return element;
}

/// The number of members; without a connection, the time of the information.
function summaryWords(members, state) {
    const count = tn(members.length, "1 member", "{count} members",
        { count: number(members.length) });
    if (isLive(state)) {
        return t("{members}, {count} online", {
            members: count, count: number(members.filter((member) => presenceOf(member, true).kind === "here").length),
        });
    }
    return state.heardAt
        ? t("{members}. No connection: last updated {time}.",
            { members: count, time: moment(state.heardAt) })
        : t("{members}. No connection: their status is unknown at the moment.",
            { members: count });
}
