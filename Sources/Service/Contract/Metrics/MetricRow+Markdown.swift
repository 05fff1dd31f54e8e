extension MetricRow {
    /// The table for the documents.
    public static var markdown: String {
        var lines = ["| metric | topic | type | from | |", "|---|---|---|---|---|"]
        for row in all {
            let labels = row.labels.isEmpty ? "" : "{\(row.labels.joined(separator: ","))}"
            let topic = row.source == .page ? "–" : "`\(row.name)`"
            lines.append(
                "| `\(row.prometheus)\(labels)` | \(topic) | \(row.kind.rawValue) "
                    + "| \(row.source.rawValue) | \(row.help) |")
        }
        return lines.joined(separator: "\n")
    }
}
