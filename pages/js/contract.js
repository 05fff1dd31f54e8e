/// Generated from the contract's tables by `kith-dev contract-tables page`; a test compares them.

/// The methods that change nothing.
export const READS = new Set([
    "group.list",
    "members.get",
    "invitation.list",
    "invitation.get",
    "path.get",
    "share.list",
    "alert.list",
    "sharing.list",
    "friend.list",
    "friend.nearby",
    "chat.history",
    "notice.list",
    "unread.list",
    "channel.list",
    "vitals.list",
    "emergency.get",
    "incident.list",
    "maintenance.list",
    "run.list",
    "run.get",
    "run.results",
    "place.list",
    "place.get",
    "geofence.list",
    "geofence.rule.list",
    "reminder.list",
    "position.list",
    "import.list",
    "service.list",
    "service.discover",
    "consent.list",
    "access.log",
    "data.users",
    "data.get",
    "cohort.query",
    "cohort.list",
    "account.get",
    "avatar.get",
    "account.passkey.list",
    "account.passkey.challenge",
    "account.export",
    "device.list",
    "user.list",
    "system.health",
]);

/// The kinds of alerts that call for immediate help.
export const CALLS_FOR_HELP = new Set([
    "sos",
    "in-need",
    "unanswered",
]);

/// The limits of form fields: lengths in characters, radii in metres, minimum and maximum.
export const LIMITS = {
    name: 64,
    chatText: 4000,
    importSource: 64,
    placeRadius: [50, 10000],
    usualPlaceRadius: 150,
    reminderRadius: [20, 50000],
};

/// The topics that a person may receive, without the installation's root.
export const TOPICS = {
    userGroups: "users/{user}/groups",
    group: "groups/{group}",
    member: "groups/{group}/members/{user}",
    path: "groups/{group}/members/{user}/path/{n}",
    alerts: "groups/{group}/alerts",
    location: "users/{user}/location",
    chat: "groups/{group}/chat",
    notices: "users/{user}/notices",
    unread: "users/{user}/unread",
    run: "runs/{run}",
    runner: "runs/{run}/runners/{bib}",
    standings: "runs/{run}/standings",
    standingsPage: "runs/{run}/standings/{page}",
};
