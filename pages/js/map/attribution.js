/// The attribution of the tiles, from the configuration: text, and links to web pages; no other
/// HTML.

import { h } from "../dom.js";

const LINK = /<a\s[^>]*?href=["'](https?:\/\/[^"']+)["'][^>]*>([^<]*)<\/a>/gi;
const ENTITIES = { copy: "©", amp: "&", lt: "<", gt: ">", quot: "\"", nbsp: " " };

export function attribution(words) {
    const parts = [];
    let end = 0;
    for (const match of (words ?? "").matchAll(LINK)) {
        parts.push(plain(words.slice(end, match.index)));
        parts.push(h("a", {
            href: plain(match[1]), target: "_blank", rel: "noopener noreferrer",
        }, plain(match[2])));
        end = match.index + match[0].length;
    }
    parts.push(plain((words ?? "").slice(end)));
    return parts;
}

function plain(text) {
    return text.replace(/<[^>]*>/g, "")
        .replace(/&(\w+);/g, (whole, name) => ENTITIES[name] ?? whole);
}
