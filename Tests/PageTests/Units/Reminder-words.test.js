import {
    dayWords, makeRule, readRepetition, repetitionWords, startOn, weekdayOf,
} from "/js/places/repetition.js";
import { complaints, whenWords } from "/js/places/reminder-words.js";
import { equal, test } from "/unit.js";

/// A Thursday.
const AT = "2026-12-24T18:00";

test("A repetition choice makes a rule that reads back as the same choice", () => {
    const table = [
        ["never", [], null], ["daily", [], "FREQ=DAILY"],
        ["weekly", ["TH", "MO"], "FREQ=WEEKLY;BYDAY=MO,TH"],
        ["monthly", [], "FREQ=MONTHLY"], ["yearly", [], "FREQ=YEARLY"],
    ];
    for (const [repeat, days, rule] of table) {
        equal(makeRule(repeat, days), rule);
        equal(readRepetition(rule, AT).repeat, repeat, rule);
    }
    equal(readRepetition("FREQ=WEEKLY;BYDAY=MO,TH", AT).days, ["MO", "TH"]);
    equal(readRepetition("FREQ=WEEKLY", AT), { repeat: "weekly", days: ["TH"] });
    equal(readRepetition("FREQ=MONTHLY;BYMONTHDAY=24", AT).repeat, "monthly");
    equal(readRepetition("FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24", AT).repeat, "yearly");
});

test("An unusual rule matches no choice and is shown as it is written", () => {
    for (const rule of [
        "FREQ=DAILY;COUNT=3", "FREQ=WEEKLY;INTERVAL=2", "FREQ=MONTHLY;BYDAY=1MO",
        "FREQ=MONTHLY;BYMONTHDAY=23", "FREQ=YEARLY;BYMONTH=11;BYMONTHDAY=24",
        "FREQ=WEEKLY;BYDAY=1MO", "FREQ=DAILY;UNTIL=20270101",
    ]) {
        equal(readRepetition(rule, AT).repeat, "other", rule);
        equal(repetitionWords(rule, AT), `by the rule ${rule}`);
    }
});

test("The repetition is shown in words", () => {
    equal(repetitionWords("FREQ=DAILY", AT), "every day");
    equal(repetitionWords("FREQ=WEEKLY;BYDAY=MO,WE", AT), "every week on Monday and Wednesday");
    equal(repetitionWords("FREQ=MONTHLY", AT), "every month on day 24");
    equal(repetitionWords("FREQ=YEARLY", AT).includes("December"), true);
    equal(repetitionWords(undefined, AT), "");
    equal(dayWords(["mo", "tu", "we", "th", "fr"]), "Monday to Friday");
    equal(dayWords(["SA", "SU"]), "Saturday and Sunday");
    equal(dayWords(["MO", "TU", "TH"]), "Monday, Tuesday and Thursday");
});

test("A weekly rule starts on one of its days, as its start always counts", () => {
    equal(weekdayOf(AT), "TH");
    equal(startOn(AT, ["TH", "MO"]), AT);
    equal(startOn(AT, ["MO"]), "2026-12-28T18:00");
    equal(startOn("2026-12-31T18:00", ["FR"]), "2027-01-01T18:00");
    equal(startOn(AT, []), AT);
});

const form = {
    text: "Books", when: "time", at: AT, radius: "200", repeat: "never", days: [],
};
const wrong = (change, old) => complaints({ ...form, ...change }, "2026-12-24T12:00", old)
    .map(({ field }) => field);

test("All missing or invalid values are reported together, each at its field", () => {
    equal(wrong({}), []);
    equal(wrong({ text: " ", at: "", repeat: "weekly" }), ["text", "at", "rrule"]);
    equal(wrong({ at: "2026-12-24T12:00" }), ["at"]);
    equal(wrong({ at: "2020-01-01T00:00", repeat: "daily" }), []);
    for (const radius of ["", "5", "60000", "near"]) {
        equal(wrong({ when: "near", radius }), ["radius"], radius);
    }
    equal(wrong({ when: "near", at: "" }), []);
    equal(wrong({ when: "opens", at: "" }), []);
    // An existing reminder can keep its past time.
    equal(wrong({ at: "2020-01-01T00:00" }, { at: "2020-01-01T00:00:30" }), []);
});

test("A reminder shows when it is due", () => {
    equal(whenWords({ when: "opens", at: AT }), "When it opens");
    equal(whenWords({ when: "opens", at: AT, rrule: "FREQ=DAILY" }), "When it opens, every day");
    equal(whenWords({ when: "near", at: AT, radius: 200 }).startsWith("When I am within "), true);
    // A past reminder has no next time.
    equal(whenWords({ when: "time", at: AT, timeZone: "UTC" }), "");
});
