/// What the page says, in the reader's language. The English text is the key: code says
/// `t("Stop sharing")`, and `languages/de.json` has `{"Stop sharing": "Nicht mehr teilen"}`.
///
/// A text that a catalogue does not have stays English. Values in braces are put in:
/// `t("{name} can see you", { name })`. Where a number decides about the words, the catalogue has a
/// form for each plural category of the language: `{"{count} members": {"one": …, "other": …}}`.
///
/// A document that is written in one language alone says so: `<html data-language="en">`.
///
/// The module waits for its catalogue, so that whatever imports it may use `t` at once. The browser
/// keeps the catalogue, for the next start, for one without a network, and for `sw-push.js`.

import { readStored, writeStored } from "./storage.js";

/// Each with its own name for itself, as a person looks for it.
export const LANGUAGES = {
    en: "English", de: "Deutsch", it: "Italiano", fr: "Français", es: "Español", ar: "العربية",
};
const FROM_RIGHT = ["ar"];
const KEY = "kith.language";
/// The cache with the catalogue in use, and its address there.
const CACHE = "language";
const KEPT = "/languages/kept.json";

/// That of a document which is there in no other.
const only = document.documentElement.dataset.language;

/// The code of the language that is shown.
export const language = choose();
const catalogue = await load(language);
const plurals = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(language);

const isFromRight = FROM_RIGHT.includes(language);
/// Letters that are written the other way.
const OTHER_WAY = isFromRight ? /\p{Script=Latin}/u : /[\p{Script=Hebrew}\p{Script=Arabic}]/u;

document.documentElement.lang = language;
document.documentElement.dir = isFromRight ? "rtl" : "ltr";

/// A text with its values.
export function t(text, values) {
    const said = catalogue[text];
    return fill(typeof said === "string" ? said : text, values);
}

/// What the service says in English: the first of these that the catalogue has, otherwise the first
/// that is there.
export function said(...texts) {
    const known = texts.find((text) => typeof catalogue[text] === "string");
    return known === undefined ? texts.find(Boolean) : catalogue[known];
}

/// A text about a number of things: `tn(n, "1 member", "{count} members")`.
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

/// From now on, and on this device: the page begins anew. `null` follows the browser.
export function setLanguage(code) {
    writeStored(KEY, code);
}

/// What the person has chosen here; null if the browser decides.
export function chosenLanguage() {
    const code = readStored(KEY);
    return Object.hasOwn(LANGUAGES, code) ? code : null;
}

function choose() {
    const wanted = [only, chosenLanguage(), ...navigator.languages ?? [navigator.language]];
    return wanted.map((code) => code?.split("-")[0])
        .find((code) => code && Object.hasOwn(LANGUAGES, code)) ?? "en";
}

/// What was kept is taken at once, and replaced for the next time.
async function load(code) {
    if (code === "en") {
        // What the person reads elsewhere stays.
        if (!only) globalThis.caches?.delete(CACHE).catch(() => {});
        return {};
    }
    const fresh = fetchCatalogue(code);
    return await readKept(code) ?? await fresh ?? {};
}

/// Null if it does not come.
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
        // It is loaded the next time.
    }
}

function fill(text, values) {
    if (!values) return text;
    return text.replace(/\{(\w+)\}/g, (whole, name) =>
        Object.hasOwn(values, name) ? isolated(String(values[name])) : whole);
}

/// A name that is written the other way leaves the order of the words around it as it is (Unicode's
/// first strong isolate).
function isolated(value) {
    return OTHER_WAY.test(value) ? `\u2068${value}\u2069` : value;
}
