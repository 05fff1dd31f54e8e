import { equal, test } from "/unit.js";
import { openPage } from "/whole-page.js";

test("A member's closed page shows in row, map, count, phones and SOS bar alike", async () => {
    const page = await openPage({ width: 1280, height: 800 });
    const { phonesOf } = await page.modules("phones");
    const say = (query) => [...page.document.querySelectorAll(query)]
        .filter((each) => each.checkVisibility()).map((each) => each.textContent.replaceAll("\u00a0", " "));
    const row = () => say('.member-row[data-user="cleo"] .presence')[0];
    equal([row(), say(".sheet-title p")], ["Online", ["4 members, 3 online"]]);
    const leftAt = new Date(Date.now() - 65_000).toISOString();
    page.change((state, group) => {
        const cleo = group.states.get("cleo");
        group.states.set("cleo", { ...cleo, leftAt, version: 2 });
        const dan = group.states.get("dan");
        group.states.set("dan", { ...dan, phone: "+43 660 7654321", version: 2 });
        equal(phonesOf(state).map(({ user }) => user), ["dan", "cleo"]);
    });
    await page.settle();
    equal([row(), say(".sheet-title p")], ["Last connected 1 min ago", ["4 members, 2 online"]]);
    const tag = say(".person-marker .tag").find((words) => words.startsWith("Cleo"));
    equal(tag, "CleoLast connected 1 min ago");
    page.calls("ann");
    await page.settle();
    equal(say(".own-sos .detail p").some((words) => /reach/.test(words) && /Cleo \(/.test(words)), false);
});
