import { access, isToken } from "/js/operator/access.js";
import { makeAdding } from "/js/operator/adding.js";
import { makeGroupBook } from "/js/operator/group-book.js";
import { newSecret } from "/js/operator/link.js";
import { makeLogin } from "/js/operator/login.js";
import { makePeople } from "/js/operator/people.js";
import { makeStatus } from "/js/operator/status.js";
import { watchState } from "/js/operator/watch.js";
import {
    backupOf, bytes, diskWords, endedWords, factsOf, kindWords, passwordWords,
    personSeen, seenWords, statusOf, suggestedUser, usersIn,
} from "/js/operator/words.js";
import { equal, settle, stopTime, test } from "/unit.js";

const NOW = Date.parse("2026-05-01T12:40:00Z");
const ago = (hours) => new Date(NOW - hours * 3_600_000).toISOString();
const plain = (text) => text.replace(/[\u00a0\u202f]/g, " ");
const TOKEN = "kith:operator.secret";

/// Serves the result of `answer(method, body)`: a body, `[status, body]`, or nothing for no network.
/// Returns the requests.
function serve(answer) {
    const asked = [];
    globalThis.fetch = async (path, { body, headers, credentials }) => {
        const method = path.replace("/api/", "");
        asked.push({ path, method, body: body && JSON.parse(body), headers, credentials });
        const told = answer(method, body && JSON.parse(body));
        if (told === undefined) throw new TypeError("Failed to fetch");
        const [status, content] = Array.isArray(told) ? told : [200, told];
        return new Response(JSON.stringify(content), { status });
    };
    return asked;
}

const person = (user, more = {}) => ({
    user, name: user.toUpperCase(), hasPassword: true, groups: [], devices: [], ...more,
});

function makeApp() {
    access.keep(TOKEN);
    const said = [];
    return { said, say: (text) => said.push(text), book: makeGroupBook(), loadGroups: async () => {} };
}

const write = (form, name, text) => {
    const field = form.querySelector(`[name=${name}]`);
    field.value = text;
    field.dispatchEvent(new Event("input"));
};

async function submit(form) {
    form.requestSubmit();
    await settle();
    // Hashes are computed on another thread.
    await new Promise((resolve) => { setTimeout(resolve, 50); });
    await settle();
}

test("An unknown backup is not shown as missing", () => {
    equal(backupOf(undefined, NOW), { text: "not known", isOld: false });
    equal(backupOf(null, NOW), { text: "never", isOld: true });
    equal([25, 27].map((hours) => backupOf(ago(hours), NOW).isOld), [false, true]);
    equal(plain(backupOf(ago(49), NOW).text).startsWith("2 days ago ("), true);
});

test("Unknown facts are left out, except the backup", () => {
    const rows = factsOf({ status: "no-bridge", version: "1.2.3", commit: "", concerns: [] }, NOW);
    equal(rows, [["Last backup", "not known", ""], ["Version", "1.2.3 (development)", ""]]);
    const full = factsOf({ version: "1", commit: "c", lastBackup: null, connections: 0, uptimeSeconds: 90_000 }, NOW);
    equal(full.map(([name, value]) => [name, plain(value)]), [
        ["Last backup", "never"], ["Connections to the broker", "0"], ["Bridge up for", "1 day"],
        ["Version", "1 (c)"],
    ]);
});

test("Disk sizes are shown as on the command line", () => {
    equal([9_999, 11_000_000, 2 ** 34].map(bytes).map(plain), ["9 KB", "10 MB", "16 GB"]);
    equal(plain(diskWords(2 ** 34, 2 ** 36)).startsWith("16 GB free of 64 GB ("), true);
    equal(diskWords(undefined, 5), null);
});

test("An unknown status is shown as it is", () => {
    equal(statusOf("resting").text, "The status of the service is “resting”.");
    equal(["well", "degraded", "sparing", "no-bridge", "no-broker"].map((each) => statusOf(each).look),
        ["good", "warning", "danger", "danger", "danger"]);
});

