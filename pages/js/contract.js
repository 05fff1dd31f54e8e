/// Made from the tables of the contract by `kith contract-tables page`: a test compares.

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
    "channel.list",
    "vitals.list",
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
    "account.passkey.list",
    "account.passkey.challenge",
    "account.export",
    "device.list",
    "system.health",
]);

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
};
