/// This browser as a channel that reaches its user while no page is open (Web Push).

import { t } from "./language.js";
import { readStored, writeStored } from "./storage.js";
import { store } from "./store.js";

/// `{user,channel,endpoint}`: the owner of this browser's subscription; `{user,isLost}`: its owner
/// until the channel was removed elsewhere.
const KEY = "kith.push";
const NAMES = [
    ["Edge", /\bEdg/], ["Opera", /\bOPR\//], ["Firefox", /\b(?:Firefox|FxiOS)\//],
    ["Chrome", /\b(?:Chrome|CriOS)\//], ["Safari", /\bSafari\//],
];
const SYSTEMS = [
    ["Android", /\bAndroid\b/], ["iPhone", /\biPhone\b/], ["iPad", /\biPad\b/],
    ["Windows", /\bWindows\b/], ["Mac", /\bMacintosh\b/], ["Linux", /\bLinux\b/],
];

/// The obstacle to subscribing, in words; empty if there is none.
export function obstacle() {
    const isApple = /\biP(?:hone|ad|od)\b/.test(navigator.userAgent)
        || (/\bMacintosh\b/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);
    const isInstalled = matchMedia("(display-mode: standalone)").matches
        || navigator.standalone === true;
    if (isApple && !isInstalled) {
        return t("On iPhone and iPad, notifications work only from the home screen: press Share, then "
            + "“Add to Home Screen”, open Kith from there and come back here.");
    }
    const isOffered = "serviceWorker" in navigator && "PushManager" in window
        && "Notification" in window;
    if (!isOffered) {
        return isSecureContext
            ? t("This browser cannot notify you while the page is closed.")
            : t("Browser notifications need a page with https.");
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

/// Asks for permission, and makes this browser a channel. Call only after the user has pressed a
/// button for it.
///
/// - Throws: an error in words for the user, or a `Problem`.
export async function subscribe(call) {
    if (await Notification.requestPermission() !== "granted") {
        throw new Error(obstacle() || t("Kith can't notify you until you allow it."));
    }
    const { pushKey } = await call("channel.list");
    const manager = await pushManager();
    if (!manager) throw new Error(t("This browser cannot notify you while the page is closed."));
    let subscription;
    try {
        subscription = await subscribed(manager, pushKey);
    } catch {
        throw new Error(t("Your browser couldn't register with its push service. Some browsers have it "
            + "switched off, or have none."));
    }
    await add(subscription, call);
}

/// Whether this browser was a channel until it was removed on another device, or its maker's
/// service dropped it.
export function wasRemoved() {
    const known = readStored(KEY);
    return known?.isLost === true && known.user === store.state.me?.user;
}

/// Restores what was lost since the page was last open: the channel, which ends with a login, or
/// the subscription if the service has another key. Never prompts. A channel removed while the user
/// stayed logged in here is not restored.
///
/// - Parameter isNewLogin: whether the user has just logged in.
/// - Returns: whether the channel was found to be removed.
export async function keepSubscription(call, { isNewLogin = false } = {}) {
    if (obstacle() || Notification.permission !== "granted") return false;
    const manager = await pushManager();
    const subscription = await manager?.getSubscription();
    if (!subscription) return false;
    const { me } = store.state;
    const known = readStored(KEY);
    // Another user's notifications must not reach the browser's current user.
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
/// the browser's maker reports it gone.
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
