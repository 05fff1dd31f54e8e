internal import MQTT
package import Store
internal import Tracking

/// What the broker has to be told apart from what turns publish: what it may have lost, and what it
/// retains that is no longer true.
extension Engine {
    // MARK: The outbox

    /// Returns what was to be published before and has not been confirmed, and which of its rows
    /// were put aside.
    func outbox() throws(StoreError) -> (publications: [Publication], putAside: Set<Int64>) {
        let rows = try store.transaction { transaction throws(StoreError) in
            try transaction.outgoing()
        }
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

    /// Puts answers into the outbox that would otherwise have been sent without being stored.
    func keepAnswers(in publications: inout ArraySlice<Publication>) throws(StoreError) {
        var kept = publications
        try store.transaction { transaction throws(StoreError) in
            for index in kept.indices where kept[index].isDirectAnswer {
                kept[index].isDirectAnswer = false
                kept[index].outboxRow = try transaction.insertOutgoing(
                    topic: kept[index].topic, payload: kept[index].payload,
                    correlationData: kept[index].correlationData)
            }
        }
        publications = kept
    }

    /// Marks rows of the outbox as put aside: from now on they are sent only now and then, alone.
    func putAside(_ rows: [Int64], at now: Timestamp) throws(StoreError) {
        guard !rows.isEmpty else { return }
        try store.transaction { transaction throws(StoreError) in
            for row in rows { try transaction.putAside(row, at: now) }
        }
    }

    // MARK: What is retained

    /// Returns what is to be published so that every retained topic has the right message, given
    /// what the broker keeps now.
    package func corrections(of retained: [String: [UInt8]]) throws(StoreError) -> [Publication] {
        // Nothing is actually published here: the broker still has what it had.
        let paths = memory.journeys.paths
        defer { memory.journeys.paths = paths }
        var corrections = try beginCorrections(of: retained)
        var all: [Publication] = []
        while let part = try next(of: &corrections) { all += part }
        return all.sorted { $0.topic < $1.topic }
    }

    /// Begins the same comparison part by part, with turns in between.
    func beginCorrections(of retained: [String: [UInt8]]) throws(StoreError) -> Corrections {
        try refreshMemory()
        return try store.transaction { transaction throws(StoreError) in
            try Corrections(of: retained, memory, transaction)
        }
    }

    /// - Returns: nil if there is no more.
    func next(of corrections: inout Corrections) throws(StoreError) -> [Publication]? {
        try refreshMemory()
        return try store.transaction { transaction throws(StoreError) in
            try corrections.next(memory, settings, transaction)
        }
    }
}
