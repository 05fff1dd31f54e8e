internal import Contract

/// The archive's description of itself.
enum ExportReadMe {
    private static let account: String = {
        var things = ["your account", "your usage on the last counted day"]
        things += ExportList.all.map(\.words)
        let last = things.removeLast()
        return wrapped(things.joined(separator: ", ") + ", and " + last)
    }()

    /// In lines of the column on the right.
    private static func wrapped(_ text: String) -> String {
        var lines = [""]
        for word in text.split(separator: " ") {
            let line = lines[lines.count - 1]
            if line.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if line.count + 1 + word.count <= columnWidth {
                lines[lines.count - 1] = "\(line) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines.joined(separator: "\n" + String(repeating: " ", count: columnStart))
    }

    private static let columnStart = 16
    private static let columnWidth = 65

    static let text = """
        What Kith stores about you.

        account.json    \(account)
        reminders.ics   your reminders for a calendar (iCalendar, RFC 5545)
        fixes.json      every position that your devices sent, by device, in the order of time
        fixes.geojson   the same for maps (GeoJSON, RFC 7946)
        fixes.gpx       the same for navigation programs (GPX 1.1): a track for each device, with
                        a segment for each time without a gap
        paths.geojson   the paths of your journeys and calls for help
        paths.gpx       the same

        Times are in UTC. Places are WGS 84: degrees, and metres above the ellipsoid. Passwords
        and tokens are not here: they are not stored, only a check of them is.

        """
}
