/// Arrows at the map's edge to people outside it, so that no one leaves unnoticed.

import * as L from "/leaflet/leaflet.esm.js";
import { isolate } from "../bidi.js";
import { bearingBetween, metresBetween } from "../geodesy.js";
import { h, keyed, toggle, write } from "../dom.js";
import { bearing, distance } from "../format.js";
import { t, tn } from "../language.js";
import { initials } from "../member.js";
import { makePicture } from "./face.js";
import { avatarUrl } from "../avatar.js";
import { isInside, placeArrows } from "./edges.js";
import { around, overlaps } from "./names.js";

/// Elements hidden where they would cover a person.
const SOFT = ".leaflet-control-scale, .map-note, .map-credit";
/// How long until the boxes an arrow must not cover are measured again.
const LOOKED_MS = 1_000;
/// Half the size of a face, and the distance from its middle to a name below it: arrows cover no
/// face, and no name of a call for help.
const FACE = 28;
const NAME = 36;
/// A face of which a button or the edge covers this much around its middle counts as hidden.
const HALF = 14;
const NO_SIZES = { usual: { width: 64, height: 66 }, sos: { width: 220, height: 60 } };

/// - Parameters:
///   - insets: how many pixels of each edge are covered, `{left,bottom}`.
///   - go: `go(people)` shows them.
export function makeArrows(map, { insets, go }) {
    const area = map.getContainer().parentElement;
    const element = h("div", {
        class: "edge-arrows", role: "group", "aria-label": t("Off the map"),
    });
    area.append(element);
    const show = keyed(element, () => makeArrow(press), ({ key }) => key);
    let people = [];
    let position = null;
    let sizes = NO_SIZES;
    let blocked = [];
    /// The elements that step back where they would cover a person, with their boxes.
    let soft = [];
    let lookedAt = -Infinity;
    let isMeasured = false;
    let frame = null;

    function press(arrow) {
        // It disappears while focused.
        if (element.contains(document.activeElement)) {
            map.getContainer().focus({ preventScroll: true });
        }
        go(arrow);
    }

    /// The elements covering the map: buttons, boxes and notes.
    function look() {
        const now = performance.now();
        if (now - lookedAt < LOOKED_MS) return;
        lookedAt = now;
        const { left, top } = area.getBoundingClientRect();
        const boxOf = (each) => {
            const box = each.getBoundingClientRect();
            return {
                element: each, left: box.left - left, top: box.top - top,
                right: box.right - left, bottom: box.bottom - top,
            };
        };
        const find = (query) => [...area.querySelectorAll(query)].map(boxOf)
            .filter((box) => box.right > box.left && box.bottom > box.top);
        soft = find(SOFT);
        blocked = find(":scope > :not(.map, .edge-arrows, .cross), .leaflet-control-zoom");
        isMeasured = false;
    }

    /// With other sizes the arrows are placed elsewhere.
    function measure() {
        isMeasured = true;
        const before = JSON.stringify(sizes);
        for (const [kind, query] of [["usual", ":not([data-sos])"], ["sos", "[data-sos]"]]) {
            const arrow = element.querySelector(`.edge-arrow${query}`);
            if (arrow) sizes = { ...sizes, [kind]: { width: arrow.offsetWidth, height: arrow.offsetHeight } };
        }
        if (JSON.stringify(sizes) !== before) drawSoon();
    }

    function draw() {
        cancelAnimationFrame(frame);
        frame = null;
        const { x: width, y: height } = map.getSize();
        const covered = insets();
        const picture = {
            left: covered.left, top: 0, right: width, bottom: height - covered.bottom,
        };
        if (picture.right <= picture.left || picture.bottom <= picture.top) return show([]);
        look();
        const { outside, faces, names } = sorted(picture);
        for (const { element: each, ...box } of soft) {
            each.classList.toggle("covering", [...faces, ...names].some((other) => overlaps(other, box)));
        }
        const from = origin(picture);
        const others = [...blocked, ...faces, ...soft.filter(({ element: each }) =>
            !each.classList.contains("covering"))];
        const views = placeArrows(picture, nearestFirst(outside, from), sizes, others)
            .map((arrow) => ({
                ...arrow, from, key: arrow.people[0].key,
            }));
        show(views);
        // Half a face at the edge with its arrow over it shows neither.
        const pointed = new Set(views.flatMap((arrow) => arrow.people.map(({ key }) => key)));
        for (const { key, marker } of people) marker.hide(pointed.has(key));
        if (!isMeasured && views.length > 0) measure();
    }

    /// The people outside the map or under a button, and the boxes of the others' faces and names.
    function sorted(picture) {
        const middle = map.getCenter();
        const inner = {
            left: picture.left + HALF, top: picture.top + HALF,
            right: picture.right - HALF, bottom: picture.bottom - HALF,
        };
        const [outside, faces, names] = [[], [], []];
        for (const person of people) {
            // The shorter way around the world.
            const [latitude, longitude] = person.at;
            const near = longitude + 360 * Math.round((middle.lng - longitude) / 360);
            const { x, y } = map.latLngToContainerPoint([latitude, near]);
            const isCovered = blocked.some((box) => overlaps(box, around(x, y, HALF, HALF)));
            if (isInside(inner, { x, y }) && !isCovered) {
                faces.push(...boxesOf({ ...person, x, y }));
                names.push(nameBox({ ...person, x, y }));
            } else if (!person.isMe && !person.isPast) {
                outside.push({ ...person, x, y });
            }
        }
        return { outside, faces, names };
    }

    /// The origin of distances: me, as on the card; if my position is not known, the middle of the
    /// map.
    function origin(picture) {
        if (position) return position;
        const { lat, lng } = map.containerPointToLatLng(L.point(
            (picture.left + picture.right) / 2, (picture.top + picture.bottom) / 2)).wrap();
        return { latitude: lat, longitude: lng };
    }

    function drawSoon() {
        frame ??= requestAnimationFrame(draw);
    }

    function lookAnew() {
        lookedAt = -Infinity;
        drawSoon();
    }

    map.on("move zoomend", drawSoon);
    map.on("resize", lookAnew);
    return {
        /// - Parameters:
        ///   - shown: the people on the map,
        ///     `{key,name,colour,at,marker,isSOS,isMe,isPast,avatar}`.
        ///   - me: my own position, or null.
        update(shown, me) {
            people = shown;
            position = me;
            draw();
        },
        /// The covered part of the map has changed.
        lookAnew,
        remove() {
            cancelAnimationFrame(frame);
            map.off("move zoomend", drawSoon).off("resize", lookAnew);
            element.remove();
        },
    };
}

