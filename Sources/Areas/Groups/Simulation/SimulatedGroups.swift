import Bridge
import Contract
import JSON
import MQTT
import Store
import Tracking

/// People who create groups, add each other and share their positions.
final class SimulatedGroups: SimulatedArea {
    unowned let world: World
    /// Keyed by row id.
    private(set) var keys: [Int64: GroupKey] = [:]
    /// The time at which each user joined each group.
    private(set) var memberSince: [Name: [GroupKey: Duration]] = [:]
    /// The last removal of each user from each group.
    private var memberUntil: [Name: [GroupKey: Duration]] = [:]
    /// The last published state of each member, by topic.
    private var versions: [String: (version: Int64, payload: [UInt8])] = [:]
    private var isPopulated = false
    private(set) lazy var observers = SimulatedObservers(world)

    init(_ world: World) { self.world = world }

    var known: [GroupKey] { keys.values.sorted() }
    var anyKnown: String { world.chance.pick(known)?.text ?? "x" }

    // MARK: Life

    static var asks: [Ask<Phone>] {
        [
            Ask(14, "sharing.start") { #""groups":\#($0.someGroups)"# },
            Ask(3, "sharing.start") {
                #""groups":\#($0.someGroups),"until":\#($0.soon.milliseconds)"#
            },
            Ask(5, "sharing.stop") { #""groups":\#($0.someGroups)"# },
            Ask(2, "sharing.pause") { #""until":\#($0.soon.milliseconds)"# },
            Ask(1, "sharing.resume"),
            Ask(3, "sharing.precision") { phone in
                let precision = phone.world.chance.pick(Precision.allCases) ?? .exact
                return #""group":"\#(phone.anyGroup)","precision":"\#(precision.rawValue)""#
            },
            Ask(1, "sharing.list"), Ask(3, "group.create") { _ in #""name":"G#""# },
            Ask(8, "group.add") { #""group":"\#($0.anyGroup)","user":"\#($0.somebody)""# },
            Ask(4, "group.remove") { #""group":"\#($0.anyGroup)","user":"\#($0.somebody)""# },
            Ask(2, "group.leave") { #""group":"\#($0.anyGroup)""# },
            Ask(2, "group.rename") { #""group":"\#($0.anyGroup)","name":"N#""# },
            Ask(2, "observer.create") { #""group":"\#($0.anyGroup)","name":"O#""# },
            Ask(2, "observer.end") { $0.world.area(SimulatedGroups.self).observers.any },
            Ask(2, "group.list"), Ask(3, "members.get") { #""group":"\#($0.anyGroup)""# },
        ]
    }

    var events: [(weight: Int, choice: () throws -> Void)] {
        [(1, { try self.intervene() })] + observers.events
    }

    func pump(all: Bool) { observers.pump(all: all) }

    /// Acts as the operator.
    private func intervene() throws {
        guard let user = world.chance.pick(world.phones)?.user,
            let group = world.chance.pick(known)
        else { return }
        try world.operate(
            world.chance.happens(75) ? .addMember(group, user) : .removeMember(group, user))
    }

    func settle() throws {
        for (name, first) in [("Family", "ann"), ("Work", "cid")] {
            guard let first = Name(first) else { continue }
            try world.operate(.createGroup(try DisplayName(name), firstMember: first))
        }
    }

    func populate() throws -> Bool {
        guard !isPopulated, known.count == 2 else { return isPopulated }
        isPopulated = true
        // A hostile user is a member like others.
        let hostile = world.adversary.map { [$0.user.text] } ?? []
        for (group, names) in zip(
            known, [["ann", "ben", "cid"] + hostile, ["cid", "ann", "dee"]])
        {
            for name in names.compactMap({ Name($0) }) {
                try world.operate(.addMember(group, name))
            }
        }
        return true
    }

    // MARK: Attempts

    func targets(_ victim: Name) -> Targets {
        let group = anyKnown
        let topics = ["kith/groups/\(group)/members/\(victim)", "kith/users/\(victim)/groups"]
        return Targets(
            filters: topics + [
                "kith/groups/#", "kith/groups/\(group)/#", "$share/x/kith/groups/\(group)/#",
            ], topics: topics)
    }

    static var adversaryAsks: [Ask<Adversary>] {
        [
            Ask(1, "group.list"), Ask(1, "members.get") { #""group":"\#($0.anyGroup)""# },
            Ask(1, "group.create") { _ in #""name":"M#""# },
            Ask(1, "group.leave") { #""group":"\#($0.anyGroup)""# },
            Ask(1, "sharing.start") { _ in #""groups":"all""# },
            Ask(1, "sharing.stop") { #""groups":["\#($0.anyGroup)"]"# },
            Ask(1, "observer.create") { #""group":"\#($0.anyGroup)","name":"M#""# },
            Ask(1, "observer.end") { $0.world.area(SimulatedGroups.self).observers.any },
        ]
    }

    // MARK: Topics

    func filters(of user: Name) -> [String] { [world.topics.string(.userGroups(user))] }

    // MARK: For the oracles

    static var statements: [String] { SimulatedObservers.statements }

    func committed(_ rows: [Written]) { observers.committed(rows) }

    func rightsChanged(_ users: [(Name, UserAccess?)], in transaction: Transaction)
        throws(StoreError)
    {
        for group in try transaction.groups() { keys[group.id.rawValue] = group.key }
        for (name, access) in users {
            let before = memberSince[name] ?? [:]
            var now: [GroupKey: Duration] = [:]
            for group in access?.facts.groups ?? [] { now[group] = before[group] ?? world.steady }
            for group in before.keys where now[group] == nil {
                memberUntil[name, default: [:]][group] = world.steady
            }
            memberSince[name] = now
        }
    }

    func wasMember(_ user: Name, _ group: GroupKey, since time: Duration) -> Bool {
        memberSince[user]?[group] != nil || memberUntil[user]?[group].map { $0 >= time } ?? false
    }

    func published(_ message: Message, on topic: Topic) {
        guard case .member = topic, !message.payload.isEmpty else { return }
        let state = JSONValue.of(message.payload)
        checkPrecision(state, message.topic)
        let version = state["version"]?.integer ?? -1
        if let last = versions[message.topic] {
            if version < last.version {
                world.oracles.fail("versions", "\(message.topic): \(version) after \(last.version)")
            } else if version == last.version, last.payload != message.payload {
                world.oracles.fail(
                    "versions", "\(message.topic): two states of version \(version)")
            }
        }
        versions[message.topic] = (version, message.payload)
    }

    /// Checks that outside of an SOS a group with low precision sees the centre of a cell.
    private func checkPrecision(_ state: JSONValue, _ topic: String) {
        guard let precision = state["precision"]?.text.flatMap({ Precision(rawValue: $0) }),
            state["state"]?.text != "sos", let fix = state["fix"],
            case .number(let latitude)? = fix["latitude"],
            case .number(let longitude)? = fix["longitude"],
            let place = Coordinate(latitude: latitude, longitude: longitude)
        else { return }
        let shown = Fix(coordinate: place, takenAt: world.wall, receivedAt: world.wall)
        if shown.shown(precision).coordinate != place {
            world.oracles.fail("precision", "\(topic) says more than \(precision)")
        }
    }
}

extension Phone {
    /// A time within the simulation.
    fileprivate var soon: Timestamp { world.wall + .seconds(Int64(world.chance.number(61...300))) }
}

extension Adversary {
    var anyGroup: String { world.chance.pick(groups)?.text ?? "none" }
}
