import { Problem } from "/js/api.js";
import { withRetry } from "/js/retry.js";
import { equal, setOnline, stopTime, test } from "/unit.js";

const away = () => new Problem({ status: 503 });

/// Makes a function with these outcomes; `asked` are its calls.
function make(...outcomes) {
    const asked = [];
    const call = withRetry(async (method, body) => {
        asked.push({ method, body });
        const outcome = outcomes[asked.length - 1];
        if (outcome instanceof Error) throw outcome;
        return outcome;
    });
    return { asked, call };
}

test("A change is retried under the same id", async () => {
    const move = stopTime();
    const { asked, call } = make(away(), away(), "done");
    const answer = call("group.create", { name: "Family" });
    await move(10_000);
    equal(await answer, "done");
    equal(new Set(asked.map(({ body }) => body.id)).size, 1);
    equal(asked.length, 3);
    equal(asked[0].body.name, "Family");
    equal(typeof asked[0].body.id, "string");
});

test("A given id is kept", async () => {
    const { asked, call } = make("done");
    await call("group.create", { id: "mine" });
    equal(asked[0].body.id, "mine");
});

test("A read request gets no id", async () => {
    for (const method of ["group.list", "account.get", "chat.history", "friend.nearby"]) {
        const { asked, call } = make("done");
        await call(method, {});
        equal(asked[0].body, {}, method);
    }
});

test("Pauses grow, and the failure is reported after four attempts", async () => {
    const move = stopTime();
    const { asked, call } = make(away(), away(), away(), away(), "too late");
    const answer = call("group.list").catch((problem) => problem.kind);
    const counts = [];
    for (const ms of [600, 200, 1200, 200, 1900, 200, 60_000]) {
        await move(ms);
        counts.push(asked.length);
    }
    equal(counts, [1, 2, 2, 3, 3, 4, 4]);
    equal(await answer, "away");
});

test("A refusal is reported immediately", async () => {
    const refused = new Problem({ status: 403, type: "urn:kith:problem:not-a-member" });
    const { asked, call } = make(refused, "done");
    equal(await call("group.leave", {}).catch(({ kind }) => kind), "not-a-member");
    equal(asked.length, 1);
});

test("A call without a network fails without waiting", async () => {
    setOnline(false);
    const { asked, call } = make(away(), "done");
    equal(await call("group.list").catch(({ kind }) => kind), "away");
    equal(asked.length, 1);
});
