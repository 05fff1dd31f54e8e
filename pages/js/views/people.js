/// People: who sees me, my friends, who is nearby.

import { h, write } from "../dom.js";
import { problemText } from "../form.js";
import { t } from "../language.js";
import { withRetry } from "../retry.js";
import { fetchAll } from "../pagination.js";
import { makeBlocked, makeFriends, makeSharers } from "../people/friends.js";
import { makeNearby } from "../people/nearby.js";
import { makeNotices } from "../people/notices.js";
import { makeWatchers } from "../people/watchers.js";
import { loadOwn } from "../places/own-data.js";
import { makeLinks } from "../share-links/links.js";
import { isLive } from "../store.js";

/// How often ages of positions are refreshed.
const TICK_MS = 15_000;
/// The pause after a temporary failure.
const AGAIN_MS = 5_000;

export function mount(root, shell) {
    const app = { ...shell, call: withRetry(shell.call) };
    const error = h("p", { class: "error", role: "alert" });
    const watchers = makeWatchers(app, () => load());
    const friends = makeFriends(app, () => load());
    const sharers = makeSharers(app, () => load());
    const blocked = makeBlocked(app, () => load());
    const nearby = makeNearby(app);
    const links = makeLinks(app, () => load());
    const notices = makeNotices(app);
    root.append(h("div", { class: "panel" },
        h("h1", null, t("People")), error, notices.element, watchers.element, links.element,
        friends.element,
        sharers.element, nearby.element, blocked.element));

    let isShown = false;
    let turn = 0;
    let timer = null;
    let known = null;
    const listen = () => {
        if (!isShown) return;
        notices.update(app.store.state);
        if (known) sharers.update(known);
        watchers.summarize();
    };
    let ends = [];

    async function load() {
        notices.load();
        links.load();
        loadOwn(app.call).catch(() => {});
        const mine = (turn += 1);
        const list = (of) => fetchAll(app.call, "friend.list", { of }, "friends");
        try {
            const [own, showing, off, seeing, account] = await Promise.all([
                list("friends"), list("sharers"), list("blocked"),
                fetchAll(app.call, "sharing.list", {}, "watchers"),
                app.call("account.get"),
            ]);
            if (mine !== turn) return;
            write(error, "");
            known = showing;
            friends.update(own);
            sharers.update(showing);
            blocked.update(off);
            watchers.update(seeing, account);
            app.live?.refreshFriends?.().catch(() => {});
        } catch (problem) {
            if (mine !== turn) return;
            write(error, problemText(problem));
            if (problem.isPassing) setTimeout(() => mine === turn && isShown && load(), AGAIN_MS);
        }
    }

    /// The sharing state, from groups and member states.
    let sharing = "";
    function loadWhenSharingChanged({ me, groups }) {
        const now = JSON.stringify([isLive(), ...[...groups.values()].map((group) => [
            group.group, group.states.get(me?.user)?.state, group.members.length,
            group.observers.length,
        ])]);
        if (now === sharing) return;
        sharing = now;
        if (isShown) load();
    }

    return {
        show() {
            if (!isShown) {
                isShown = true;
                ends = [
                    app.store.listen((state) => {
                        loadWhenSharingChanged(state);
                        listen();
                    }),
                    app.live?.onNotice?.(() => load()),
                ];
                timer = setInterval(listen, TICK_MS);
            }
            listen();
            load();
        },
        hide() {
            isShown = false;
            notices.leave(app.store);
            for (const end of ends) end?.();
            ends = [];
            clearInterval(timer);
        },
    };
}