test("A device's last contact is shown to the hour", () => {
    const hour = (count) => new Date(Date.parse("2026-05-01T12:00:00Z") - count * 3_600_000).toISOString();
    equal([0, 1].map((count) => seenWords(hour(count), NOW)),
        ["seen within the last hour", "seen within the last two hours"]);
    equal(plain(seenWords(hour(5), NOW)).startsWith("last seen 5 h"), true);
    equal(seenWords(undefined, NOW), "last seen: unknown");
    equal(personSeen([], NOW), "no device");
    equal(personSeen([{ lastSeen: hour(5) }, {}, { lastSeen: hour(0) }], NOW), "seen within the last hour");
});

test("A user with a directory password is offered no link", () => {
    equal(passwordWords({ hasPassword: false, directory: true }).includes("link"), false);
    equal([true, false].map((hasPassword) => passwordWords({ hasPassword }).includes("link")), [true, true]);
    equal([undefined, "company", "new"].map(kindWords), [null, "Company", "new"]);
});

test("Devices that stay logged in are named, and until when they stay", () => {
    equal(plain(endedWords(2, [])), "2 devices are logged out.");
    equal(plain(endedWords(0, ["phone"], true)),
        "No device was logged out. phone stays logged in until its SOS or journey ends.");
    equal(plain(endedWords(1, ["a", "b"])), "1 device is logged out. a and b stay logged in: groups rely on them "
        + "at this moment, in an SOS or on a journey.");
});

test("A user name is suggested from the person's name", () => {
    const names = ["José Núñez", "  Ann ", "علي", "X", "Anna-Maria  O’Neill-Featherstonehaugh the Third"];
    equal(names.map(suggestedUser),
        ["jose-nunez", "ann", "", "", "anna-maria-o-neill-featherstoneh"]);
    equal(usersIn(" ann, ben;cleo\n dan "), ["ann", "ben", "cleo", "dan"]);
});

test("A link's secret has the service's form, with the hash of its text", async () => {
    const zeros = await newSecret(new Uint8Array(32));
    equal(zeros.secret, "A".repeat(43));
    equal(zeros.hash, "0f007385b6f9d4b7eeb2748605afe1a984a0a3bfa3f014d09e2a784ce9e5cd1a");
    const ones = await newSecret(new Uint8Array(32).fill(255));
    equal(ones.secret, `${"_".repeat(42)}8`);
    const [a, b] = [await newSecret(), await newSecret()];
    equal([a, b].map(({ secret }) => /^[\w-]{42}[AEIMQUYcgkosw048]$/.test(secret)), [true, true]);
    equal(a.secret === b.secret, false);
});

test("The token is only in this tab's storage and in a header", async () => {
    const asked = serve(() => ({ users: [] }));
    access.keep(TOKEN);
    await access.call("user.list", { limit: 1 });
    await access.state();
    equal(asked.map(({ path }) => path), ["/api/user.list", "/operator/state"]);
    equal(asked.map(({ headers }) => headers.Authorization), Array(2).fill(`Bearer ${TOKEN}`));
    equal(asked.map(({ credentials }) => credentials), ["omit", "omit"]);
    equal(JSON.stringify({ ...sessionStorage }).includes(TOKEN), true);
    equal([document.cookie, JSON.stringify({ ...localStorage }).includes(TOKEN)], ["", false]);
    access.keep(null);
    equal(sessionStorage.length, 0);
    equal(["", "a b", "é", "a.b"].map(isToken), [false, false, false, true]);
});

test("A refused token is reported once, and not after it was replaced", async () => {
    let ends = 0;
    access.onEnd(() => {
        ends += 1;
        access.keep(null);
    });
    serve(() => [401, {}]);
    access.keep(TOKEN);
    await Promise.allSettled([access.call("user.list"), access.call("group.list")]);
    equal(ends, 1);
    access.keep(TOKEN);
    const late = access.call("user.list").catch(({ status }) => status);
    access.keep("another");
    equal([await late, ends, access.token], [401, 1, "another"]);
});

