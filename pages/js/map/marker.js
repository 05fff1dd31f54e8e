/// One person on the map: the face, the circle they are in, path and destination.

import * as L from "/leaflet/leaflet.esm.js";
import { isolate } from "../bidi.js";
import { h, write } from "../dom.js";
import { icon } from "../icons.js";
import { t } from "../language.js";
import { circleOf } from "./corners.js";
import { makeFace } from "./face.js";

const SIZE = 44;

export function makePersonMarker({ layer, glider, select }) {
    const face = makeFace(select);
    const marker = L.marker([0, 0], {
        icon: L.divIcon({
            className: "person-icon face-icon", html: face.element,
            iconSize: [SIZE, SIZE], iconAnchor: [SIZE / 2, SIZE / 2],
        }),
        keyboard: false,
        riseOnHover: true,
    });
    marker.on("click", () => select());
    const circle = L.circle([0, 0], { radius: 1, interactive: false, className: "accuracy" });
    const edge = L.polyline([], { interactive: false, className: "path-edge", weight: 8 });
    const line = L.polyline([], { interactive: false, className: "path-line", weight: 4 });
    const rest = L.polyline([], {
        interactive: false, className: "path-rest", weight: 2, dashArray: "2 8",
    });
    const flag = makeFlag();
    let shownPath = null;
    let shownAccuracy = null;
    let height = 0;
    let isFanned = false;

    const person = {
        face,
        flag,
        at: [0, 0],

        /// `member` as on the wire, `colour`, `path`: its points, `isSelected`, `isMe`, `isKnown`:
        /// the shown state is current, `isCurrent`: so is the position.
        update(view) {
            const { member, colour, path, isSelected, isMe } = view;
            const { fix } = member;
            const at = [fix.latitude, fix.longitude];
            person.at = at;
            const isSOS = member.state === "sos";
            const stroke = isSOS ? "#c1121f" : colour;
            if (!layer.hasLayer(marker)) marker.setLatLng(at).addTo(layer);
            glider.move(marker, at);
            height = isSOS ? 4000 : isSelected ? 3000 : member.warnings.length ? 1500 : isMe ? -500 : 0;
            lift();
            drawCircle(at, circleOf(fix), stroke);
            face.update(view);
            drawPath({ member, path, stroke, at });
        },

        /// Whether an arrow at the map's edge represents this person.
        hide(isHidden) {
            face.element.classList.toggle("beyond", isHidden);
        },

        /// As `stand` of the face.
        stand(place) {
            face.stand(place);
            isFanned = Boolean(place) && place !== "hidden";
            lift();
        },

        remove() {
            for (const part of [marker, circle, edge, line, rest, flag.marker, flag.area]) {
                part.removeFrom(layer);
            }
        },
    };
    return person;

    function lift() {
        const wanted = isFanned ? height + 10_000 : height;
        if (marker.options.zIndexOffset !== wanted) marker.setZIndexOffset(wanted);
    }

    function drawCircle(at, radius, color) {
        const wanted = JSON.stringify([at, radius, color]);
        if (wanted === shownAccuracy) return;
        shownAccuracy = wanted;
        if (radius === 0) return void circle.removeFrom(layer);
        circle.options.radius = radius;
        circle.setLatLng(at).setRadius(radius);
        if (circle.options.color !== color || !layer.hasLayer(circle)) {
            circle.setStyle({ color, weight: 1, fillColor: color, fillOpacity: 0.12 });
        }
        show(circle, true);
    }

    function drawPath({ member, path, stroke, at }) {
        const destination = member.state === "routing" ? member.journey?.destination : null;
        // The position matters to a path only while it continues.
        const wanted = path.length || destination
            ? [path, member.state, stroke, member.name, JSON.stringify([at, destination])] : [];
        if (shownPath && wanted.length === shownPath.length
            && wanted.every((each, n) => each === shownPath[n])) return;
        shownPath = wanted;
        show(edge, path.length > 0);
        show(line, path.length > 0);
        if (path.length) {
            const goesOn = ["routing", "sos"].includes(member.state);
            // From the person's current position, backwards.
            const whole = theShortWay((goesOn ? [...path, at] : [...path]).reverse());
            edge.setLatLngs(whole);
            line.setLatLngs(whole).setStyle({ color: stroke });
        }
        show(rest, Boolean(destination));
        show(flag.marker, Boolean(destination));
        show(flag.area, Boolean(destination));
        if (!destination) return;
        const [, goal] = theShortWay([at, [destination.latitude, destination.longitude]]);
        rest.setLatLngs([at, goal]).setStyle({ color: stroke });
        flag.update(goal, destination, member, stroke);
    }

    function show(part, isShown) {
        if (isShown && !layer.hasLayer(part)) part.addTo(layer);
        if (!isShown && layer.hasLayer(part)) part.removeFrom(layer);
    }
}

/// Continues lines across ±180° instead of drawing them around the world.
function theShortWay(points) {
    let last = points[0]?.[1] ?? 0;
    return points.map(([latitude, longitude]) => {
        last = longitude + 360 * Math.round((last - longitude) / 360);
        return [latitude, last];
    });
}

function makeFlag() {
    const word = h("span", { class: "flag-word", dir: "auto" });
    const pole = h("span", { class: "flag-pole" }, icon("flag", 20));
    const element = h("div", { class: "flag-marker", "aria-hidden": "true" }, pole, word);
    const marker = L.marker([0, 0], {
        icon: L.divIcon({
            className: "person-icon", html: element, iconSize: [32, 32], iconAnchor: [16, 16],
        }),
        keyboard: false,
        interactive: false,
        zIndexOffset: -1000,
    });
    const area = L.circle([0, 0], { radius: 50, interactive: false, className: "arrival" });
    let size = null;
    return {
        marker,
        area,
        word,
        get size() {
            size ??= { width: word.offsetWidth, height: word.offsetHeight };
            return size;
        },
        forgetSize() {
            size = null;
        },
        update(at, destination, member, colour) {
            marker.setLatLng(at);
            area.setLatLng(at).setRadius(destination.radius ?? 50).setStyle({
                color: colour, weight: 1.5, dashArray: "4 4", fillColor: colour, fillOpacity: 0.08,
            });
            element.style.setProperty("--person", colour);
            const text = destination.name
                ? t("{place} ({name})", {
                    place: isolate(destination.name), name: isolate(member.name),
                })
                : member.name;
            if (word.textContent !== text) size = null;
            write(word, text);
        },
    };
}
