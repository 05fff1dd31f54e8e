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

    /// `{passkey,label,synced,addedAt,usedAt?}`.
    public var payload: [UInt8] {
        JSONWriter.object { json in
            json.key("passkey")
            json.string(id.description)
            json.key("label")
            json.string(label)
            json.key("synced")
            json.bool(isSynced)
            json.key("addedAt")
            json.time(addedAt)
            guard let usedAt else { return }
            json.key("usedAt")
            json.time(usedAt)
        }
    }
}

extension ExportItem {
    /// - Parameter credential: the id chosen by the authenticator.
    public static func passkey(_ passkey: PasskeyMessage, credential: String) -> ExportItem {
        ExportItem("passkey") { json in
            json.key("passkey")
            json.raw(passkey.payload)
            json.key("credential")
            json.string(credential)
        }
    }
}
