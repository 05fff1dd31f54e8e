import Contract
import Foundation
import TestSupport

/// The people known to the gatekeeper of ``Gates``, in a database that is made once: Annika and
/// Borys are a family, Celine works alone, Borys shares his position with Annika.
struct GateTown: Sendable {
    let path: String
    /// By `annika.phone`, and by `kith:bridge`.
    let tokens: [String: String]

    static let family = GroupKey.family.text
    static let work = GroupKey.work.text
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
        let town = try Town(in: directory.path)
        try town.add("annika", since: Payloads.now, "phone", "tablet")
        try town.add("borys", since: Payloads.now, "phone")
        try town.add("celine", since: Payloads.now, "phone")
        try town.found(.family, "annika", "borys")
        try town.found(.work, "celine")
        try town.share("borys", with: "annika")
        path = town.path
        tokens = town.tokens.filter { !$0.key.hasPrefix("kith:") || $0.key == "kith:bridge" }
    }

    private static let directory = FileManager.default.temporaryDirectory
        .appending(path: "kith-fuzz-\(ProcessInfo.processInfo.processIdentifier)")
}
