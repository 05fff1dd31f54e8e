/// Names that look the same: the user name is appended to tell them apart.

/// Letters and digits that look like a Latin letter, as in the server (`LookAlike.swift`).
const LATIN = new Map(Object.entries({
    a: "аαΑɑᴀꓮ", b: "ьвΒʙꓐ", c: "сϲᴄꓚ", d: "ԁᴅꓓ", e: "еεΕᴇꓰ", f: "ꜰꓝ", g: "ɡɢꓖ", h: "һнհΗʜꓧ", i: "іιı1l|ΙɪꓲӀ",
    j: "јϳᴊꓙ", k: "кκΚᴋꓗ", m: "мΜᴍꓟ", n: "ηոΝɴꓠ", o: "оοσօ0ΟᴏꓳО", p: "рρΡᴘꓑ", q: "ԛ", r: "ʀꓣ", s: "ѕꜱꓢ", t: "тτΤᴛꓔ",
    u: "υսᴜꓴ", v: "νѵᴠꓦ", w: "ԝωᴡꓪ", x: "хχΧꓫ", y: "уγүΥʏꓬ", z: "Ζᴢꓜ",
}).flatMap(([letter, others]) => [...others].map((other) => [other, letter])));

/// A name without distinctions that people cannot see, or hardly.
function form(name) {
    const seen = name.normalize("NFKC").replace(/[\s\u2800\u0334-\u0338\p{Default_Ignorable_Code_Point}]/gu, "");
    return [...seen].map((letter) => LATIN.get(letter) ?? letter.toLowerCase())
        .join("").replace(/./gu, (letter) => LATIN.get(letter) ?? letter).replaceAll("rn", "m");
}

/// Members `{user,name}`, with the user name added to names that look the same.
export function distinct(members) {
    const counts = new Map();
    for (const { name } of members) counts.set(form(name), (counts.get(form(name)) ?? 0) + 1);
    return members.map((member) => (counts.get(form(member.name)) > 1
        ? { ...member, name: `${member.name} (${member.user})` } : member));
}

/// A member's known state, under the name used in the group.
export function named(group, known) {
    const name = group.members.find(({ user }) => user === known.user)?.name;
    return name && name !== known.name ? { ...known, name } : known;
}
