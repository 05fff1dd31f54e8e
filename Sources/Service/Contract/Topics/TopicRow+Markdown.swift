/// The table for the reference.
extension TopicRow {
    /// The payload of each topic, and its maximum size.
    public static var markdown: String {
        var lines = ["| topic | | payload | bytes |", "|---|---|---|---:|"]
        for row in all {
            guard let payload = row.payload else { continue }
            let direction = row.lane == nil ? "out" : "in"
            let isRetained =
                switch row.retention {
                case .byWriters, .compared, .announced: true
                case .none, .takenOff, .cleared: false
                }
            lines.append(
                "| `\(row.shown)` | \(direction)\(isRetained ? " R" : "") | \(payload) "
                    + "| \(row.largest.grouped) |")
        }
        return lines.joined(separator: "\n")
    }

    /// The permissions to publish and receive it.
    public static var accessMarkdown: String {
        var lines = ["| topic | receive and subscribe | publish | retained |", "|---|---|---|---|"]
        for row in all {
            let parties = [row.readers, row.writers, row.retainers].map { parties in
                parties.isEmpty ? "–" : parties.map(\.rawValue).joined(separator: ", ")
            }
            lines.append("| `\(row.shown)` | \(parties.joined(separator: " | ")) |")
        }
        return lines.joined(separator: "\n")
    }

    private var shown: String { pattern.replacing("{root}", with: "kith") }
}

extension Int {
    /// The number with a comma before every three digits.
    fileprivate var grouped: String {
        let digits = String(self)
        return digits.enumerated().reduce(into: "") { text, digit in
            let isBetween = digit.offset > 0 && (digits.count - digit.offset).isMultiple(of: 3)
            text += (isBetween ? "," : "") + String(digit.element)
        }
    }
}
