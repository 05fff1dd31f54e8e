internal import Numbers

extension Method {
    /// The reference table of requests over MQTT and HTTP.
    public static var markdown: String {
        var lines = ["| method | | request | result |", "|---|---|---|---|"]
        for method in all where !method.askers.isDisjoint(with: [.guest, .user]) {
            lines += method.rows.map { row in
                let cells = ["`\(method)`", method.marks, row.request, row.result]
                return "|" + cells.map { $0.isEmpty ? " |" : " \($0) |" }.joined()
            }
        }
        return lines.joined(separator: "\n")
    }

    /// One row for each alternative, if each has its own result.
    private var rows: [(request: String, result: String)] {
        let texts = resultTexts
        let groups = texts.count == ways.count ? ways.map { [$0] } : [ways]
        var explained: Set<String> = []
        var rows = zip(groups, texts).map { ways, result in
            (request: Method.cell(ways, &explained), result: result)
        }
        if let looksAt { rows[rows.count - 1].result += ". Examines \(looksAt)" }
        return rows
    }

    private var resultTexts: [String] {
        guard case .object(let members)? = result else { return results }
        let notation = Schema.notation(members, withWords: false).replacing("|", with: "\\|")
        let words = results.first.map { ": \($0)" } ?? ""
        return ["`\(notation)`\(words)"] + results.dropFirst()
    }

    /// - Parameter explained: the members that rows before this one have explained.
    private static func cell(
        _ ways: [[Schema.Member]], _ explained: inout Set<String>
    ) -> String {
        if ways == [[]] { return "" }
        let notations = ways.map { "`\(Schema.notation($0).replacing("|", with: "\\|"))`" }
        let words = ways.joined().flatMap { $0.explanations() }.filter {
            explained.insert($0.name).inserted
        }
        return ([notations.joined(separator: " or ")] + words.map { "`\($0.name)`: \($0.words)" })
            .joined(separator: "; ")
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

extension Schema.Member {
    /// The explanations of this member and its nested members.
    ///
    /// - Parameter prefix: the containing object: `destination.`.
    fileprivate func explanations(in prefix: String = "") -> [(name: String, words: String)] {
        let parts =
            switch (words, schema.bounds) {
            case (let words?, let bounds?): "\(words) (\(bounds))"
            case (let words?, nil): words
            case (nil, let bounds?): schema.isNumber ? nil : bounds
            case (nil, nil): String?.none
            }
        let inner = schema.members.flatMap { $0.explanations(in: "\(prefix)\(name).") }
        return (parts.map { [(prefix + name, $0)] } ?? []) + inner
    }
}

extension Schema {
    fileprivate var isNumber: Bool { if case .number = self { true } else { false } }

    fileprivate var members: [Member] {
        switch self {
        case .object(let members): members
        case .either(let schemas): schemas.flatMap(\.members)
        default: []
        }
    }

    /// "1 to 100"; nil where there are no noteworthy bounds.
    fileprivate var bounds: String? {
        switch self {
        case .integer(let range) where range.upperBound < .max:
            "\(Schema.spelled(range.lowerBound)) to \(Schema.spelled(range.upperBound))"
        case .number(let range):
            "\(Schema.spelled(Int64(clamping: range.lowerBound))) to "
                + Schema.spelled(Int64(clamping: range.upperBound))
        case .either(let schemas): schemas.lazy.compactMap(\.bounds).first
        default: nil
        }
    }

    /// 10,000.
    private static func spelled(_ number: Int64) -> String {
        let digits = String(number.magnitude)
        guard digits.count > 4 else { return String(number) }
        var text = ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return number < 0 ? "-\(text)" : text
    }
}
