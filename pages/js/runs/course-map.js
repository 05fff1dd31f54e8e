/// A course and its runners on a map.

import { t } from "../language.js";
import * as L from "/leaflet/leaflet.esm.js";
import { makeMap } from "../map/base.js";
import { runnerName } from "./words.js";

const PADDING = [30, 30];
/// With more their numbers would cover the map.
const MOST_LABELS = 30;

export function makeCourseMap(element, { chosen = () => {} } = {}) {
    const map = makeMap(element);
    const canvas = L.canvas({ padding: 0.3 });
    const dots = new Map();
    let line = null;
    let labels = false;

    function dotOf(bib) {
        let dot = dots.get(bib);
        if (dot) return dot;
        dot = L.circleMarker([0, 0], {
            renderer: canvas, radius: 7, weight: 2, color: "#ffffff", fillOpacity: 1,
        });
        dot.on("click", () => chosen(bib));
        dots.set(bib, dot);
        return dot;
    }

    return {
        map,
        show(course) {
            line?.remove();
            line = L.polyline(course.points, {
                renderer: canvas, color: "#0d6657", weight: 5, interactive: false,
            }).addTo(map).bringToBack();
            const [start, end] = [course.points[0], course.points[course.points.length - 1]];
            const isLoop = start[0] === end[0] && start[1] === end[1];
            const marks = [[start, t("Start")], ...(isLoop ? [] : [[end, t("Finish")]])];
            for (const [place, word] of marks) {
                L.circleMarker(place, { radius: 5, color: "#17201d", fillOpacity: 1 })
                    .bindTooltip(word, { permanent: true, direction: "top", className: "bib" })
                    .addTo(map);
            }
            map.fitBounds(line.getBounds(), { padding: PADDING });
        },
        /// - Parameters:
        ///   - runners: `{runner,at}`: `at` is `[latitude,longitude]`.
        ///   - followed: a bib, or null.
        place(runners, followed) {
            const there = new Set(runners.map(({ runner }) => runner.bib));
            for (const [bib, dot] of dots) {
                if (there.has(bib)) continue;
                dot.remove();
                dots.delete(bib);
            }
            const hasLabels = runners.length <= MOST_LABELS;
            if (hasLabels !== labels) for (const dot of dots.values()) dot.unbindTooltip();
            labels = hasLabels;
            for (const { runner, at } of runners) {
                const isFollowed = runner.bib === followed;
                const dot = dotOf(runner.bib);
                dot.setLatLng(at).setStyle({ fillColor: isFollowed ? "#b5121e" : "#0d6657" });
                dot.setRadius(isFollowed ? 10 : 7);
                dot.addTo(map);
                if (isFollowed) dot.bringToFront();
                if ((hasLabels || isFollowed) && !dot.getTooltip()) {
                    dot.bindTooltip(String(runner.bib), {
                        permanent: true, direction: "top", className: "bib",
                    });
                }
                dot.getElement?.()?.setAttribute("aria-label", runnerName(runner));
            }
            const mine = runners.find(({ runner }) => runner.bib === followed);
            if (mine && !map.getBounds().contains(mine.at)) map.panTo(mine.at);
        },
        remove() { map.remove(); },
    };
}
