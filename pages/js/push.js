/// This browser as a place where its person is reached while no page is open (Web Push).

import { t } from "./language.js";
import { readStored, writeStored } from "./storage.js";
import { store } from "./store.js";

/// `{user,channel,endpoint}`: whose subscription this browser's is; `{user,isLost}`: whose it was, until
/// the channel was removed elsewhere.
const KEY = "kith.push";
const NAMES = [
    ["Edge", /\bEdg/], ["Opera", /\bOPR\//], ["Firefox", /\b(?:Firefox|FxiOS)\//],
    ["Chrome", /\b(?:Chrome|CriOS)\//], ["Safari", /\bSafari\//],
];
const SYSTEMS = [
    ["Android", /\bAndroid\b/], ["iPhone", /\biPhone\b/], ["iPad", /\biPad\b/],
    ["Windows", /\bWindows\b/], ["Mac", /\bMacintosh\b/], ["Linux", /\bLinux\b/],
];

/// What is in the way of subscribing, in words; empty if nothing is.
export function obstacle() {
    const isApple = /\biP(?:hone|ad|od)\b/.test(navigator.userAgent)
        || (/\bMacintosh\b/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);
    const isInstalled = matchMedia("(display-mode: standalone)").matches
        || navigator.standalone === true;
    if (isApple && !isInstalled) {
        return t("An iPhone or iPad notifies only from the home screen: press Share, then “Add to "
            + "Home Screen”, open Kith from there, and come back to this place.");
    }
    const isOffered = "serviceWorker" in navigator && "PushManager" in window
        && "Notification" in window;
    if (!isOffered) {
        return isSecureContext
            ? t("This browser cannot be notified while the page is closed.")
            : t("Browsers are notified only by pages with https.");
    }
    if (Notification.permission !== "denied") return "";
    return t("This browser does not allow Kith to notify you. You can change that in the browser's "
        + "settings for this page.");
}

/// The channel of this browser, if it has one: its id.
export function ownChannel() {
    const known = readStored(KEY);
    return known?.user === store.state.me?.user ? known?.channel : undefined;
}

/// Asks for permission, and makes this browser a channel. Only after the person has pressed a
/// button for it.
///
/// - Throws: an error in words for the person, or a `Problem`.
export async function subscribe(call) {
    if (await Notification.requestPermission() !== "granted") {
        throw new Error(obstacle() || t("Kith may not notify you as long as you do not allow it."));
    }
    const { pushKey } = await call("channel.list");
    const manager = await pushManager();
    if (!manager) throw new Error(t("This browser cannot be notified while the page is closed."));
    let subscription;
    try {
        subscription = await subscribed(manager, pushKey);
    } catch {
        throw new Error(t("The browser did not get a subscription from the service of its maker. "
            + "Some browsers have that switched off, or have none."));
    }
    await add(subscription, call);
}

/// Whether this browser was a channel until somebody removed it on another device, or the maker of
/// the browser did not know it any more.
export function wasRemoved() {
    const known = readStored(KEY);
    return known?.isLost === true && known.user === store.state.me?.user;
}

/// Restores what has been lost since the page was open last: the channel, which ends with a login,
/// or the subscription, where the service has another key. Asks nobody anything. What was removed
/// while the person stayed logged in here is not restored.
///
/// - Parameter isNewLogin: whether the person has logged in just now.
/// - Returns: whether the channel has turned out to be removed.
export async function keepSubscription(call, { isNewLogin = false } = {}) {
    if (obstacle() || Notification.permission !== "granted") return false;
    const manager = await pushManager();
    const subscription = await manager?.getSubscription();
    if (!subscription) return false;
    const { me } = store.state;
    const known = readStored(KEY);
    // Somebody else's news are not for whoever uses the browser now.
    if (me.demo || (known && known.user !== me.user)) {
        await forgetSubscription();
        return false;
    }
    const { channels, pushKey } = await call("channel.list");
    const isSame = known?.endpoint === subscription.endpoint;
    const isThere = isSame && channels.some(({ channel }) => channel === known.channel);
    if (isThere && keyOf(subscription) === pushKey) return false;
    if (isSame && !isThere && !isNewLogin) {
        await forgetSubscription();
        writeStored(KEY, { user: me.user, isLost: true });
        return true;
    }
    await add(await subscribed(manager, pushKey), call);
    return false;
}

/// Ends the subscription of this browser. The service removes the channel with the login, or when
/// the browser's maker says that it is gone.
export async function forgetSubscription() {
    writeStored(KEY, null);
    const subscription = await (await pushManager())?.getSubscription();
    await subscription?.unsubscribe();
}

/// "Firefox on Android".
export function browserName(agent = navigator.userAgent) {
    const find = (list) => list.find(([, pattern]) => pattern.test(agent))?.[0];
    const [browser, system] = [find(NAMES) ?? t("Browser"), find(SYSTEMS)];
    return system ? t("{browser} on {system}", { browser, system }) : browser;
}

async function pushManager() {
    return (await navigator.serviceWorker?.getRegistration())?.pushManager;
}

async function subscribed(manager, pushKey) {
    const known = await manager.getSubscription();
    if (known && keyOf(known) === pushKey) return known;
    await known?.unsubscribe();
    return manager.subscribe({ userVisibleOnly: true, applicationServerKey: pushKey });
}

/// The key for which it was made, in base64url.
function keyOf({ options }) {
    const bytes = new Uint8Array(options?.applicationServerKey ?? []);
    return btoa(String.fromCharCode(...bytes))
        .replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

async function add(subscription, call) {
    const { user } = store.state.me;
    const { endpoint, keys } = subscription.toJSON();
    const { channel: { channel } } = await call("channel.add", {
        kind: "push", subscription: { endpoint, keys }, label: browserName(),
    });
    writeStored(KEY, { user, channel, endpoint });
}
