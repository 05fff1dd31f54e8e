/// The people on the map: the members of the chosen group, friends who share, and myself.

import * as L from "/leaflet/leaflet.esm.js";
import { ownPosition } from "../help/where.js";
import { colours, friendOf } from "../member.js";
import { sosRequest } from "../sos-request.js";
import { chosenGroup, store } from "../store.js";
import { makeArrangement } from "./arrangement.js";
import { callsOf, makeCallsInView } from "./calls-in-view.js";
import { cornersOf } from "./corners.js";
import { makeFitting } from "./fitting.js";
import { makeGlider } from "./glide.js";
import { makePersonMarker } from "./marker.js";
import { makeOwnPlace } from "./own-place.js";
import { isOnlyFriend, shownPeople } from "./shown.js";

/// Retained states come as many messages; the first fit of the map waits until they are in.
const SETTLING_MS = 500;
const NEAR_ZOOM = 15;
/// As in the styles.
const NARROW = window.matchMedia(
    "(max-width: 599px), (max-width: 899px) and (orientation: portrait)");
/// On a narrow screen all other views cover the map.
const MAP_VIEWS = ["map", "places"];

export function makePeople(app) {
    const { map } = app;
    const glider = makeGlider(map);
    const layer = L.layerGroup().addTo(map);
    const markers = new Map();
    const ownPlace = makeOwnPlace(layer);
    let isFitted = false;
    let fitTimer = null;
    let group = null;
    let followedPlace = "";
    let insets = { left: 0, bottom: 0 };
    let view = "map";
    /// Whether a change was not drawn because it was not visible.
    let isOld = false;
    const fitting = makeFitting(map, () => insets);
    const arrangement = makeArrangement(map, {
        layer, glider, insets: () => insets, go, isSeen,
        taken: () => [...ownPlace.boxes(map), ...fitting.hiding()],
    });
    const calls = makeCallsInView(map, fitting);

    const people = {
        /// Sets how many pixels of each map edge are covered, and whether all of it is; the views
        /// call it.
        setInsets(value) {
            insets = { ...insets, ...value };
            fitting.layOut();
            look();
            arrangement.drawArrows();
            calls.laidOut();
        },

        /// Sets the shown view: on a narrow screen most of them cover the map.
        setView(name) {
            view = name;
            look();
        },

        /// Fits the map to everyone who has a position.
        fit({ animate = true } = {}) {
            const points = positions();
            if (points.length === 0) return false;
            fitting.fit(points, { animate });
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

        /// - Parameter user: the person at the place; none by default.
        lookAt({ latitude, longitude, user }) {
            isFitted = true;
            if (!calls.show(user)) lookAt([latitude, longitude], Math.max(map.getZoom(), NEAR_ZOOM), true);
        },

        /// Shows a place with what is around it: `{latitude,longitude,radius?}`, in metres.
        showArea({ latitude, longitude, radius = 0 }) {
            people.showAll([{ latitude, longitude, accuracy: radius }]);
        },

        /// Fits the map to points.
        showAll(points) {
            isFitted = true;
            fitting.fit(points.flatMap(cornersOf));
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
            unlistenCall();
            document.removeEventListener("visibilitychange", look);
            NARROW.removeEventListener("change", look);
            arrangement.remove();
            calls.remove();
            fitting.remove();
            glider.remove();
            layer.remove();
        },
    };

    /// The known state of a user; for a member who does not share with the group, the state as a
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

    /// Close, but never so close that part of the accuracy circle is out of sight.
    function zoomOn(fix) {
        const whole = map.getBoundsZoom(L.latLngBounds(cornersOf(fix)));
        return whole < NEAR_ZOOM ? whole : Math.max(map.getZoom(), NEAR_ZOOM);
    }

    /// Centres the point in the part of the map that is not covered.
    function lookAt(point, zoom, animate) {
        const shift = L.point(-insets.left / 2, insets.bottom / 2);
        const target = map.unproject(map.project(point, zoom).add(shift), zoom);
        map.setView(target, zoom, { animate });
    }

    function isSeen() {
        return !document.hidden
            && !(NARROW.matches && (insets.isCovered || !MAP_VIEWS.includes(view)));
    }

    /// Draws changes made while the map was not visible.
    function look() {
        if (isOld && isSeen()) update(store.state);
    }

    function update(state) {
        const chosen = chosenGroup(state);
        if (chosen?.group !== group) {
            group = chosen?.group ?? null;
            isFitted = false;
            for (const [, entry] of markers) entry.marker.remove();
            markers.clear();
        }
        const called = callsOf(state);
        // Calls for help take precedence over the first fit.
        isFitted ||= called.key !== "";
        if (!isFitted && !fitTimer && positions().length) {
            fitTimer = setTimeout(() => {
                fitTimer = null;
                if (!isFitted) isFitted = people.fit({ animate: false });
            }, SETTLING_MS);
        }
        isOld = !isSeen();
        if (isOld) return;
        const shown = shownPeople(state, people.colours());
        for (const [user, { marker }] of markers) {
            if (shown.has(user)) continue;
            marker.remove();
            markers.delete(user);
        }
        for (const [user, wanted] of shown) draw(user, wanted);
        const isMe = shown.has(state.me?.user);
        ownPlace.update(state.position, isMe);
        arrangement.update([...shown].map(([user, wanted]) => ({
            key: user,
            name: wanted.member.name,
            avatar: wanted.member.avatar,
            colour: wanted.colour,
            at: markers.get(user).marker.at,
            marker: markers.get(user).marker,
            isSOS: wanted.member.state === "sos",
            isSelected: wanted.isSelected,
            isMe: wanted.isMe,
            isPast: wanted.member.state === "inactive",
        })), ownPosition(state));
        follow(state);
        calls.update(called);
    }

    /// Redraws a person if anything about them has changed.
    function draw(user, wanted) {
        const entry = markers.get(user) ?? {
            marker: makePersonMarker({ layer, glider, select: () => choose(user) }), shown: {},
        };
        markers.set(user, entry);
        const isSame = Object.keys(wanted).every((name) => entry.shown[name] === wanted[name]);
        if (isSame) return;
        entry.shown = wanted;
        entry.marker.update(wanted);
    }

    /// Goes to the people of an arrow at the edge.
    function go({ people: far, isSOS }) {
        isFitted = true;
        if (store.state.followed) people.follow(null);
        if (isSOS) {
            store.change((state) => { state.selected = far[0].key; });
            people.show(far[0].key);
        } else if (far.length === 1) {
            lookAt(far[0].at, map.getZoom(), true);
        } else {
            fitting.fit(far.map(({ at }) => at), { closest: map.getZoom() });
        }
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

    map.on("dragstart", () => {
        isFitted = true;
        if (store.state.followed) people.follow(null);
    });
    const unlistenCall = sosRequest.listen(() => calls.update(callsOf(store.state)));
    document.addEventListener("visibilitychange", look);
    NARROW.addEventListener("change", look);
    const unlisten = store.listen(update);
    // A current position becomes old without any message.
    const ticker = setInterval(() => update(store.state), 15_000);
    update(store.state);
    return people;
}
