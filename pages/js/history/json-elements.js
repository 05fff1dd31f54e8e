/// Streams the objects of a large JSON file without reading it as a whole: those in an array that is
/// the file itself or a member of it.

import { t } from "../language.js";
import { HistoryFileError } from "./error.js";

/// Characters of one object: a day in Google's files has some tens of thousands.
const ELEMENT_MAX = 16 * 1024 * 1024;
const DEPTH_MAX = 64;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OBJECT, OBJECT_END, ARRAY, ARRAY_END] = [0x7b, 0x7d, 0x5b, 0x5d];

/// - Parameter chunks: the text, in pieces.
export async function* elementsOf(chunks) {
    /// The open objects and arrays, from the outermost.
    const open = [];
    let [isString, isEscaped] = [false, false];
    /// The depth of the element's parent; null outside elements.
    let parent = null;
    let element = "";
    let isBegun = false;
    for await (const chunk of chunks) {
        let from = 0;
        for (let at = 0; at < chunk.length; at += 1) {
            const code = chunk.charCodeAt(at);
            if (isString) {
                if (isEscaped) isEscaped = false;
                else if (code === BACKSLASH) isEscaped = true;
                else if (code === QUOTE) isString = false;
                continue;
            }
            if (code === QUOTE) {
                isString = true;
            } else if (code === OBJECT || code === ARRAY) {
                if (isBegun && open.length === 0) throw damaged();
                const isElement = code === OBJECT && parent === null && open.at(-1) === ARRAY
                    && (open.length === 1 || (open.length === 2 && open[0] === OBJECT));
                if (isElement) [parent, from] = [open.length, at];
                open.push(code);
                isBegun = true;
                if (open.length > DEPTH_MAX) throw damaged();
            } else if (code === OBJECT_END || code === ARRAY_END) {
                if (open.pop() !== (code === OBJECT_END ? OBJECT : ARRAY)) throw damaged();
                if (open.length !== parent) continue;
                yield parse(element + chunk.slice(from, at + 1));
                [parent, element] = [null, ""];
            } else if (code > 0x20 && code !== COMMA && open.length === 0) {
                throw damaged();
            }
        }
        if (parent === null) continue;
        element += chunk.slice(from);
        if (element.length > ELEMENT_MAX) throw damaged();
    }
    if (open.length > 0 || isString || !isBegun) {
        throw new HistoryFileError(t("The file is cut off: it was not saved completely."));
    }
}

function parse(text) {
    try {
        return JSON.parse(text);
    } catch {
        throw damaged();
    }
}

function damaged() {
    return new HistoryFileError(t("The file is damaged: this is not JSON."));
}
