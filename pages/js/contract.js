/// Made from the tables of the contract by `kith contract-tables page`: a test compares.

/// The methods that change nothing.
export const READS = new Set([
    "group.list",
    "sharing.list",
    "members.get",
    "path.get",
    "alert.list",
    "friend.list",
    "friend.nearby",
    "chat.history",
    "account.get",
    "account.export",
    "device.list",
]);
