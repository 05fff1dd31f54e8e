/// A row of the table of metrics: how a metric is called on its topic, how Prometheus calls it, and
/// what it says.
///
/// From it follow the text that `GET /metrics` answers, and the tables of the documents. The
/// dashboard and the alert rules in `monitoring/` may use no other names: a test compares.
public struct MetricRow: Sendable {
    public enum Kind: String, Sendable {
        /// Counts from the start of whoever reports it.
        case counter
        /// How things are now.
        case gauge
        /// Reported as `{name}-le-{bound}`, `{name}-sum` and `{name}-count`.
        case histogram
    }

    /// Who reports it.
    public enum Source: String, Sendable {
        case bridge
        /// The plugin in the broker.
        case gate
        /// The page itself, over HTTP alone.
        case page
    }

    /// As on the topic; with `{…}` at the end for a part that becomes a label.
    public let name: String
    public let kind: Kind
    public let source: Source
    /// The labels by which Prometheus tells its values apart.
    public let labels: [String]
    /// One sentence without a full stop.
    public let help: String
    /// Where it is not the name with underscores.
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
    /// and `_total` for what only grows.
    public var prometheus: String {
        let plain = MetricRow.plain(word ?? name)
        return kind == .counter ? "\(plain)_total" : plain
    }

    /// The part of the name before the one that becomes a label; nil where there is none.
    var prefix: String? { name.firstIndex(of: "{").map { String(name[..<$0]) } }

    /// - Returns: a name that Prometheus accepts, whatever the metric is called.
    public static func plain(_ name: String) -> String {
        // Prometheus's own names for these, whatever the program.
        (name.hasPrefix("process-") ? "" : "kith_")
            + name.map { character in
                character.isASCII && (character.isLetter || character.isNumber)
                    ? String(character) : "_"
            }.joined()
    }
}

extension MetricRow {
    /// A value on a topic, as Prometheus knows it.
    public struct Place: Sendable, Equatable {
        /// What of the metric it is: the value itself, or a part of a histogram.
        public enum Part: Sendable, Hashable {
            case value
            /// All that were not larger than this; nil for everything.
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
