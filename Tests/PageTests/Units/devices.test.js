import { makeDevices } from "/js/account/devices.js";
import { store } from "/js/store.js";
import { equal, settle, test } from "/unit.js";

const at = new Date().toISOString();
const device = (name, more = {}) => ({
    device: name, createdAt: at, kind: "mqtt", loggedIn: true, current: false, ...more,
});

async function begin(devices, { demo = false, refuse = false } = {}) {
    store.change((state) => { state.me = { user: "ann", device: "web", root: "kith", demo }; });
    const asked = [];
    const app = {
        store, say: () => {},
        async call(method, body) {
            if (method === "device.list") return { devices: [...devices] };
            if (method === "share.list") return { shares: [] };
            asked.push([method, body]);
            if (refuse) throw Object.assign(new Error(), { detail: "You have no device with that name." });
            for (const each of devices) each.named = each.carried = each.device === body.device;
            return {};
        },
    };
    const list = makeDevices(app, { loaded: () => {} });
    document.body.append(list.element);
    await list.load();
    await settle();
    const choice = list.element.querySelector("select");
    return {
        asked, choice,
        isShown: () => choice.checkVisibility(),
        options: () => [...choice.options].map(({ textContent }) => textContent),
        badges: () => [...list.element.querySelectorAll(".badge")].map(({ textContent }) => textContent),
        error: () => list.element.querySelector(".carried .error").textContent,
        words: () => list.element.querySelector(".carried [role=status]").textContent,
        async choose(value) {
            choice.value = value;
            choice.dispatchEvent(new Event("change"));
            await settle();
        },
    };
}

test("The device with me can be chosen among several, or left to the service", async () => {
    const page = await begin([device("phone", { carried: true }), device("tablet"),
        device("old", { loggedIn: false })]);
    equal([page.isShown(), page.choice.value, page.badges()], [true, "", ["With me"]]);
    equal(page.options(), ["Automatic (now phone)", "phone", "tablet"]);
    await page.choose("tablet");
    equal(page.asked, [["device.carry", { device: "tablet" }]]);
    equal([page.choice.value, page.options()[0]], ["tablet", "Automatic"]);
    equal(page.words().startsWith("Others see where tablet is, and nothing newer"), true);
    await page.choose("");
    equal(page.asked.at(-1), ["device.carry", { device: null }]);
    equal(page.choice.value, "");
});

test("The device with me is not asked about when there is only one", async () => {
    equal((await begin([device("phone", { carried: true })])).isShown(), false);
});

test("The device with me is not asked about in the demo", async () => {
    equal((await begin([device("phone"), device("tablet")], { demo: true })).isShown(), false);
});

test("The device with me stays as it was when the service refuses the choice", async () => {
    const page = await begin([device("phone", { carried: true }), device("tablet")], { refuse: true });
    await page.choose("tablet");
    equal([page.choice.value, page.error()], ["", "You have no device with that name."]);
    equal(page.choice.disabled, false);
});
