import Contract
import JSON
import MQTT
import Store
import Tracking

/// People who share their position with friends individually.
final class SimulatedFriends: SimulatedArea {
    unowned let world: World

    init(_ world: World) { self.world = world }

    // MARK: Life

    static var asks: [Ask<Phone>] {
        [
            Ask(14, "friend.add") { #""user":"\#($0.somebody)""# },
            Ask(2, "friend.remove") { #""user":"\#($0.somebody)""# },
            Ask(20, "friend.share") { phone in
                let hasFix = phone.world.chance.happens(30)
                let fix = hasFix ? #","fix":{"latitude":46.001,"longitude":14.5}"# : ""
                return #""with":\#(phone.someFriends)\#(fix)"#
            },
            Ask(9, "friend.unshare") { #""with":\#($0.someFriends)"# },
            Ask(2, "friend.nearby") { _ in #""radius":5000"# },
            Ask(2, "friend.list") { phone in
                let list = phone.world.chance.pick(["friends", "sharers", "blocked"]) ?? "friends"
                return #""of":"\#(list)""#
            },
            Ask(1, "friend.block") { #""user":"\#($0.somebody)""# },
            Ask(2, "friend.unblock") { #""user":"\#($0.somebody)""# }, Ask(2, "location.off"),
        ]
    }

    // MARK: Attempts

    func targets(_ victim: Name) -> Targets {
        Targets(filters: ["kith/users/\(victim)/location", "kith/users/+/location"])
    }

    static var adversaryAsks: [Ask<Adversary>] {
        [Ask(1, "friend.list"), Ask(1, "sharing.list"), Ask(1, "location.off")]
    }

    func attacks(by adversary: Adversary) -> [(weight: Int, choice: () -> Void)] {
        [(5, { self.nag(adversary) })]
    }

    /// Causes many notices in a row for one person.
    private func nag(_ adversary: Adversary) {
        guard let victim = world.chance.pick(world.phones)?.user else { return }
        let loops = [
            [("friend.share", "with"), ("friend.unshare", "with")],
            [("friend.add", "user"), ("friend.remove", "user")],
        ]
        for _ in 0..<world.chance.number(1...20) {
            for (method, field) in world.chance.pick(loops) ?? [] {
                let whom = field == "with" ? #"["\#(victim)"]"# : #""\#(victim)""#
                adversary.send(
                    Message(
                        topic: adversary.own("requests/\(method)"),
                        payload: Array(#"{"\#(field)":\#(whom)}"#.utf8)))
            }
        }
    }

    // MARK: Topics

    func filters(of user: Name) -> [String] { [world.topics.string(.notices(user))] }

    func connected(_ phone: Phone) {
        for friend in phone.friends.shown.sorted() { phone.look(at: friend) }
    }

    func received(_ message: Message, on topic: Topic, by phone: Phone) {
        guard case .notices = topic else { return }
        let notice = JSONValue.of(message.payload)
        guard notice["kind"]?.text == "location-shared",
            let friend = notice["user"]?.text.flatMap({ Name($0) })
        else { return }
        phone.friends.shown.insert(friend)
        phone.look(at: friend)
    }

    // MARK: Oracles

    /// Checks against the lists themselves rather than the rights derived from them.
    func delivered(_ message: Message, on topic: Topic, to viewer: Name) {
        guard case .location(let owner) = topic, owner != viewer else { return }
        let isShown = world.oracles.read { transaction in
            guard let from = try transaction.user(owner)?.id,
                let to = try transaction.user(viewer)?.id
            else { return false }
            let row = try transaction.friend(to, of: from)
            let isHidden = try transaction.hasBlocked(to, from)
            return row?.sharedSince != nil && !isHidden
        }
        if isShown == false { world.oracles.fail("locations", "\(viewer) got where \(owner) is") }
    }

    /// Checks that all friends reported nearby are visible, or were at the time of the request.
    func answered(_ request: AskedRequest, _ answer: JSONValue, to phone: Phone) {
        guard request.method == "friend.nearby",
            world.oracles.changedAt[phone.user].map({ $0 < request.at }) ?? true,
            let friends = answer["result"]?["friends"]?.elements
        else { return }
        let inSight = world.oracles.access[phone.user]?.facts.friendsInSight ?? []
        for case let friend? in friends.map({ $0["user"]?.text.flatMap { Name($0) } })
        where !inSight.contains(friend) {
            world.oracles.fail("answers", "\(phone.id) finds \(friend) nearby")
        }
    }

    static func rows(in transaction: Transaction) throws(StoreError) -> [String] {
        var rows: [String] = []
        for user in try transaction.users() {
            for row in try transaction.friends(of: user.id, atMost: .max) {
                rows.append("friend of \(user.id.rawValue): \(row)")
            }
            for row in try transaction.blocked(by: user.id, atMost: .max) {
                rows.append("blocked by \(user.id.rawValue): \(row)")
            }
        }
        return rows
    }

    static var canaries: [Canary] { [hideUnsharing] }

    /// Bug: the gate is not notified when a user stops sharing with a friend.
    private static var hideUnsharing: Canary {
        let ends = [
            "UPDATE friends SET shared_since_ms = NULL", "DELETE FROM friends",
            "INSERT INTO blocks",
        ]
        return Canary("hideUnsharing", foundBy: "locations") { attempted in
            guard attempted.sql.hasPrefix("INSERT INTO access_changes"),
                ends.contains(where: { attempted.previous.hasPrefix($0) })
            else { return nil }
            return .skipped
        }
    }
}

/// A phone's knowledge of its owner's friends.
final class FriendMemory: PhoneMemory {
    /// Users who have shared their position, and may have stopped since.
    var shown: Set<Name> = []

    init() {}
}

extension Phone {
    var friends: FriendMemory { memory() }

    /// The argument of methods for several friends: all of them, or one.
    fileprivate var someFriends: String {
        world.chance.happens(50) ? #""all""# : #"["\#(somebody)"]"#
    }

    fileprivate func look(at friend: Name) {
        guard let wire, wire.isOpen else { return }
        let quality: QoS = world.chance.happens(50) ? .atLeastOnce : .atMostOnce
        world.broker.subscribe(world.topics.string(.location(friend)), quality, wire)
    }
}
