import { keepSubscription, wasRemoved } from "/js/push.js";
import { store } from "/js/store.js";
import { equal, test } from "/unit.js";

const KEY = "kith.push";

/// Sets up a subscribed browser whose user is Ann.
function browser(known) {
    const state = { subscribed: true, asked: [] };
    const subscription = {
        endpoint: "https://push.example/1", options: {},
        toJSON: () => ({ endpoint: "https://push.example/1", keys: {} }),
        async unsubscribe() { state.subscribed = false; },
    };
    const manager = {
        async getSubscription() { return state.subscribed ? subscription : null; },
        async subscribe() { return subscription; },
    };
    Object.defineProperty(navigator, "serviceWorker", {
        configurable: true, value: { async getRegistration() { return { pushManager: manager }; } },
    });
    Object.defineProperty(Notification, "permission", { configurable: true, value: "granted" });
    localStorage.setItem(KEY, JSON.stringify(known));
    store.change((each) => { each.me = { user: "ann", demo: false }; });
    state.call = async (method) => {
        state.asked.push(method);
        return method === "channel.list"
            ? { channels: [{ channel: "other" }], pushKey: "" } : { channel: { channel: "new" } };
    };
    return state;
}

const known = { user: "ann", channel: "gone", endpoint: "https://push.example/1" };

test("A channel removed on another device is not added again", async () => {
    const state = browser(known);
    equal(await keepSubscription(state.call), true);
    equal([state.asked, state.subscribed, wasRemoved()], [["channel.list"], false, true]);
    equal(await keepSubscription(state.call), false);
    equal(wasRemoved(), true);
});

test("A channel that ended with the last login is added with the next", async () => {
    const state = browser(known);
    equal(await keepSubscription(state.call, { isNewLogin: true }), false);
    equal([state.asked, wasRemoved()], [["channel.list", "channel.add"], false]);
});

test("An existing channel stays as it is", async () => {
    const state = browser({ ...known, channel: "other" });
    equal(await keepSubscription(state.call), false);
    equal([state.asked, state.subscribed], [["channel.list"], true]);
});

test("A subscription changed by the browser is sent to the service", async () => {
    const state = browser({ ...known, endpoint: "https://push.example/0" });
    equal(await keepSubscription(state.call), false);
    equal(state.asked, ["channel.list", "channel.add"]);
});
