extension AccessTable {
    /// For the reference.
    public var markdown: String {
        var lines = ["| topic | receive and subscribe | publish | retained |", "|---|---|---|---|"]
        for row in rows {
            let parties = [row.readers, row.writers, row.retainers].map { parties in
                parties.isEmpty ? "–" : parties.map(\.rawValue).joined(separator: ", ")
            }
            let topic = row.pattern.description.replacing("{root}", with: "kith")
            lines.append("| `\(topic)` | \(parties.joined(separator: " | ")) |")
        }
        return lines.joined(separator: "\n")
    }
}
