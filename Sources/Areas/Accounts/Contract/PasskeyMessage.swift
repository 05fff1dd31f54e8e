internal import JSON
public import Tracking

/// A passkey as its owner sees it.
public struct PasskeyMessage: Sendable {
    public let id: UUIDv7
    public let label: String
    /// Whether it may be on several devices of its owner.
    public let isSynced: Bool
    public let addedAt: Timestamp
    /// The last login with it.
    public let usedAt: Timestamp?

    /// The label if its owner chooses none.
    public static let label = "Passkey"

    public init(id: UUIDv7, label: String, isSynced: Bool, addedAt: Timestamp, usedAt: Timestamp?) {
        (self.id, self.label, self.isSynced) = (id, label, isSynced)
        (self.addedAt, self.usedAt) = (addedAt, usedAt)
    }

    public static let payload = Payload<PasskeyMessage>(
        "Passkey",
        .init("passkey", .uuid) { $0.id },
        .init("label", .text) { $0.label },
        .init("synced", .boolean) { $0.isSynced },
        .init("addedAt", .time) { $0.addedAt },
        .init("usedAt", .time) { $0.usedAt })
}

extension ExportItem {
    /// - Parameter credential: the id chosen by the authenticator.
    public static func passkey(_ passkey: PasskeyMessage, credential: String) -> ExportItem {
        ExportItem("passkey") { json in
            json.members(AccountResult.passkey, passkey)
            json.key("credential")
            json.string(credential)
        }
    }
}
