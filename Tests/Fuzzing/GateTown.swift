import Contract
import Foundation
import Store
import Tracking

/// The people known to the gatekeeper of ``Gates``, in a database that is made once: Annika and
/// Borys are a family, Celine works alone, Borys shares his position with Annika.
struct GateTown: Sendable {
    let path: String
    /// By `annika.phone`, and by `kith:bridge`.
    let tokens: [String: String]

    static let family = "FamilyFamilyFamily_-09"
    static let work = "WorkWorkWorkWorkWork00"
    static let people = ["annika", "borys", "celine"]
    private static let devices = [
        ("annika", "phone"), ("annika", "tablet"), ("borys", "phone"), ("celine", "phone"),
    ]

    /// The topics of messages that the broker has or may receive.
    static let topics: [String] = {
        var topics = ["kith/system/status", "kith/bridge/connections", "kith/system/metrics/a"]
        for group in [family, work] {
            topics += ["", "/alerts", "/chat", "/members/annika", "/members/celine/path/1"]
                .map { "kith/groups/\(group)\($0)" }
        }
        for person in people {
            topics += ["/groups", "/notices", "/location"].map { "kith/users/\(person)\($0)" }
            topics += ["/phone", "/phone/cmd", "/@borys", "/@borys/info"]
                .map { "owntracks/\(person)\($0)" }
        }
        for (person, device) in devices {
            topics += [
                "fix", "status", "replies", "replies/a", "rejected", "stored", "requests/a",
            ].map { "kith/users/\(person)/devices/\(device)/\($0)" }
        }
        for guest in ["visitor", "other"] {
            topics += ["replies", "replies/a", "requests/a"].map { "kith/guests/\(guest)/\($0)" }
        }
        return topics
    }()

    static let shared = Result { try GateTown() }

    private init() throws {
        let directory = GateTown.directory
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        // The database is deleted with the process.
        atexit {
            do { try FileManager.default.removeItem(at: GateTown.directory) } catch {}
        }
        path = directory.appending(path: "kith.db").path
        let store = try Store.open(path, at: Payloads.now)
        var random = SystemRandomNumberGenerator()
        var tokens: [String: String] = [:]
        try store.transaction { transaction throws(StoreError) in
            let bridge = SystemToken(.bridge, using: &random)
            try transaction.setTokenHash(bridge.hash, ofSystem: "kith:bridge")
            tokens["kith:bridge"] = bridge.text
            var users: [String: UserID] = [:]
            for person in GateTown.people {
                users[person] = try transaction.insertUser(
                    GateTown.name(person), displayName: person, email: nil,
                    ownTracksPublishIsSOS: false, at: Payloads.now)
            }
            for (person, device) in GateTown.devices {
                guard let user = users[person] else { continue }
                let token = DeviceToken(
                    user: GateTown.name(person), device: GateTown.name(device), using: &random)
                let id = try transaction.insertDevice(
                    GateTown.name(device), of: user, using: .kith, at: Payloads.now)
                try transaction.setTokenHash(token.hash, of: id)
                tokens["\(person).\(device)"] = token.text
            }
            for (text, members) in [
                (GateTown.family, ["annika", "borys"]), (GateTown.work, ["celine"]),
            ] {
                guard let key = GroupKey(text) else { preconditionFailure("it is a key") }
                let group = try transaction.insertGroup(key, name: "A group", at: Payloads.now)
                for user in members.compactMap({ users[$0] }) {
                    try transaction.insertMembership(group, user, at: Payloads.now)
                }
            }
            if let annika = users["annika"], let borys = users["borys"] {
                try transaction.insertFriend(annika, of: borys, at: Payloads.now)
                try transaction.share(borys, with: [annika], since: Payloads.now)
            }
        }
        self.tokens = tokens
    }

    private static func name(_ text: String) -> Name {
        guard let name = Name(text) else { preconditionFailure("the town has proper names") }
        return name
    }

    private static let directory = FileManager.default.temporaryDirectory
        .appending(path: "kith-fuzz-\(ProcessInfo.processInfo.processIdentifier)")
}