test("The state is requested every ten seconds, but not while the page is hidden", async () => {
    const move = stopTime();
    let isHidden = false;
    Object.defineProperty(document, "hidden", { get: () => isHidden });
    let asks = 0;
    const heard = [];
    const watch = watchState(async () => {
        asks += 1;
        if (asks === 2) throw new Error("away");
        return asks;
    }, ({ state, problem }) => heard.push(problem ? "problem" : state));
    await move(21_000);
    equal(heard, [1, "problem", 3]);
    isHidden = true;
    await move(60_000);
    equal(asks, 3);
    isHidden = false;
    document.dispatchEvent(new Event("visibilitychange"));
    await move(0);
    equal(asks, 4);
    watch.stop();
    await move(60_000);
    equal(asks, 4);
});

test("An outdated state shows its time, and the badge makes no claim", () => {
    const status = makeStatus();
    document.body.append(status.element);
    const read = () => plain(status.element.innerText);
    const concerns = [{ name: "disk-low", text: "the disk is filling up", wayOut: "kith compact" }];
    status.show({ state: { status: "well", version: "1", concerns } });
    equal(status.element.querySelector(".badge").textContent, "Attention");
    equal(["The disk is filling up.", "kith compact", "disk-low"].every((each) => read().includes(each)), true);
    status.show({ problem: { kind: "unreachable" } });
    equal(status.element.querySelector(".badge").textContent, "Not known");
    equal(["The server is not responding", "The following is from"].every((each) => read().includes(each)), true);
    status.show({ state: { status: "well", version: "1", concerns: [] } });
    equal([read().includes("Nothing needs attention."), read().includes("disk-low")], [true, false]);
});

test("A wrong token is reported at its field; an unanswered login is retried", async () => {
    const move = stopTime();
    const closed = { detail: "web.operatorPage is false on this server." };
    const answers = [[401, {}], [403, {}], [403, closed], undefined, [503, {}], { status: "well" }];
    const asked = serve(() => answers.shift());
    const entered = [];
    const login = makeLogin(makeApp(), { why: "", entered: (token) => entered.push(token) });
    document.body.append(login.element);
    const form = login.element.querySelector("form");
    const error = () => form.querySelector(".field .error").textContent;
    const enter = async (text) => {
        write(form, "token", text);
        await settle();
        form.requestSubmit();
        await settle();
    };
    await enter(" ");
    equal([error(), asked.length], ["The token is missing.", 0]);
    await enter("wrong");
    equal(error(), "This is not the operator’s token.");
    await enter("kith:metrics.x");
    equal(error(), "This is a token, but not the operator’s.");
    await enter("kith:operator.y");
    equal(error(), "This server has no operator’s page: the setting web.operatorPage is false.");
    await enter(` ${TOKEN}\n`);
    equal(login.element.querySelector("[role=status]").textContent.startsWith("The server is not responding"), true);
    equal(entered, []);
    await move(11_000);
    equal([entered, asked.length], [[TOKEN], 6]);
});

test("A corrected token replaces the pending login", async () => {
    const move = stopTime();
    let isAway = true;
    serve(() => (isAway ? undefined : { status: "well" }));
    const entered = [];
    const login = makeLogin(makeApp(), { why: "", entered: (token) => entered.push(token) });
    document.body.append(login.element);
    const form = login.element.querySelector("form");
    write(form, "token", "first");
    form.requestSubmit();
    await settle();
    isAway = false;
    write(form, "token", "second");
    await settle();
    form.requestSubmit();
    await settle();
    equal(entered, ["second"]);
    await move(60_000);
    equal(entered, ["second"]);
});

