internal import Contract

/// The text format of Prometheus (exposition format 0.0.4), by its conventions: `promtool check
/// metrics` accepts it without warnings.
struct PrometheusText {
    private struct Family {
        var type: String
        var help: String
        /// By their labels.
        var values: [String: Double] = [:]
        /// The parts of a histogram.
        var parts: [MetricRow.Place.Part: Double] = [:]
    }

    /// By name.
    private var families: [String: Family] = [:]

    /// - Parameters:
    ///   - name: as on the topic: `fixes`, `turn-seconds-le-0.005`. A name that is not in the table
    ///     is passed on without a type.
    ///   - labels: labels besides those derived from the name.
    mutating func add(_ name: String, _ value: Double, _ labels: [String: String] = [:]) {
        guard let (row, place) = MetricRow.find(name) else { return addUnknown(name, value) }
        var family =
            families[place.name] ?? Family(type: row.kind.rawValue, help: row.help + ".")
        if row.kind == .histogram {
            family.parts[place.part] = value
        } else {
            var labels = labels
            if let label = place.label { labels[label.name] = label.value }
            family.values[PrometheusText.list(labels)] = value
        }
        families[place.name] = family
    }

    /// Adds a metric of a bridge or a gate that is newer than the page.
    private mutating func addUnknown(_ name: String, _ value: Double) {
        let plain = MetricRow.plain(name)
        guard !MetricRow.expositionNames.contains(plain), families[plain] == nil else { return }
        families[plain] = Family(
            type: "untyped", help: "Unknown to this version of the page.", values: ["": value])
    }

    var text: String {
        families.sorted { $0.key < $1.key }.map { name, family in
            let lines =
                family.type == MetricRow.Kind.histogram.rawValue
                ? PrometheusText.histogram(name, family.parts)
                : family.values.sorted { $0.key < $1.key }.map {
                    "\(name)\($0.key) \(PrometheusText.number($0.value))\n"
                }
            guard !lines.isEmpty else { return "" }
            return "# HELP \(name) \(PrometheusText.escaped(family.help))\n"
                + "# TYPE \(name) \(family.type)\n" + lines.joined()
        }.joined()
    }

    /// Returns the lines; none while a part is missing.
    ///
    /// The parts arrive one by one, so that a bucket may be newer than the next one: each is raised
    /// to the values before it.
    private static func histogram(_ name: String, _ parts: [MetricRow.Place.Part: Double])
        -> [String]
    {
        guard let all = parts[.bucket(nil)], let sum = parts[.sum] else { return [] }
        var buckets: [(bound: Double, count: Double)] = []
        for case (.bucket(let bound?), let count) in parts { buckets.append((bound, count)) }
        buckets.sort { $0.bound < $1.bound }
        var total = 0.0
        var lines: [String] = []
        for (bound, count) in buckets {
            total = max(total, count)
            lines.append("\(name)_bucket{le=\"\(number(bound))\"} \(number(total))\n")
        }
        total = max(total, all)
        lines.append("\(name)_bucket{le=\"+Inf\"} \(number(total))\n")
        lines.append("\(name)_sum \(number(sum))\n")
        lines.append("\(name)_count \(number(total))\n")
        return lines
    }

    private static func list(_ labels: [String: String]) -> String {
        if labels.isEmpty { return "" }
        let list = labels.sorted { $0.key < $1.key }.map {
            "\($0.key)=\"\(escaped($0.value, quotes: true))\""
        }
        return "{\(list.joined(separator: ","))}"
    }

    /// Scalar by scalar: a quotation mark with a combining mark is a separate character, and so is
    /// a two-scalar line break.
    private static func escaped(_ text: String, quotes: Bool = false) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\\\"
            case "\n": "\\n"
            case "\"" where quotes: "\\\""
            default: String(scalar)
            }
        }.joined()
    }

    /// Whole numbers without a decimal point.
    private static func number(_ value: Double) -> String {
        if let whole = Int64(exactly: value) { return "\(whole)" }
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return "\(value)"
    }
}
