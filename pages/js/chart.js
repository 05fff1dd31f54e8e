/// Bar charts, with a text alternative.

import { h, svg } from "./dom.js";

const HEIGHT = 80;
const WIDTH = 20;

/// - Parameters:
///   - bars: `{label,value,words?}`; a value of null leaves a gap; `words` describe the value.
///   - ends: the labels below the first and the last bar.
export function barChart({ title, note = "", bars, ends, lowest = 0 }) {
    const known = bars.filter(({ value }) => value !== null);
    const most = Math.max(...known.map(({ value }) => value - lowest), 1);
    const words = ({ label, value, words: said }) => `${label}: ${said ?? value}`;
    return h("figure", { class: "chart" },
        h("figcaption", null, h("strong", null, title), note && ` · ${note}`),
        svg("svg", {
            viewBox: `0 0 ${bars.length * WIDTH} ${HEIGHT}`, role: "img", preserveAspectRatio: "none",
            "aria-label": `${title}. ${known.map(words).join(", ")}`,
        }, bars.map((bar, index) => {
            const length = bar.value === null ? 0 : ((bar.value - lowest) / most) * HEIGHT;
            return svg("rect", {
                x: index * WIDTH + 1, y: HEIGHT - length, width: WIDTH - 2, height: length,
            }, bar.value === null ? null : svg("title", null, words(bar)));
        })),
        h("p", { class: "chart-axis small muted", "aria-hidden": "true" },
            ends.map((end) => h("span", null, end))));
}
