/// Names that look the same: with the user name behind them people can tell whom they see.

/// Letters of Cyrillic, Greek and Armenian, and digits, that look like a Latin letter, as the server
/// has them.
const LATIN = new Map(Object.entries({
    a: "аα", b: "ьв", c: "сϲ", d: "ԁ", e: "еε", h: "һнհ", i: "іιı1l|", j: "јϳ", k: "кκ", m: "м", n: "ηո", o: "оοσօ0",
    p: "рρ", q: "ԛ", s: "ѕ", t: "тτ", u: "υս", v: "νѵ", w: "ԝω", x: "хχ", y: "уγү",
}).flatMap(([letter, others]) => [...others].map((other) => [other, letter])));

function form(name) {
    return [...name.normalize("NFKC").toLowerCase().replace(/[\s\p{Default_Ignorable_Code_Point}]/gu, "")]
        .map((letter) => LATIN.get(letter) ?? letter).join("");
}

/// Members `{user,name}`, those with the user name whose names look the same.
export function distinct(members) {
    const counts = new Map();
    for (const { name } of members) counts.set(form(name), (counts.get(form(name)) ?? 0) + 1);
    return members.map((member) => (counts.get(form(member.name)) > 1
        ? { ...member, name: `${member.name} (${member.user})` } : member));
}

/// What is known of a member, under the name by which the group knows them.
export function named(group, known) {
    const name = group.members.find(({ user }) => user === known.user)?.name;
    return name && name !== known.name ? { ...known, name } : known;
}
