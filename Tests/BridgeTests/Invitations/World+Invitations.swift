import Contract
import JSON
import Store
import Testing
import Tracking

@testable import Bridge

extension World {
    /// Puts the adder on people's friend lists, and can then add those people to groups.
    func letAdd(_ adder: Name, _ people: Name...) throws {
        let now = now
        try store.transaction { transaction in
            guard let friend = try transaction.user(adder)?.id else { return }
            for name in people {
                guard let user = try transaction.user(name)?.id else { continue }
                try transaction.insertFriend(friend, of: user, at: now)
            }
        }
    }

    /// A link to a group, as its token and id.
    func link(
        _ who: Sender = "alice", _ group: String = "family", _ more: String = ""
    ) throws -> (token: String, id: String) {
        let reply = try ask(who, "group.invite", #"{"group":"$\#(group)"\#(more)}"#)
        let result = try #require(reply["result"], "\(reply.outcome)")
        return (
            try #require(result["token"]?.text), try #require(result["invitation"]?.text)
        )
    }

    /// The reply to a user who accepts the link: `ok`, or what is wrong.
    func accept(_ who: Sender, _ token: String) throws -> String {
        let reply = try ask(who, "invitation.accept", #"{"token":"\#(token)"}"#)
        guard reply.outcome == "invitation-over" else { return reply.outcome }
        return reply["problem"]?["detail"]?.text ?? "?"
    }

    /// A user's pending invitations, as `alice to Family`.
    func invitations(for who: Sender) throws -> [String] {
        try received(who).map { "\($0["by"]?.text ?? "?") to \($0["name"]?.text ?? "?")" }
    }

    func received(_ who: Sender) throws -> [JSONValue] {
        // Later turns decide them.
        try pass(.seconds(1))
        return try ask(who, "invitation.list")["result"]?["invitations"]?.elements ?? []
    }

    /// The open invitations that a group's members see, as `carol by alice`, or `link by alice`.
    func openInvitations(_ group: String = "family", for who: Sender = "alice") throws -> [String] {
        try pass(.seconds(1))
        let reply = try ask(who, "invitation.list", #"{"group":"$\#(group)"}"#)
        return (reply["result"]?["invitations"]?.elements ?? []).map {
            let whom = $0["user"]?.text ?? $0["email"]?.text ?? "link"
            return "\(whom) by \($0["by"]?.text ?? "?")"
        }
    }

    func members(_ group: String = "family") -> [String] {
        engine.memory.group(names[group])?.members.map(\.name.text) ?? []
    }
}
