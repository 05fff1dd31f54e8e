/// For how long a group sees where I am.

import { serverNow } from "./clock.js";
import { t } from "./language.js";
import { HOUR_MS } from "./units.js";

/// `[{words,until()}]`; `until` is in epoch ms, or null: no end.
export const sharingTimes = [
    { words: t("1 hour"), until: () => serverNow() + HOUR_MS },
    { words: t("Until tonight"), until: () => tonight() },
    { words: t("Until I stop"), until: () => null },
];

/// The next midnight that is at least an hour away.
export function tonight(now = serverNow()) {
    const day = new Date(now + HOUR_MS);
    day.setHours(24, 0, 0, 0);
    return day.getTime();
}