test("A person is added, put into a group and given a link whose hash was sent", async () => {
    const asked = serve((method) => ({
        "group.list": { groups: [{ group: "g", name: "Family", members: 1 }] },
        "user.invite": { expiresAt: "2026-05-04T12:00:00Z" },
    }[method] ?? {}));
    const app = makeApp();
    await app.book.load();
    const done = [];
    const { element } = makeAdding(app, (user) => done.push(user));
    document.body.append(element);
    const form = element.querySelector("form");
    write(form, "name", "Dana Moss");
    equal(form.elements.user.value, "dana-moss");
    write(form, "user", "dana");
    write(form, "name", "Dana M. Moss");
    equal(form.elements.user.value, "dana");
    write(form, "group", "g");
    await submit(form);
    equal(asked.slice(1).map(({ method }) => method), ["user.add", "group.add", "user.invite"]);
    equal(asked.slice(1, 3).map(({ body }) => body), [
        { user: "dana", name: "Dana M. Moss" }, { group: "g", user: "dana" },
    ]);
    const link = element.querySelector(".link-box input").value;
    const [, secret] = /^http:\/\/localhost\/#\/recover\/(.{43})$/.exec(link);
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret));
    const hash = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    equal(asked.at(-1).body, { user: "dana", hash });
    equal([done, form.elements.name.value, form.elements.group.value], [["dana"], "", "g"]);
});

test("Failures after adding a person are listed, earlier refusals at their field", async () => {
    const refused = [422, { type: "urn:kith:problem:invalid", errors: [{ field: "user", reason: "is taken" }] }];
    const answers = {
        "user.add": refused, "user.invite": [503, { detail: "The bridge is away" }],
        "group.add": [409, { type: "urn:kith:problem:full", detail: "The group is full" }],
        "group.list": { groups: [{ group: "g", name: "Family", members: 1 }] },
    };
    serve((method) => answers[method]);
    const app = makeApp();
    await app.book.load();
    const { element } = makeAdding(app, () => {});
    document.body.append(element);
    const form = element.querySelector("form");
    write(form, "user", "dana");
    write(form, "group", "g");
    await submit(form);
    equal(form.elements.user.closest(".field").querySelector(".error").textContent, "Is taken.");
    equal(element.querySelector(".invited-link"), null);
    answers["user.add"] = { user: "dana" };
    await submit(form);
    const words = element.querySelector(".invited-link").textContent;
    equal(["dana is added.", "dana is not in Family. The group is full.", "No link was made. The bridge is away."]
        .map((each) => words.includes(each)), [true, true, true]);
});

test("People are found by name prefix, page by page", async () => {
    const asked = serve((method, body) => (body.after ? { users: [person("c")] }
        : { users: [person("a"), person("b")], next: "b" }));
    const people = makePeople(makeApp());
    document.body.append(people.element);
    const count = () => plain(people.element.querySelector("[role=search] + p").textContent);
    await people.load();
    equal(count(), "2 people, and more.");
    [...people.element.querySelectorAll("button")].find((each) => each.textContent.startsWith("Show")).click();
    await settle();
    equal([count(), asked[1].body], ["3 people.", { limit: 50, after: "b" }]);
    const search = people.element.querySelector("[role=search]");
    write(search, "prefix", " A ");
    await submit(search);
    equal(asked[2].body, { limit: 50, prefix: "a" });
});

test("An account is removed only with its user name; the dialog shows a refusal", async () => {
    let removal = [409, { type: "urn:kith:problem:busy", detail: "Not now" }];
    const asked = serve((method) => (method === "user.remove" ? removal : { users: [person("ann")] }));
    const people = makePeople(makeApp());
    document.body.append(people.element);
    await people.load();
    people.element.querySelector("[aria-label='Remove the account: ann']").click();
    const form = document.querySelector("dialog form");
    write(form, "typed", "anne");
    await submit(form);
    equal(asked.some(({ method }) => method === "user.remove"), false);
    equal(form.querySelector(".field .error").textContent, "This is not ann.");
    write(form, "typed", "ann");
    await submit(form);
    equal(form.querySelector("[role=alert]").textContent, "Not now.");
    removal = { deleted: { account: 1 } };
    await submit(form);
    equal([document.querySelector("dialog"), people.element.querySelectorAll(".person").length], [null, 0]);
    equal(asked.at(-1).body, { user: "ann" });
});
