/// The page's texts, in the reader's language. The English text is the key: code has
/// `t("Stop sharing")`, and `languages/de.json` has `{"Stop sharing": "Nicht mehr teilen"}`.
///
/// A text missing from a catalogue stays English. Values in braces are filled in:
/// `t("{name} can see you", { name })`. If the words depend on a number, the catalogue has a form for
/// each plural category of the language: `{"{count} members": {"one": …, "other": …}}`.
///
/// A document in a single language declares it: `<html data-language="en">`.
///
/// The module waits for its catalogue, so importing modules can use `t` immediately. The browser keeps
/// the catalogue, for the next start, for one without a network, and for `sw-push.js`.

import { readStored, writeStored } from "./storage.js";

/// Each under its own name, as a reader looks for it.
export const LANGUAGES = {
    en: "English", de: "Deutsch", it: "Italiano", fr: "Français", es: "Español", ar: "العربية",
};
const FROM_RIGHT = ["ar"];
const KEY = "kith.language";
/// The cache with the catalogue in use, and its address there.
const CACHE = "language";
const KEPT = "/languages/kept.json";

/// The language of a document that exists in no other.
const only = document.documentElement.dataset.language;

/// The code of the language in use.
export const language = choose();
const catalogue = await load(language);
const plurals = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(language);

const isFromRight = FROM_RIGHT.includes(language);
/// Letters of the other writing direction.
const OTHER_WAY = isFromRight ? /\p{Script=Latin}/u : /[\p{Script=Hebrew}\p{Script=Arabic}]/u;

document.documentElement.lang = language;
document.documentElement.dir = isFromRight ? "rtl" : "ltr";

/// A text with its values.
export function t(text, values) {
    const said = catalogue[text];
    return fill(typeof said === "string" ? said : text, values);
}

/// English texts from the service: the first in the catalogue, otherwise the first non-empty one.
export function said(...texts) {
    const known = texts.find((text) => typeof catalogue[text] === "string");
    return known === undefined ? texts.find(Boolean) : catalogue[known];
}

/// A text with a count: `tn(n, "1 member", "{count} members")`.
export function tn(count, one, other, values) {
    const said = catalogue[other];
    const words = typeof said === "object"
        ? said[plurals.select(count)] ?? said.other
        : language === "en" && count === 1 ? one : other;
    return fill(words, { count: numbers.format(count), ...values });
}

/// A text with elements among its values, as nodes for `h`: `tx("Press {button}.", { button })`.
export function tx(text, values) {
    const said = catalogue[text];
    return (typeof said === "string" ? said : text).split(/(\{\w+\})/).filter(Boolean)
        .map((part) => /^\{\w+\}$/.test(part) ? values[part.slice(1, -1)] ?? part : part);
}

/// Stored on this device; takes effect when the page is reloaded. `null` follows the browser.
export function setLanguage(code) {
    writeStored(KEY, code);
}

/// The language chosen here; null if the browser decides.
export function chosenLanguage() {
    const code = readStored(KEY);
    return Object.hasOwn(LANGUAGES, code) ? code : null;
}

function choose() {
    const wanted = [only, chosenLanguage(), ...navigator.languages ?? [navigator.language]];
    return wanted.map((code) => code?.split("-")[0])
        .find((code) => code && Object.hasOwn(LANGUAGES, code)) ?? "en";
}

/// The kept catalogue is used immediately, and replaced for the next time.
async function load(code) {
    if (code === "en") {
        // The catalogue for other documents stays.
        if (!only) globalThis.caches?.delete(CACHE).catch(() => {});
        return {};
    }
    const fresh = fetchCatalogue(code);
    return await readKept(code) ?? await fresh ?? {};
}

/// Null if it cannot be loaded.
async function fetchCatalogue(code) {
    try {
        const response = await fetch(`/languages/${code}.json`);
        if (!response.ok) return null;
        const texts = await response.json();
        keep(code, texts);
        return texts;
    } catch {
        return null;
    }
}

async function readKept(code) {
    try {
        const kept = await (await (await caches.open(CACHE)).match(KEPT))?.json();
        return kept?.language === code ? kept.texts : null;
    } catch {
        return null;
    }
}

async function keep(code, texts) {
    try {
        const answer = new Response(JSON.stringify({ language: code, texts }));
        await (await caches.open(CACHE)).put(KEPT, answer);
    } catch {
        // It will be loaded next time.
    }
}

function fill(text, values) {
    if (!values) return text;
    return text.replace(/\{(\w+)\}/g, (whole, name) =>
        Object.hasOwn(values, name) ? isolated(String(values[name])) : whole);
}

/// A name in the other writing direction must not reorder the words around it (Unicode's first strong
/// isolate).
function isolated(value) {
    return OTHER_WAY.test(value) ? `\u2068${value}\u2069` : value;
}
