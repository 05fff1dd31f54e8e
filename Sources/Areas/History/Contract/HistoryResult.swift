public import Tracking

/// The results of requests about a person's history.
public enum HistoryResult {
    public static let imported = Payload<(new: Int, known: Int)>(
        .init("imported", .count) { $0.new },
        .init("known", .count) { $0.known })

    public static let imports = Payload<[Import]>(
        .init(
            "imports",
            .list(
                of: .object(
                    .init("source", .text) { $0.source },
                    .init("positions", .number) { $0.positions },
                    .init("from", .time) { $0.extent?.lowerBound },
                    .init("to", .time) { $0.extent?.upperBound },
                    .init("importedAt", .time) { $0.at }))
        ) { $0 })

    /// - `extent`: the oldest and the newest time; nil if no position is left.
    public typealias Import = (
        source: String, positions: Int64, extent: ClosedRange<Timestamp>?, at: Timestamp
    )

    public static let importDeleted = Payload<Int64>(.init("deleted", .number) { $0 })
}
