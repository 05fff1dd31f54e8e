internal import JSON
internal import Racing
public import Tracking

/// What may be asked for about runs.
public enum RunCommand: AreaCommand {
    /// - Parameter name: as which others see the organiser.
    case organise(name: DisplayName)
    case create(RunDetails)
    case edit(Name, RunDetails)
    case cancel(Name)
    case end(Name)
    case list(RunQuery)
    case get(Name)
    case results(RunResultsQuery)
    /// - Parameter name: as which spectators see the participant; nil: by nothing but the bib.
    case enrol(Name, name: DisplayName?, showsHeartRate: Bool)
    case withdraw(Name)

    static func organise(_ fields: inout Fields) -> RunCommand? {
        let name = fields.displayName("name")
        if fields.bool(ifPresent: "acceptTerms") != true {
            fields.refuse("acceptTerms", "must be true")
            return nil
        }
        return name.map { .organise(name: $0) }
    }

    static func create(_ fields: inout Fields, at now: Timestamp) -> RunCommand? {
        let details = fields.runDetails(isWhole: true)
        var errors = RunDetails.errors(
            details.startsAt, details.enrolmentClosesAt, details.endsAt, at: now)
        let course = details.course(after: nil, &errors)
        for error in errors { fields.refuse(error.field, error.reason) }
        guard course != nil, details.name != nil, details.place != nil, details.startsAt != nil,
            details.enrolmentClosesAt != nil
        else { return nil }
        return .create(details)
    }

    static func edit(_ fields: inout Fields) -> RunCommand? {
        let run = fields.name("run")
        let details = fields.runDetails(isWhole: false)
        return run.map { .edit($0, details) }
    }

    static func enrol(_ fields: inout Fields) -> RunCommand? {
        let run = fields.name("run")
        let name = fields["name"] == nil ? nil : fields.displayName("name")
        let showsHeartRate = fields.bool(ifPresent: "showHeartRate") ?? false
        return run.map { .enrol($0, name: name, showsHeartRate: showsHeartRate) }
    }
}

/// Which runs somebody looks for.
public struct RunQuery: Sendable {
    /// A part of the name, or the whole identifier.
    public let search: String?
    public let near: Near?
    /// Of their starts.
    public let from: Timestamp?
    public let to: Timestamp?
    /// What `next` of the page before was.
    public let after: String?

    public struct Near: Sendable {
        public let coordinate: Coordinate
        /// In metres.
        public let radius: Double
    }

    public static let radius = 100.0...500_000

    init?(_ fields: inout Fields) {
        search = fields["search"] == nil ? nil : fields.displayName("search")?.text
        near =
            fields["near"] == nil
            ? nil
            : fields.nested("near") { fields -> Near? in
                let coordinate = fields.coordinate()
                let radius = fields.number("radius", in: RunQuery.radius)
                return coordinate.flatMap { coordinate in
                    radius.map { Near(coordinate: coordinate, radius: $0) }
                }
            }
        from = fields.time(ifPresent: "from")
        to = fields.time(ifPresent: "to")
        after = fields.string(ifPresent: "after")
    }
}

/// Which results somebody asks for.
public struct RunResultsQuery: Sendable {
    public let run: Name
    /// How many of them to leave out at the beginning.
    public let after: Int
    /// Whether how everybody came along as well.
    public let withSplits: Bool

    init?(_ fields: inout Fields) {
        let run = fields.name("run")
        after = Int(fields.integer(ifPresent: "after", in: 0...Run.mostParticipants) ?? 0)
        withSplits = fields.bool(ifPresent: "splits") ?? false
        guard let run else { return nil }
        self.run = run
    }
}
