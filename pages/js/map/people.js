/// The people on the map: the members of the chosen group, friends who share, and myself.

import * as L from "/leaflet/leaflet.esm.js";
import { FRIEND_COLOUR, colours, friendOf, membersOf } from "../member.js";
import { loadBeginning, pointsOf } from "../path.js";
import { chosenGroup, store } from "../store.js";
import { cornersOf } from "./corners.js";
import { makeGlider } from "./glide.js";
import { makePersonMarker } from "./marker.js";
import { placeNames } from "./names.js";

/// Retained states come as many messages; the first fit of the map waits until they are in.
const SETTLING_MS = 500;
const CLOSE_ZOOM = 16;
const NEAR_ZOOM = 15;
const MARGIN = 48;

export function makePeople(app) {
    const { map } = app;
    const layer = L.layerGroup().addTo(map);
    const glider = makeGlider(map, { rested: () => uncover() });
    const markers = new Map();
    let isFitted = false;
    let fitTimer = null;
    let group = null;
    let followedPlace = "";
    let insets = { left: 0, bottom: 0 };
    const me = L.circleMarker([0, 0], { radius: 8, className: "me-dot", interactive: false });
    const meCircle = L.circle([0, 0], { className: "me-circle", interactive: false, radius: 1 });

    const people = {
        /// Sets how many pixels of each map edge are covered; the views call it.
        setInsets(value) {
            insets = { ...insets, ...value };
        },

        /// Fits the map to everybody who has a position.
        fit({ animate = true } = {}) {
            const points = positions();
            if (points.length === 0) return false;
            map.fitBounds(L.latLngBounds(points), {
                ...padding(), maxZoom: CLOSE_ZOOM, animate,
            });
            return true;
        },

        /// Goes to a member; false if their position is not known.
        show(user, { animate = true } = {}) {
            const state = whereIs(user);
            if (!state?.fix) return false;
            isFitted = true;
            lookAt([state.fix.latitude, state.fix.longitude], zoomOn(state.fix), animate);
            return true;
        },

        lookAt({ latitude, longitude }) {
            isFitted = true;
            lookAt([latitude, longitude], Math.max(map.getZoom(), NEAR_ZOOM), true);
        },

        /// Shows a place with what is around it: `{latitude,longitude,radius?}`, in metres.
        showArea({ latitude, longitude, radius = 0 }) {
            people.showAll([{ latitude, longitude, accuracy: radius }]);
        },

        /// Fits the map to points.
        showAll(points) {
            isFitted = true;
            map.fitBounds(L.latLngBounds(points.flatMap(cornersOf)), {
                ...padding(), maxZoom: CLOSE_ZOOM,
            });
        },

        follow(user) {
            store.change((state) => { state.followed = user; });
            if (user) people.show(user);
        },

        colours: () => colours(chosenGroup()?.members.map((member) => member.user) ?? []),

        remove() {
            clearTimeout(fitTimer);
            clearInterval(ticker);
            unlisten();
            layer.remove();
        },
    };

    /// The known state of a user; a member who does not share with the group is looked up as a
    /// friend.
    function whereIs(user) {
        const member = chosenGroup()?.states.get(user);
        return member && !isOnlyFriend(member, store.state)
            ? member : friendOf(user, store.state) ?? member;
    }

    function positions() {
        const { locations, position } = store.state;
        const fixes = [...(chosenGroup()?.states.values() ?? [])].map((state) => state.fix);
        fixes.push(...locations.values());
        if (fixes.filter(Boolean).length === 0) fixes.push(position);
        for (const state of chosenGroup()?.states.values() ?? []) {
            fixes.push(state.journey?.destination);
        }
        return fixes.filter(Boolean).flatMap(cornersOf);
    }

    /// Close, but never so close that the circle somebody may be anywhere in is out of sight.
    function zoomOn(fix) {
        const whole = map.getBoundsZoom(L.latLngBounds(cornersOf(fix)));
        return whole < NEAR_ZOOM ? whole : Math.max(map.getZoom(), NEAR_ZOOM);
    }

    function padding() {
        return {
            paddingTopLeft: [MARGIN + insets.left, MARGIN],
            paddingBottomRight: [MARGIN, MARGIN + insets.bottom],
        };
    }

    /// Centres the point in the part of the map that is not covered.
    function lookAt(point, zoom, animate) {
        const shift = L.point(-insets.left / 2, insets.bottom / 2);
        const target = map.unproject(map.project(point, zoom).add(shift), zoom);
        map.setView(target, zoom, { animate });
    }

    function update(state) {
        const chosen = chosenGroup(state);
        if (chosen?.group !== group) {
            group = chosen?.group ?? null;
            isFitted = false;
            for (const [, entry] of markers) entry.remove();
            markers.clear();
        }
        const shown = new Map();
        if (chosen) {
            const colour = people.colours();
            for (const member of membersOf(chosen, state.me?.user)) {
                if (!member.fix || isOnlyFriend(member, state)) continue;
                shown.set(member.user, {
                    member,
                    colour: colour.get(member.user) ?? FRIEND_COLOUR,
                    path: visiblePath(chosen, member, state.selected),
                    isSelected: state.selected === member.user,
                    isMe: member.user === state.me?.user,
                });
            }
        }
        for (const user of state.locations.keys()) {
            if (shown.has(user) || user === state.me?.user) continue;
            shown.set(user, {
                member: friendOf(user, state), colour: FRIEND_COLOUR, path: [],
                isSelected: state.selected === user, kind: "friend",
            });
        }
        for (const [user, marker] of markers) {
            if (shown.has(user)) continue;
            marker.remove();
            markers.delete(user);
        }
        for (const [user, view] of shown) {
            if (!markers.has(user)) {
                markers.set(user, makePersonMarker({
                    layer, glider, select: () => choose(user),
                }));
            }
            const marker = markers.get(user);
            marker.priority = priority(view);
            marker.update(view);
        }
        updateMe(state);
        uncover();
        if (!isFitted && !fitTimer && positions().length) {
            fitTimer = setTimeout(() => {
                fitTimer = null;
                if (!isFitted) isFitted = people.fit({ animate: false });
            }, SETTLING_MS);
        }
        follow(state);
    }

    function updateMe({ position }) {
        if (!position) {
            me.removeFrom(layer);
            meCircle.removeFrom(layer);
            return;
        }
        const at = [position.latitude, position.longitude];
        meCircle.setLatLng(at).setRadius(position.accuracy ?? 1).addTo(layer);
        me.setLatLng(at).addTo(layer);
    }

    function follow({ followed }) {
        const fix = followed && whereIs(followed)?.fix;
        const place = fix ? `${fix.latitude} ${fix.longitude}` : "";
        if (place === followedPlace) return;
        followedPlace = place;
        if (fix) lookAt([fix.latitude, fix.longitude], map.getZoom(), true);
    }

    function choose(user) {
        store.change((state) => { state.selected = user; });
        app.sheet?.open();
        if (!location.hash.startsWith("#map") && location.hash !== "") app.go("#map");
    }

    /// Places names; the more important people get theirs first.
    function uncover() {
        placeNames([...markers.values()].filter((marker) => marker.element.isConnected)
            .sort((a, b) => b.priority - a.priority));
    }

    map.on("zoomend moveend", uncover);
    map.on("dragstart", () => {
        isFitted = true;
        if (store.state.followed) people.follow(null);
    });
    map.on("zoomstart", () => glider.finish());
    const unlisten = store.listen(update);
    // A current position becomes old without any message.
    const ticker = setInterval(() => update(store.state), 15_000);
    update(store.state);
    return people;
}

function isOnlyFriend(member, { locations }) {
    return member.state === "inactive" && locations.has(member.user);
}

function priority({ member, isSelected, isMe }) {
    if (member.state === "sos") return 5;
    if (isSelected) return 4;
    if (member.warnings?.length) return 3;
    return isMe ? 1 : 2;
}

/// The path of an active journey or SOS; that of an ended SOS only if the member is selected.
function visiblePath(group, member, selected) {
    const goesOn = ["routing", "sos"].includes(member.state);
    if (!goesOn && selected !== member.user) return [];
    if (selected === member.user) loadBeginning(group, member.user);
    return pointsOf(group.paths.get(member.user));
}
