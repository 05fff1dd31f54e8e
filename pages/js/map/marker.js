/// One person on the map: a disc with initials, the accuracy circle, path and destination.

import * as L from "/leaflet/leaflet.esm.js";
import { h, toggle, write } from "../dom.js";
import { icon } from "../icons.js";
import { moment } from "../format.js";
import { describe, initials, isCurrent, isMoving } from "../member.js";
import { isLive } from "../store.js";
import { LARGEST_CIRCLE_M } from "./corners.js";

const SIZE = 44;

export function makePersonMarker({ layer, glider, select }) {
    const parts = makeIcon();
    const marker = L.marker([0, 0], {
        icon: L.divIcon({
            className: "person-icon", html: parts.element,
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

    return {
        element: parts.element,
        tag: parts.tag,
        flagTag: flag.word,

        /// `member` as on the wire, `colour`, `path`: its segments, `isSelected`, `isMe`.
        update({ member, colour, path, isSelected, isMe, kind = "member" }) {
            const { fix } = member;
            if (!fix) {
                this.remove();
                return;
            }
            const at = [fix.latitude, fix.longitude];
            const isSOS = member.state === "sos";
            const stroke = isSOS ? "#c1121f" : colour;
            if (!layer.hasLayer(marker)) {
                marker.setLatLng(at).addTo(layer);
                circle.setLatLng(at);
            }
            glider.move(marker, at, [circle]);
            marker.setZIndexOffset(isSOS ? 4000 : isSelected ? 3000
                : member.warnings.length ? 1500 : isMe ? -500 : 0);

            const accuracy = fix.accuracy ?? 0;
            show(circle, accuracy > 0 && accuracy < LARGEST_CIRCLE_M);
            circle.setRadius(accuracy);
            circle.setStyle({ color: stroke, weight: 1, fillColor: stroke, fillOpacity: 0.12 });

            parts.update({ member, colour, isSelected, isMe, kind });
            this.updatePath({ member, path, stroke, at });
        },

        updatePath({ member, path, stroke, at }) {
            const points = path ?? [];
            show(edge, points.length > 0);
            show(line, points.length > 0);
            if (points.length) {
                const goesOn = ["routing", "sos"].includes(member.state);
                // From the person's current position, backwards.
                const whole = theShortWay((goesOn ? [...points, at] : [...points]).reverse());
                edge.setLatLngs(whole);
                line.setLatLngs(whole).setStyle({ color: stroke });
            }
            const destination = member.state === "routing" ? member.journey?.destination : null;
            show(rest, Boolean(destination));
            show(flag.marker, Boolean(destination));
            show(flag.area, Boolean(destination));
            if (!destination) return;
            const [, goal] = theShortWay([at, [destination.latitude, destination.longitude]]);
            rest.setLatLngs([at, goal]).setStyle({ color: stroke });
            flag.update(goal, destination, member, stroke);
        },

        priority: 0,

        remove() {
            glider.stop(marker);
            for (const part of [marker, circle, edge, line, rest, flag.marker, flag.area]) {
                part.removeFrom(layer);
            }
        },
    };

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

function makeIcon() {
    const disc = h("span", { class: "disc" });
    const course = h("span", { class: "course", hidden: true });
    const mark = h("span", { class: "mark", hidden: true });
    const name = h("span", { class: "tag-name" });
    const word = h("span", { class: "tag-word" });
    const tag = h("span", { class: "tag" }, name, word);
    const element = h("div", { class: "person-marker", "aria-hidden": "true" },
        h("span", { class: "ring" }), h("span", { class: "ring second" }), course, disc, mark, tag);
    let shownMark = "";
    return {
        element,
        tag,
        update({ member, colour, isSelected, isMe, kind }) {
            const { label, warnings } = describe(member);
            element.dataset.state = member.state;
            element.dataset.kind = kind;
            const isKnown = isLive();
            const isMember = kind === "member";
            toggle(element, "data-old", isMember && !(isKnown && isCurrent(member)));
            toggle(element, "data-offline", isMember && isKnown && !member.online);
            toggle(element, "data-selected", isSelected);
            element.style.setProperty("--person", colour);
            write(disc, member.state === "sos" ? "SOS" : initials(member.name));
            write(name, isMe ? `${member.name} (you)` : member.name);
            const words = [];
            if (member.state === "sos") words.push(label);
            if (kind === "friend") words.push("Friend");
            words.push(...warnings);
            if (isMember && member.state === "inactive") {
                words.push(`Last position, ${moment(member.fix.timestamp)}`);
            } else if (isMember && !isKnown) {
                words.push("Not known now");
            } else if (isMember && !member.online && !warnings.includes("Offline")) {
                words.push("Offline");
            }
            write(word, words.join(", "));
            word.hidden = words.length === 0;
            toggle(word, "data-tone", member.state === "sos" || warnings.length ? "warning" : null);
            const isGoing = member.online && isMoving(member.fix);
            course.hidden = !isGoing;
            if (isGoing) course.style.transform = `rotate(${member.fix.heading}deg)`;
            const wanted = warnings.length ? "warning" : member.state === "routing" ? "flag" : "";
            if (wanted !== shownMark) {
                shownMark = wanted;
                mark.replaceChildren(...(wanted ? [icon(wanted, 14)] : []));
                mark.hidden = !wanted;
            }
        },
    };
}

function makeFlag() {
    const word = h("span", { class: "flag-word" });
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
    return {
        marker,
        area,
        word,
        update(at, destination, member, colour) {
            marker.setLatLng(at);
            area.setLatLng(at).setRadius(destination.radius ?? 50).setStyle({
                color: colour, weight: 1.5, dashArray: "4 4", fillColor: colour, fillOpacity: 0.08,
            });
            element.style.setProperty("--person", colour);
            write(word, destination.name ? `${destination.name} (${member.name})` : member.name);
        },
    };
}
