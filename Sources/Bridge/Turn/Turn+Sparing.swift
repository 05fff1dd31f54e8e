import Contract

/// What is still done on a full disk.
extension Turn {
    /// Whether the request is refused because the disk is full: it would take the room of calls for
    /// help.
    func lacksRoom(for method: String) -> Bool {
        guard isSparing, let method = Method.named(method) else { return false }
        return !method.isRead && !method.isUrgent && !Turn.servedOnFullDisk.contains(method.name)
            && !Turn.loginsOnFullDisk.contains(method.name)
    }

    static let noRoom = Problem(
        .diskFull,
        "The service's disk is full: it takes only calls for help.")

    /// Besides what only reads, and what is urgent.
    static let servedOnFullDisk: Set<String> = [call, endOfCall, "alert.acknowledge"]

    /// Whoever calls for help, or comes to help, may have to log in first.
    static let loginsOnFullDisk: Set<String> = [
        "account.login", "account.passkey.login", "thirdparty.login",
    ]
}
