import Bridge
import Contract
import Store
import Tracking

/// A bridge that suffers no faults: it replays every turn that the real one has committed, on a
/// store of its own. Both must publish the same.
final class Shadow {
    private let database: TemporaryDatabase
    let store: Store
    private let engine: Engine
    private let dice = Dice()
    private let topics: TopicSpace

    init(_ settings: BridgeSettings, at now: Timestamp) throws {
        topics = settings.topics
        database = try TemporaryDatabase()
        store = try Store.open(database.path, at: now)
        engine = try Engine(store, settings, random: dice)
    }

    func take(_ input: TurnInput, seed: UInt64) throws {
        dice.begin(seed)
        _ = try engine.repeatTurn(input)
        // The real bridge does the work.
        _ = engine.takeWork((any Work).self)
    }

    /// Returns the difference, or nil.
    func difference(from other: Engine) throws -> String? {
        let (mine, theirs) = (try Shadow.retained(engine), try Shadow.retained(other))
        for topic in Set(mine.keys).union(theirs.keys).sorted() where mine[topic] != theirs[topic] {
            if Shadow.isRemade(topic, topics) { continue }
            if engine.isUncounted(topic) || other.isUncounted(topic) { continue }
            let texts = [mine[topic], theirs[topic]].map { payload in
                payload.map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
            }
            return "\(topic) should be \(texts[0]), and is \(texts[1])"
        }
        return nil
    }

    /// See `SimulatedArea.remade`.
    static func isRemade(_ topic: String, _ topics: TopicSpace) -> Bool {
        guard case .listed(let kind)? = topics.parse(topic)?.kind else { return false }
        return simulatedAreas.contains { $0.remade.contains(kind) }
    }

    /// Returns fixes, waiting requests and the areas' rows, one line each. The remains of erased
    /// users are left out, with the numbers of their fixes: they are deleted at their own pace.
    static func rows(_ store: Store) throws -> Set<String> {
        try store.transaction { transaction in
            var rows: Set<String> = []
            let devices = Set(try transaction.devices().map(\.id))
            try transaction.fixes(after: FixID(rawValue: 0)) { row in
                guard devices.contains(row.device) else { return }
                rows.insert("fix of \(row.device.rawValue): \(row.fix)")
            }
            try transaction.waitingRequests { row, request in
                rows.insert("waiting \(row): \(request.method) of \(request.device.rawValue)")
            }
            for area in simulatedAreas { rows.formUnion(try area.rows(in: transaction)) }
            return rows
        }
    }

    static func retained(_ engine: Engine) throws -> [String: [UInt8]] {
        var retained: [String: [UInt8]] = [:]
        for publication in try engine.corrections(of: [:]) {
            retained[publication.topic] = publication.payload
        }
        return retained
    }
}
