import Contract
import JSON
import Testing
import Tracking

@testable import Bridge

extension World {
    struct MadeLink {
        let id: String
        let token: String
    }

    func share(_ who: Sender = "alice", _ fields: String) throws -> MadeLink {
        let reply = try ask(who, "share.create", "{\(fields)}")
        let result = try #require(reply["result"], "\(reply.outcome)")
        return MadeLink(
            id: try #require(result["share"]?.text), token: try #require(result["token"]?.text))
    }

    /// A link to a user's position, for this long.
    func sharePosition(_ who: Sender = "alice", for duration: Duration = .seconds(3600)) throws
        -> MadeLink
    {
        try share(who, #""what":"position","until":\#((now + duration).milliseconds)"#)
    }

    /// The view that a link shows; nil if nothing is retained there.
    func view(_ link: MadeLink) -> JSONValue? {
        retained["kith/shares/\(link.id)/state"].flatMap { $0.isEmpty ? nil : JSONValue.read($0) }
    }

    /// The reply to a guest who opens the link: `ok`, or what is wrong.
    func open(_ link: MadeLink, from guest: String = "visitor") throws -> String {
        let reply = try askAsGuest("share.open", #"{"token":"\#(link.token)"}"#, from: guest)
        return reply["problem"]?["detail"]?.text ?? reply.outcome
    }

    func openings(_ who: Sender = "alice") throws -> [Int] {
        try ask(who, "share.list")["result"]?["shares"]?.elements.compactMap {
            $0["opened"]?.integer.map { Int($0) }
        } ?? []
    }
}

extension World {
    func meters(_ link: MadeLink) -> Int? {
        guard case .number(let latitude)? = view(link)?["fix"]?["latitude"] else { return nil }
        return Meridian.meters(latitude: latitude)
    }
}

extension JSONValue {
    /// The names of an object's members.
    var keys: Set<String> {
        guard case .object(let members) = self else { return [] }
        return Set(members.map(\.key))
    }
}
