import Contract
import MQTT
import Store
import Tracking

/// Compares the broker's retained messages on the bridge's topics with the expected ones, in parts,
/// so that fixes are handled in between. Changes made by turns in between are published by those
/// turns.
///
/// If the broker was killed, it may have lost some messages, and if the bridge was, it may have
/// failed to publish the last ones: decision 2.
struct Corrections {
    /// The broker's messages that have not been compared yet.
    private var kept: [String: [UInt8]]
    private var groups: [GroupID]
    private var people: [UserID]
    /// Topics that belong to no user or group; nil until they are needed.
    private var others: [Topic]?
    private var paths: [(group: GroupID, user: UserID)]
    /// Topics that matched nothing, once everything was compared.
    private var leftovers: [String]?

    init(of kept: [String: [UInt8]], _ memory: Memory, _ transaction: Transaction) throws {
        self.kept = kept
        // Reversed, as they are removed from the end.
        groups = memory.groups.keys.sorted(by: >)
        people = memory.people.keys.sorted(by: >)
        paths = try transaction.visiblePaths().map { ($0.0, $0.1) }
        let state = memory.state(JourneyState.self)
        for (group, user) in paths {
            guard let person = memory.people[user],
                let path = try transaction.visiblePath(of: user, to: group)
            else { continue }
            let key = RetainedPaths.Key(group: group, user: user)
            // Other brokers may have segments that a turn is still to clear.
            let shown = path.retainedSegments(of: person)
            state.paths.published[key] = shown.joined(with: state.paths.published[key])
        }
        paths.reverse()
    }

    /// The number of topics compared at a time.
    static let part = 500

    /// - Returns: the publications for the next part; nil at the end.
    mutating func next(
        _ memory: Memory, _ settings: BridgeSettings, _ transaction: Transaction
    ) throws -> [Publication]? {
        let retained = Retained(memory, settings)
        var corrections: [Publication] = []
        var compared = 0
        while compared < Corrections.part {
            var payloads: [(topic: String, payload: [UInt8])]
            if let group = groups.popLast() {
                payloads = retained.payloads(of: group)
            } else if let (group, user) = paths.last {
                payloads = try retained.paths(of: user, in: group, transaction)
                paths.removeLast()
            } else if let user = people.popLast() {
                payloads = retained.payloads(of: user)
                if let empty = retained.emptyGroups(of: user), kept[empty.topic] != nil {
                    payloads.append(empty)
                }
            } else if let topic = nextOfNobody(retained) {
                payloads = [retained.payload(ofNobody: topic)].compactMap { $0 }
            } else {
                return compared > 0 ? corrections : clearNext(retained)
            }
            compared += 1 + payloads.count
            for (topic, payload) in payloads where kept.removeValue(forKey: topic) != payload {
                corrections.append(
                    Publication(topic: topic, payload: payload, qos: .atLeastOnce, retain: true))
            }
        }
        return corrections
    }

    private mutating func nextOfNobody(_ retained: Retained) -> Topic? {
        if others == nil { others = retained.topicsOfNobody().reversed() }
        return others?.popLast()
    }

    private mutating func clearNext(_ retained: Retained) -> [Publication]? {
        var leftovers = leftovers ?? kept.keys.sorted(by: >)
        kept = [:]
        defer { self.leftovers = leftovers }
        guard !leftovers.isEmpty else { return nil }
        let part = leftovers.suffix(Corrections.part).reversed()
        leftovers.removeLast(part.count)
        return part.filter { !retained.expects($0) }.map {
            Publication(topic: $0, payload: [], qos: .atLeastOnce, retain: true)
        }
    }
}

extension ClosedRange<Int>? {
    /// The range from the first to the last of both.
    fileprivate func joined(with other: ClosedRange<Int>?) -> ClosedRange<Int>? {
        guard let self, let other else { return self ?? other }
        return min(self.lowerBound, other.lowerBound)...max(self.upperBound, other.upperBound)
    }
}
