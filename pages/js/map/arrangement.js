/// Placement on the map when there is not room for everyone: crowds and their fans, names, and
/// arrows at the edge.

import { toggle } from "../dom.js";
import { makeArrows } from "./arrows.js";
import { fan, gather } from "./crowd.js";
import { makeCrowdMarker } from "./crowd-marker.js";
import { around, boxOf, freeOf, placeNames } from "./names.js";

/// More often, and names would jump about.
const PAUSE_MS = 400;
/// Half the size of a face, of a call for help, and of a crowd, including what is drawn around
/// them.
const FACE = 22;
const CALL = 26;
const CROWD = 24;
/// As in the styles.
const GAP = 2;
const CALL_GAP = 10;

/// - Parameters:
///   - go: `go(arrow)` shows people outside the visible map.
///   - taken: boxes of other things that names must not cover.
export function makeArrangement(map, { layer, glider, insets, go, isSeen, taken }) {
    const arrows = makeArrows(map, { insets, go });
    const crowdMarkers = new Map();
    let people = [];
    let position = null;
    let crowds = [];
    /// A person whose crowd is fanned out.
    let open = null;
    let selected = null;
    let timer = null;
    let arrangedAt = -Infinity;

    function arrange() {
        clearTimeout(timer);
        timer = null;
        if (!isSeen()) return;
        arrangedAt = performance.now();
        const faces = people.map((person) => {
            const { x, y } = map.latLngToLayerPoint(person.at);
            return { key: person.key, x, y, person };
        });
        crowds = gather(faces, crowds);
        const places = placesOf(crowds);
        for (const { key, person } of faces) person.marker.stand(places.get(key) ?? null);
        const marks = showCrowds();
        place(faces, places, marks);
        arrows.update(people, position);
    }

    /// Which people of a crowd are hidden in it, and the places of the others in its fan.
    function placesOf(all) {
        const places = new Map();
        for (const crowd of all) {
            const isOpen = crowd.some(({ key }) => key === open);
            const [{ x, y }] = crowd;
            const ways = isOpen ? fan(crowd.length) : [];
            crowd.forEach((face, n) => places.set(face.key, isOpen
                ? { x: x + ways[n].x - face.x, y: y + ways[n].y - face.y } : "hidden"));
        }
        return places;
    }

    function showCrowds() {
        const keys = new Set(crowds.map(([{ key }]) => key));
        for (const [key, mark] of crowdMarkers) {
            if (keys.has(key)) continue;
            mark.remove();
            crowdMarkers.delete(key);
        }
        return crowds.map((crowd) => {
            const [{ key, x, y }] = crowd;
            if (!crowdMarkers.has(key)) {
                crowdMarkers.set(key, makeCrowdMarker({ layer, glider, press: () => press(key) }));
            }
            const mark = crowdMarkers.get(key);
            const isOpen = crowd.some((face) => face.key === open);
            mark.update(crowd.map(({ person }) => person), isOpen);
            return { mark, x, y, isOpen, isSOS: crowd.some(({ person }) => person.isSOS) };
        });
    }

    /// Places the names of faces and crowds. First everything is measured, then written.
    function place(faces, places, marks) {
        const items = [
            ...marks.filter(({ isOpen }) => !isOpen).map(({ mark, x, y, isSOS }) => ({
                tag: mark.tag, x, y, reach: CROWD, gap: GAP, isFirm: isSOS, ...mark.size,
            })),
            ...faces.filter(({ key }) => places.get(key) !== "hidden").map((face) => itemOf(
                face, places.get(face.key))),
        ].sort((a, b) => Number(b.isFirm) - Number(a.isFirm));
        const flags = faces.map(({ person: { marker } }) => marker.flag)
            .filter(({ marker }) => layer.hasLayer(marker));
        const flagBoxes = flags.map((flag) => {
            const { x, y } = map.latLngToLayerPoint(flag.marker.getLatLng());
            const { width, height } = flag.size;
            return around(x, y + 18 + height / 2, width / 2, height / 2);
        });
        // People in a fan are drawn over the others, who step back for the time.
        const isFanned = (item) => item.isFanned || item.isFirm;
        const isOpen = marks.some((mark) => mark.isOpen);
        map.getContainer().classList.toggle("fan-open", isOpen);
        if (isOpen) items.sort((a, b) => Number(isFanned(b)) - Number(isFanned(a)));
        const named = isOpen ? items.filter(isFanned) : items;
        const own = taken();
        const sides = placeNames(named, own);
        const names = [...own];
        items.forEach((item, n) => {
            item.tag.classList.toggle("covered", !sides[n]);
            if (!sides[n]) return;
            toggle(item.tag, "data-side", sides[n]);
            names.push(boxOf(sides[n], item));
        });
        names.push(...items.map(({ x, y, reach }) => around(x, y, reach, reach)));
        freeOf(flagBoxes, names).forEach((isFree, n) => {
            flags[n].word.classList.toggle("covered", !isFree);
        });
    }

    function itemOf({ x, y, person }, shift) {
        const { face } = person.marker;
        return {
            tag: face.tag,
            x: x + (shift?.x ?? 0),
            y: y + (shift?.y ?? 0),
            reach: person.isSOS ? CALL : FACE,
            gap: person.isSOS ? CALL_GAP : GAP,
            isFirm: person.isSOS || person.isSelected,
            isFanned: Boolean(shift),
            ...face.size,
        };
    }

    function press(key) {
        const crowd = crowds.find(([first]) => first.key === key) ?? [];
        const isOpen = crowd.some((face) => face.key === open);
        open = isOpen ? null : key;
        arrange();
    }

    function close() {
        if (open === null) return;
        open = null;
        arrange();
    }

    function closeByKey(event) {
        if (event.key === "Escape") close();
    }

    function measureAnew() {
        for (const { marker } of people) {
            marker.face.forgetSize();
            marker.flag.forgetSize();
        }
        for (const mark of crowdMarkers.values()) mark.forgetSize();
        arrange();
    }

    /// At another zoom it does not matter who was together before.
    function zoomed() {
        crowds = [];
        arrange();
    }

    /// Names are placed clear of the buttons.
    function arrangeSoon() {
        timer ??= setTimeout(arrange, Math.max(0, arrangedAt + PAUSE_MS - performance.now()));
    }

    map.on("zoomend", zoomed);
    map.on("moveend", arrangeSoon);
    map.on("resize", measureAnew);
    map.on("click", close);
    map.getContainer().addEventListener("keydown", closeByKey);

    return {
        /// - Parameters:
        ///   - shown: the most important first: `{key,name,colour,at,marker,isSOS,isSelected,isMe,
        ///     isPast,avatar}`; `isPast`: the position is the last one the person showed.
        ///   - me: my own position, or null.
        update(shown, me) {
            const isNew = shown.length !== people.length
                || shown.some(({ key, isSOS }, n) => key !== people[n].key || isSOS !== people[n].isSOS);
            people = shown;
            position = me;
            const now = shown.find(({ isSelected }) => isSelected)?.key ?? null;
            const isChosen = now !== selected;
            // The chosen person leaves the crowd.
            if (isChosen && now !== null) open = now;
            selected = now;
            if (isNew || isChosen) return arrange();
            arrangeSoon();
        },
        arrange,
        /// The covered part of the map has changed.
        drawArrows: () => arrows.lookAnew(),
        remove() {
            clearTimeout(timer);
            map.off("zoomend", zoomed).off("moveend", arrangeSoon).off("resize", measureAnew).off("click", close);
            for (const mark of crowdMarkers.values()) mark.remove();
            arrows.remove();
        },
    };
}
