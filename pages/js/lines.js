/// Lines of text that stay in place while their content changes.

import { h, keyed, write } from "./dom.js";

/// - Returns: `show(lines)`, each `{text,kind?}`; the kind is its class: `help-warning` and so on.
export function makeLines(element) {
    const show = keyed(element, () => {
        const line = h("p");
        return {
            element: line,
            update({ text, kind }) {
                write(line, text);
                line.className = kind ? `help-${kind}` : "";
            },
        };
    }, ({ key }) => key);
    return (lines) => show(lines.filter(({ text }) => text)
        .map((line, index) => ({ key: `${index}`, ...line })));
}
