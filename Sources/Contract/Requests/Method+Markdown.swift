extension Method {
    /// The table, for the reference, of what can be asked for over MQTT and HTTP.
    public static var markdown: String {
        var lines = ["| method | | request | result |", "|---|---|---|---|"]
        for method in all where !method.askers.isDisjoint(with: [.guest, .user]) {
            for form in method.forms {
                let bound = form.looksAt.map { ". Looks at \($0)" } ?? ""
                let cells = ["`\(method)`", method.marks, form.request, form.result + bound]
                lines.append("|" + cells.map { $0.isEmpty ? " |" : " \($0) |" }.joined())
            }
        }
        return lines.joined(separator: "\n")
    }

    private var isNotForPeople: Bool { !kinds.contains(.person) }

    private var marks: String {
        [
            (askers.contains(.guest), "guest"),
            (isNotForPeople && kinds.contains(.company), "company"),
            (isNotForPeople && kinds.contains(.service), "service"), (isRead, "R"),
            (effect == .makes, "M"),
            (isForDemo, "D"),
            (kinds.isSuperset(of: [.person, .company]), "C"),
            (kinds.isSuperset(of: [.person, .service]), "S"),
        ].compactMap { $0 ? $1 : nil }.joined(separator: " ")
    }
}
