/// The height profile of a course, with a runner's position.

import { h, svg } from "../dom.js";
import { distance, number } from "../format.js";
import { t } from "../language.js";

const [WIDTH, HEIGHT] = [1_000, 100];

/// Returns `{element,mark(metres)}`; null if the heights are not known.
export function makeProfile(course) {
    if (course.heights.length < 2) return null;
    const heights = course.heights.map(({ height }) => height);
    const [low, high] = [Math.min(...heights), Math.max(...heights)];
    const x = (metres) => (metres / course.lap) * WIDTH;
    const y = (height) => HEIGHT - 8 - ((height - low) / Math.max(10, high - low)) * (HEIGHT - 20);
    const line = course.heights.map(({ metres, height }) => `${x(metres)},${y(height)}`).join(" L");
    const dot = svg("circle", { class: "runner", r: 8, hidden: true });
    const words = t("The course is {distance} long and between {low} and {high} m high.", {
        distance: distance(course.length), low: number(Math.round(low)), high: number(Math.round(high)),
    });
    const element = h("figure", { class: "run-profile" },
        svg("svg", {
            viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img",
            "aria-label": words,
        }, svg("path", { class: "ground", d: `M0,${HEIGHT} L${line} L${WIDTH},${HEIGHT} Z` }), dot),
        h("figcaption", { class: "small muted" }, words));
    return {
        element,
        mark(metres) {
            if (metres === null || metres === undefined) {
                dot.setAttribute("hidden", "");
                return;
            }
            const rest = metres >= course.length ? course.lap : metres % course.lap;
            const index = Math.max(1, course.heights.findIndex((place) => place.metres >= rest));
            dot.removeAttribute("hidden");
            dot.setAttribute("cx", x(rest));
            dot.setAttribute("cy", y(course.heights[index].height));
        },
    };
}
