import { equal, test } from "/unit.js";

/// Loads the module, which then chooses its language.
const speak = (code) => {
    localStorage.setItem("kith.language", JSON.stringify(code));
    return import("/js/language.js");
};
const kept = async () => (await caches.match("/languages/kept.json"))?.json();
const keep = async (language, texts) => (await caches.open("language")).put(
    "/languages/kept.json", new Response(JSON.stringify({ language, texts })));

test("English texts are used as written, with values and a singular form", async () => {
    const { language, t, tn, tx } = await speak("en");
    equal([language, document.documentElement.lang, document.documentElement.dir], ["en", "en", "ltr"]);
    equal(t("{name} is here, {name}", { name: "A {name} B" }), "A {name} B is here, A {name} B");
    equal(t("{name} is here", {}), "{name} is here");
    equal(t("constructor"), "constructor");
    equal([0, 1, 1200].map((count) => tn(count, "1 day", "{count} days")), ["0 days", "1 day", "1,200 days"]);
    const button = document.createElement("button");
    equal(tx("Press {button}.", { button }).map((part) => part === button || part), ["Press ", true, "."]);
});

test("A name in the other direction does not reorder the words around it", async () => {
    const { t } = await speak("en");
    equal(t("{a} and {b}", { a: "Ann", b: "\u0639\u0644\u064a" }), "Ann and \u2068\u0639\u0644\u064a\u2069");
});

test("Texts in a catalogue are translated, right to left where needed", async () => {
    const { t, tn } = await speak("ar");
    equal([document.documentElement.lang, document.documentElement.dir], ["ar", "rtl"]);
    equal(t("Yes"), "\u0646\u0639\u0645");
    equal(t("No catalogue has this"), "No catalogue has this");
    const forms = [0, 1, 2, 3, 11, 100].map((count) => tn(count, "1 day", "{count} days"));
    equal(new Set(forms).size, 6);
    equal(t("{name} agrees.", { name: "Ann" }).includes("\u2068Ann\u2069"), true);
});

test("The browser's languages decide if none is chosen, skipping unsupported ones", async () => {
    Object.defineProperty(navigator, "languages", { get: () => ["pl-PL", "it-CH", "de"] });
    const { chosenLanguage, language, t } = await speak("xx");
    equal([chosenLanguage(), language, t("Yes")], [null, "it", "S\u00ec"]);
});

test("A catalogue is kept for offline starts and for the worker", async () => {
    await speak("de");
    for (let left = 100; left > 0 && !await kept(); left -= 1) {
        await new Promise((resolve) => { setTimeout(resolve, 50); });
    }
    const { language, texts } = await kept();
    equal([language, texts.Yes], ["de", "Ja"]);
});

test("A kept catalogue is used without a network", async () => {
    await keep("fr", { Yes: "Oui, oui" });
    globalThis.fetch = async () => { throw new TypeError("Failed to fetch"); };
    const { t } = await speak("fr");
    equal([t("Yes"), t("No")], ["Oui, oui", "No"]);
});

test("A kept catalogue in another language is not used", async () => {
    await keep("fr", { Yes: "Oui" });
    const { t } = await speak("es");
    equal(t("Yes"), "S\u00ed");
});

test("A document in a fixed language keeps it, and the other language's catalogue", async () => {
    await keep("de", { Yes: "Ja" });
    document.documentElement.dataset.language = "en";
    const { chosenLanguage, language, t } = await speak("de");
    equal([chosenLanguage(), language, t("Yes")], ["de", "en", "Yes"]);
    await new Promise((resolve) => { setTimeout(resolve, 100); });
    equal((await kept()).texts, { Yes: "Ja" });
});
