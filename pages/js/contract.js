/// Made from the tables of the contract by `kith-dev contract-tables page`: a test compares.

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

/// The kinds of alerts that ask for somebody at once.
export const CALLS_FOR_HELP = new Set([
    "sos",
    "in-need",
    "unanswered",
]);

/// Bounds that forms keep to: lengths in characters, radii in metres, from and to.
export const LIMITS = {
    name: 64,
    chatText: 4000,
    importSource: 64,
    placeRadius: [50, 10000],
    usualPlaceRadius: 150,
    reminderRadius: [20, 50000],
};

/// What a person may hear, below the root of the installation.
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
