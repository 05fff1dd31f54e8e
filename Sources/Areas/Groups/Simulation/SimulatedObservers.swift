import Bridge
import Contract
import JSON
import MQTT
import Store
import Tracking

/// Observers: members create and end them, and the operator ends them.
///
/// The engine's oracles check what they receive. Here: the whole group was notified of each, it
/// shows what its group sees, and it is disconnected once it has ended.
final class SimulatedObservers {
    private unowned let world: World
    /// The observers created, in the order in which their tokens were received.
    private var made: [(observer: UUIDv7, group: String)] = []
    private var programs: [ObserverProgram] = []
    /// The users notified of each observer.
    private var told: Set<Telling> = []

    private struct Telling: Hashable {
        let observer: String
        let user: Int64
    }

    init(_ world: World) { self.world = world }

    private func fail(_ description: String) { world.oracles.fail("observers", description) }

    // MARK: Life

    /// One of the latest observers, as fields of `observer.end`.
    var any: String {
        guard let (observer, group) = world.chance.pick(Array(made.suffix(4))) else {
            let nobodys = "01890000-0000-7000-8000-000000000000"
            return
                #""group":"\#(world.area(SimulatedGroups.self).anyKnown)","observer":"\#(nobodys)""#
        }
        return #""group":"\#(group)","observer":"\#(observer)""#
    }

    var events: [(weight: Int, choice: () throws -> Void)] {
        guard !programs.isEmpty else { return [] }
        return [
            (6, { self.world.chance.pick(self.programs)?.act() }),
            (1, { try self.intervene() }),
        ]
    }

    /// Sometimes ends an observer as the operator.
    private func intervene() throws {
        guard world.chance.onceIn(4), let (observer, _) = world.chance.pick(made) else { return }
        try world.operate(.endObserver(observer))
    }

    func pump(all: Bool) {
        for program in programs { program.pump(all ? 100 : world.chance.number(0...10)) }
    }

    func answered(_ request: AskedRequest, _ answer: JSONValue) {
        guard request.method == "observer.create", let result = answer["result"],
            let text = result["token"]?.text, let token = PrincipalToken(text),
            case .bearer(let observer) = token.principal,
            let topic = result["topic"]?.text, let group = request.fields["group"]?.text
        else { return }
        world.oracles.keepSecret(text)
        made.append((observer.id, group))
        let program = ObserverProgram(
            world, number: made.count, observer.id, token, topic: topic)
        if programs.count == SimulatedObservers.maximumPrograms {
            programs.removeAll { !$0.isConnected }
        }
        if programs.count < SimulatedObservers.maximumPrograms { programs.append(program) }
        program.act()
    }

    private static let maximumPrograms = 6

    // MARK: On disk, and at rest

    private static let notices = "INSERT INTO notices"
    static var statements: [String] { [notices] }

    func committed(_ rows: [Written]) {
        for row in rows
        where row.begins(with: SimulatedObservers.notices)
            && row.text(2) == NoticeKind.observerAdded.filed
        {
            let details = JSONValue.of(row.blob(3) ?? [])
            guard let user = row.integer(1), let observer = details["observer"]?.text else {
                continue
            }
            told.insert(Telling(observer: observer, user: user))
        }
    }

    func checkRest() {
        let known = world.oracles.read { transaction in
            (observers: try transaction.observers(), members: try transaction.memberships())
        }
        guard let known else { return }
        for row in known.observers {
            let members = known.members.filter { $0.group == row.group }.map(\.user)
            if !members.contains(row.user) { fail("\(row.id) outlasts its maker's membership") }
            for user in members
            where !told.contains(Telling(observer: row.id.description, user: user.rawValue)) {
                fail("user \(user.rawValue) was not told of \(row.id)")
            }
        }
        let open = Set(known.observers.map(\.id))
        for program in programs where program.isConnected {
            guard open.contains(program.observer) else {
                fail("\(program.observer) is connected after its end")
                continue
            }
            if let topic = program.difference(from: world.broker.state.retained) {
                fail("\(program.observer) does not see what is retained on \(topic)")
            }
        }
    }

    // MARK: Planted bugs

    static var canaries: [Canary] { [forgetObservers, keepObservers] }

    /// Bug: the gate does not learn that an observer has ended, and continues delivering to it.
    private static var forgetObservers: Canary {
        Canary("forgetObservers", foundBy: "access", "observers") { attempted in
            guard attempted.sql.hasPrefix("INSERT INTO access_changes"),
                case .text(let principal)? = attempted.values.first,
                principal.hasPrefix(Grant.Kind.observer.row.prefix)
            else { return nil }
            return .skipped
        }
    }

    /// Bug: observers remain when their creator leaves, and when they are ended.
    private static var keepObservers: Canary {
        Canary("keepObservers", foundBy: "access", "observers") { attempted in
            attempted.sql.hasPrefix("DELETE FROM observers WHERE id = ?") ? .skipped : nil
        }
    }
}
