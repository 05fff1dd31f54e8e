internal import MQTT
package import Store
internal import Tracking

/// Publications besides those of turns: messages that the broker may have lost, and corrections of
/// outdated retained messages.
extension Engine {
    // MARK: The outbox

    /// Returns publications that were not confirmed yet, and which of their rows were put aside.
    func outbox() throws(StoreError) -> (publications: [Publication], putAside: Set<Int64>) {
        let rows = try store.transaction { try $0.outgoing() }
        let publications = rows.map { row in
            Publication(
                topic: row.topic, payload: row.payload, qos: .atLeastOnce,
                correlationData: row.correlationData, lane: .prompt, outboxRow: row.id)
        }
        return (publications, Set(rows.filter(\.isPutAside).map(\.id)))
    }

    /// The outbox without the rows that were put aside.
    package func outgoing() throws(StoreError) -> [Publication] {
        let outbox = try outbox()
        return outbox.publications.filter { !outbox.putAside.contains($0.outboxRow ?? 0) }
    }

    /// Stores answers in the outbox that would otherwise be sent without being stored.
    func keepAnswers(in publications: inout ArraySlice<Publication>) throws(StoreError) {
        var kept = publications
        try store.transaction { transaction in
            for index in kept.indices where kept[index].isDirectAnswer {
                kept[index].isDirectAnswer = false
                // It may be sent after the device has moved.
                kept[index].broker = nil
                kept[index].outboxRow = try transaction.insertOutgoing(
                    topic: kept[index].topic, payload: kept[index].payload,
                    correlationData: kept[index].correlationData)
            }
        }
        publications = kept
    }

    /// Marks outbox rows as put aside: from now on they are sent only now and then, alone.
    func putAside(_ rows: [Int64], at now: Timestamp) throws(StoreError) {
        guard !rows.isEmpty else { return }
        try store.transaction { transaction in
            for row in rows { try transaction.putAside(row, at: now) }
        }
    }

    // MARK: Retained messages

    /// Returns the publications that give every retained topic the right message, based on the
    /// broker's current ones.
    package func corrections(of retained: [String: [UInt8]]) throws(StoreError) -> [Publication] {
        // Nothing is actually published here: the broker's messages are unchanged.
        let paths = memory.state(JourneyState.self).paths
        defer { memory.state(JourneyState.self).paths = paths }
        var corrections = try beginCorrections(of: retained)
        var all: [Publication] = []
        while let part = try next(of: &corrections) { all += part }
        return all.sorted { $0.topic < $1.topic }
    }

    /// Begins the same comparison in parts, with turns in between.
    func beginCorrections(of retained: [String: [UInt8]]) throws(StoreError) -> Corrections {
        try refreshMemory()
        return try store.transaction { try Corrections(of: retained, memory, $0) }
    }

    /// - Returns: nil at the end.
    func next(of corrections: inout Corrections) throws(StoreError) -> [Publication]? {
        try refreshMemory()
        return try store.transaction { try corrections.next(memory, settings, $0) }
    }
}