function boxesOf(person) {
    const face = around(person.x, person.y, FACE, FACE);
    return person.isSOS ? [face, nameBox(person)] : [face];
}

function nameBox({ x, y, marker }) {
    const { width, height } = marker.face.size;
    return around(x, y + NAME + height / 2, width / 2, height / 2);
}

function nearestFirst(people, from) {
    return people.map((person) => ({ ...person, metres: metresBetween(from, fixOf(person)) }))
        .sort((a, b) => a.metres - b.metres);
}

const fixOf = ({ at: [latitude, longitude] }) => ({ latitude, longitude });

function makeArrow(press) {
    let arrow = null;
    const pointer = h("span", { class: "edge-pointer" });
    const letters = h("span", { class: "letters" });
    const disc = h("span", { class: "disc" }, letters);
    const picture = makePicture(disc);
    const name = h("span", { class: "edge-name", dir: "auto" });
    const way = h("span", { class: "edge-way" });
    const element = h("button", {
        type: "button", class: "edge-arrow", onclick: () => press(arrow),
    }, h("span", { class: "edge-face" }, pointer, disc), h("span", { class: "edge-words" }, name, way));
    return {
        element,
        update(view) {
            arrow = view;
            const { people, from, isSOS, x, y, angle } = view;
            const [first] = people;
            const far = distance(first.metres);
            const where = bearing(bearingBetween(from, fixOf(first)));
            const isMany = people.length > 1;
            toggle(element, "data-sos", isSOS);
            element.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
            pointer.style.rotate = `${angle.toFixed(2)}rad`;
            disc.style.setProperty("--person", isMany ? "var(--ink)" : first.colour);
            toggle(disc, "data-many", isMany);
            write(letters, isSOS ? t("SOS") : isMany ? String(people.length) : initials(first.name));
            picture.show(!isSOS && !isMany && first.avatar ? avatarUrl(first.key, first.avatar) : "");
            write(name, isSOS ? first.name : "");
            write(way, isSOS ? t("{distance} {direction}", { distance: far, direction: where }) : far);
            const values = { name: isolate(first.name), distance: far, direction: where };
            toggle(element, "aria-label", isSOS
                ? t("SOS: {name}, {distance} {direction}. Show on the map", values)
                : isMany
                    ? tn(people.length, "1 person off the map",
                        "{count} people off the map, the nearest {distance} {direction}", values)
                    : t("{name}, {distance} {direction}. Show on the map", values));
        },
    };
}
