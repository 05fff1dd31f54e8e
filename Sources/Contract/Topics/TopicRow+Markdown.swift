/// The table for the reference.
extension TopicRow {
    /// The payload of each topic.
    public static var markdown: String {
        var lines = ["| topic | | payload |", "|---|---|---|"]
        for row in all {
            guard let payload = row.payload else { continue }
            let direction = row.lane == nil ? "out" : "in"
            let isRetained =
                switch row.retention {
                case .byWriters, .compared, .announced: true
                case .none, .takenOff, .cleared: false
                }
            lines.append(
                "| `\(row.shown)` | \(direction)\(isRetained ? " R" : "") | \(payload) |")
        }
        return lines.joined(separator: "\n")
    }

    /// Who may publish and receive it.
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
