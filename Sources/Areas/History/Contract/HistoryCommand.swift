internal import JSON
public import Tracking

/// A device's requests about its user's own history.
public enum HistoryCommand: AreaCommand {
    /// - `every`: the minimum time between two positions of a device.
    case positions(Stretch, every: Duration, cursor: String?)
    case deleteVitals(Stretch)
    case deletePositions(Stretch, cursor: String?)
    case add([Fix], source: String)
    case imports
    case deleteImport(String)

    /// A range of times, without its end.
    public struct Stretch: Sendable {
        public let from: Timestamp
        public let to: Timestamp

        public func contains(_ time: Timestamp) -> Bool { from <= time && time < to }
    }

    /// The maximum number of positions in a request.
    public static let maximumPositions = 500
    /// The maximum length of a source's name, in characters.
    public static let maximumSourceLength = 64
    /// The maximum number of errors reported.
    fileprivate static let maximumErrors = 16

    // MARK: Requested values

    private static let stretch = Form(Form("from", .time), Form("to", .time)) {
        Stretch(from: $0, to: $1)
    }.reading { stretch, fields, _ -> Stretch? in
        if stretch.from < stretch.to { return stretch }
        fields.refuse("to", "must be later than from")
        return nil
    }
    private static let cursor = Form("cursor", .text).ifPresent

    static let query = Form(
        stretch,
        Form("every", .integer(0...86_400), "minimum seconds between two positions").or(0), cursor
    ) { HistoryCommand.positions($0, every: .seconds($1), cursor: $2) }

    private enum Deleted: String, CaseIterable {
        case positions, vitals
    }

    private static let what: Form<(Deleted, cursor: String?)> =
        .cases("what", of: Deleted.self) { what in
            switch what {
            case .positions: cursor.map { (what, $0) }
            case .vitals:
                Form { (what, nil) }.reading { what, fields, _ in
                    guard fields["cursor"] == nil else {
                        fields.refuse("cursor", "was not issued by this service")
                        return nil
                    }
                    return what
                }
            }
        }

    static let deletion = Form(stretch, what) { stretch, what in
        switch what.0 {
        case .positions: HistoryCommand.deletePositions(stretch, cursor: what.cursor)
        case .vitals: HistoryCommand.deleteVitals(stretch)
        }
    }

    static let source = Form(
        "source", .importSource, "your name for where the positions are from")

    static let addition = Form(source, Form("positions", .importedFixes)) {
        HistoryCommand.add($1, source: $0)
    }
}

extension Kind where Value == String {
    fileprivate static let importSource = Kind.text(
        "a name of at most \(HistoryCommand.maximumSourceLength) characters"
    ) { text throws(DisplayName.Reason) in
        try DisplayName.checked(text, atMost: HistoryCommand.maximumSourceLength)
    }
}

extension Kind where Value == [Fix] {
    fileprivate static let importedFixes = Kind(.array(of: .payload("Fix"))) {
        value, field, fields, circumstances in
        let now = circumstances.now
        guard case .array(let elements) = value,
            1...HistoryCommand.maximumPositions ~= elements.count
        else {
            fields.refuse(
                field, "must be an array of 1 to \(HistoryCommand.maximumPositions) Fixes")
            return nil
        }
        // An imported position is never too old.
        var limits = FixLimits()
        limits.retention = now - Timestamp(milliseconds: 0)
        var fixes: [Fix] = []
        for (index, element) in elements.enumerated() {
            let name = "\(field)[\(index)]"
            do throws(Problem) {
                fixes.append(try Fix(element, receivedAt: now, prefix: "\(name).", limits))
            } catch {
                for error in error.errors { fields.refuse(error.field, error.reason) }
                if error.kind == .tooOld {
                    fields.refuse("\(name).timestamp", "must not be before 1970")
                }
                if fields.errors.count >= HistoryCommand.maximumErrors { return nil }
            }
        }
        return fixes.count == elements.count ? fixes : nil
    }
}
