/// A row of the metrics table: a metric's name on its topic, its Prometheus name, and its meaning.
///
/// The response of `GET /metrics` and the tables of the documents are derived from it. The
/// dashboard and the alert rules in `monitoring/` may use no other names: a test compares.
public struct MetricRow: Sendable {
    public enum Kind: String, Sendable {
        /// A count since its reporter's start.
        case counter
        /// A current value.
        case gauge
        /// Reported as `{name}-le-{bound}`, `{name}-sum` and `{name}-count`.
        case histogram
    }

    /// The metric's reporter.
    public enum Source: String, Sendable {
        case bridge
        /// The plugin in the broker.
        case gate
        /// The page itself, only over HTTP.
        case page
    }

    /// As on the topic; with `{…}` at the end for a part that becomes a label.
    public let name: String
    public let kind: Kind
    public let source: Source
    /// The labels by which Prometheus distinguishes its values.
    public let labels: [String]
    /// One sentence without a full stop.
    public let help: String
    /// The Prometheus name, where it differs from the name with underscores.
    private let word: String?

    init(
        _ name: String, _ kind: Kind, from source: Source = .bridge, called word: String? = nil,
        by labels: [String] = [], _ help: String
    ) {
        self.name = name
        self.kind = kind
        self.source = source
        self.labels = labels
        self.word = word
        self.help = help
    }

    /// The name by the conventions of Prometheus: with the service in front, the unit at the end,
    /// and `_total` for counters.
    public var prometheus: String {
        let plain = MetricRow.plain(word ?? name)
        return kind == .counter ? "\(plain)_total" : plain
    }

    /// The part of the name before the one that becomes a label; nil where there is none.
    var prefix: String? { name.firstIndex(of: "{").map { String(name[..<$0]) } }

    /// - Returns: a name that Prometheus accepts for any metric name.
    public static func plain(_ name: String) -> String {
        // Prometheus's standard names for these in any program.
        (name.hasPrefix("process-") ? "" : "kith_")
            + name.map { character in
                character.isASCII && (character.isLetter || character.isNumber)
                    ? String(character) : "_"
            }.joined()
    }
}

extension MetricRow {
    /// A value on a topic, in Prometheus's terms.
    public struct Place: Sendable, Equatable {
        /// The part of the metric: the value itself, or part of a histogram.
        public enum Part: Sendable, Hashable {
            case value
            /// Values up to this bound; nil for all values.
            case bucket(Double?)
            case sum, count
        }

        /// The metric's, without the suffix of a part.
        public let name: String
        public let part: Part
        public let label: (name: String, value: String)?

        public static func == (left: Place, right: Place) -> Bool {
            left.name == right.name && left.part == right.part
                && left.label?.name == right.label?.name
                && left.label?.value == right.label?.value
        }
    }

    /// The row that a value belongs to; nil if there is none.
    ///
    /// - Parameter name: as on the topic: `fixes`, `turn-seconds-le-0.005`, `alerts-sos`.
    public static func find(_ name: String) -> (row: MetricRow, place: Place)? {
        if let row = byName[name], row.kind != .histogram {
            return (row, Place(name: row.prometheus, part: .value, label: nil))
        }
        if let (row, part) = histogram(name) {
            return (row, Place(name: row.prometheus, part: part, label: nil))
        }
        for row in families {
            guard let prefix = row.prefix, name.hasPrefix(prefix),
                name.utf8.count > prefix.utf8.count,
                let label = row.labels.first
            else { continue }
            let value = String(name.dropFirst(prefix.count))
            return (
                row, Place(name: row.prometheus, part: .value, label: (label, value))
            )
        }
        return nil
    }

    private static func histogram(_ name: String) -> (MetricRow, Place.Part)? {
        for (suffix, part) in [("-sum", Place.Part.sum), ("-count", .count)] {
            if name.hasSuffix(suffix), let row = byName[String(name.dropLast(suffix.count))],
                row.kind == .histogram
            {
                return (row, part)
            }
        }
        guard let range = name.firstRange(of: "-le-"),
            let row = byName[String(name[..<range.lowerBound])], row.kind == .histogram
        else { return nil }
        let text = name[range.upperBound...]
        if text == "inf" { return (row, .bucket(nil)) }
        guard let bound = Double(text), bound.isFinite else { return nil }
        return (row, .bucket(bound))
    }

    private static let byName = Dictionary(
        all.filter { $0.prefix == nil }.map { ($0.name, $0) },
        uniquingKeysWith: { first, _ in first })
    private static let families = all.filter { $0.prefix != nil }

    /// All names with which a line of the exposition may begin.
    public static let expositionNames = Set(
        all.flatMap { row in
            row.kind == .histogram
                ? ["_bucket", "_sum", "_count"].map { row.prometheus + $0 } : [row.prometheus]
        })
}
