import { noticeWords } from "/js/people/notices.js";
import { consentWords, ownAnswer, ruleSentence } from "/js/places/rule-words.js";
import { equal, test } from "/unit.js";

const names = {
    me: "ann",
    nameOf: (user) => ({ ben: "Ben", cara: "Cara", ann: "Ann" })[user] ?? user,
    groupName: () => "Family",
};
const plain = (text) => text.replace(/[\u00a0\u202f]/g, " ");
const clock = (text) => plain(new Intl.DateTimeFormat(navigator.languages, {
    hour: "numeric", minute: "2-digit",
}).format(new Date(`2000-01-01T${text}`)));
const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const say = (rule) => plain(ruleSentence({ madeBy: "ann", tell: { user: "ann" }, ...rule }, "School", names));

test("My own rule reads as an instruction to notify someone", () => {
    equal(say({
        when: "arrives", user: "ben", days: ["mo", "tu", "we", "th", "fr"], from: "07:00", to: "09:00",
        timeZone,
    }), `Notify me when Ben arrives at School, Monday to Friday, ${clock("07:00")} to ${clock("09:00")}.`);
    equal(say({ when: "not-there", user: "ben", by: "08:15", days: ["mo"], timeZone }),
        `Notify me if Ben is not at School by ${clock("08:15")}, Monday.`);
    equal(say({ when: "leaves", group: "g", tell: { group: "g" }, once: true }),
        "Notify everyone in Family when anyone in Family leaves School, once.");
    equal(say({ when: "leaves", user: "ben", tell: { user: "cara" } }),
        "Notify Cara when Ben leaves School.");
});

test("A rule about me shows who is notified, no matter who made it", () => {
    const about = { user: "ann", when: "arrives" };
    equal(say({ ...about, madeBy: "ben", tell: { user: "ben" } }), "Ben is notified when you arrive at School.");
    equal(say({ ...about, tell: { group: "g" } }), "Everyone in Family is notified when you arrive at School.");
    equal(say({ ...about, madeBy: "ben", tell: { user: "cara" }, when: "not-there", by: "08:15" }),
        `Cara is notified if you are not at School by ${clock("08:15")}.`);
    equal(say({ user: "ben", madeBy: "cara", when: "arrives" }), "You are notified when Ben arrives at School.");
});

test("Hours in another time zone name the zone", () => {
    const far = new Date().getTimezoneOffset() === -345 ? "Asia/Tokyo" : "Asia/Kathmandu";
    equal(say({ when: "leaves", user: "ben", from: "07:00", to: "09:00", days: ["mo"], timeZone: far })
        .endsWith(`(${far.split("/")[1]} time).`), true);
});

test("Only the maker of a rule sees who has agreed", () => {
    const rule = { user: "ben", madeBy: "ann" };
    const words = (consents, more) => consentWords({ ...rule, ...more, consents }, names);
    equal(words([{ user: "ben" }]), "Ben has not answered yet. Until then no one is notified.");
    equal(words([{ user: "ben", agree: true }]), "Ben agrees.");
    equal(words([{ user: "ben", agree: false }]), "Ben does not agree: no one is notified.");
    equal(words([{ user: "ben", agree: true }], { madeBy: "cara" }), "");
    const group = { user: undefined, group: "g" };
    equal(words([{ user: "ben", agree: true }, { user: "cara" }], group),
        "Ben agrees. You are not notified about anyone else.");
    equal(words([{ user: "ben", agree: true }, { user: "cara", agree: true }], group),
        "Ben and Cara agree. You are not notified about anyone else.");
    equal(words([{ user: "ben" }], group), "No one has agreed yet: no one is notified.");
});

test("My answer to a rule is yes, no or pending, and absent if I was not asked", () => {
    const answers = [[{ user: "ann", agree: true }], [{ user: "ann", agree: false }], [{ user: "ann" }],
        [{ user: "ben", agree: true }]];
    equal(answers.map((consents) => ownAnswer({ consents }, "ann") ?? "none"),
        [true, false, "none", "none"]);
    equal(ownAnswer({ consents: [] }, "ann"), undefined);
    equal(ownAnswer({ consents: [{ user: "ann" }] }, "ann"), null);
});

test("Place notices are sentences with local times", () => {
    const at = new Date();
    const time = plain(new Intl.DateTimeFormat(navigator.languages, {
        hour: "numeric", minute: "2-digit",
    }).format(at));
    const words = (notice) => plain(noticeWords({ placeName: "School", name: "Ben", user: "ben", ...notice },
        { groups: new Map(), me: { user: "ann" } }));
    equal(words({ kind: "place-arrived", crossedAt: at }), `Ben has arrived at School, at ${time}.`);
    equal(words({ kind: "place-left", crossedAt: at }), `Ben has left School, at ${time}.`);
    equal(words({ kind: "place-missed", dueAt: at, known: true }), `Ben was not at School by ${time}.`);
    equal(words({ kind: "place-missed", dueAt: at, known: false }),
        `Ben was not seen at School by ${time}. Their location is unknown.`);
    equal(words({ kind: "reminder", text: "Books" }), "School: Books");
    equal(words({ kind: "place-rule-agreed" }), "Ben agrees to your rule for School.");
    for (const kind of ["asked", "refused"]) {
        equal(words({ kind: `place-rule-${kind}` }).startsWith("Ben "), true, kind);
    }
});
