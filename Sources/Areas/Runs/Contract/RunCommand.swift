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

    static let creation = RunDetails.whole.reading { details, fields, _ in
        var errors: [Problem.FieldError] = []
        _ = details.course(after: nil, &errors)
        for error in errors { fields.refuse(error.field, error.reason) }
        return errors.isEmpty ? RunCommand.create(details) : nil
    }

    static let enrolment = Form(
        Form("run", .name),
        Form("name", .displayName, "how everybody sees me, besides the bib").ifPresent,
        Form("showHeartRate", .boolean, "whether everybody sees it while I run").or(false)
    ) { RunCommand.enrol($0, name: $1, showsHeartRate: $2) }
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

    private static let around = Form(
        Form.coordinate, Form("radius", .number(radius), "metres")
    ) { Near(coordinate: $0, radius: $1) }

    static let form = Form(
        Form("search", .displayName, "a part of the name, or the identifier").ifPresent,
        Form("near", .object(around)).ifPresent,
        Form("from", .time, "the earliest start").ifPresent,
        Form("to", .time, "the latest start").ifPresent,
        Form("after", .text, "`next` of the page before").ifPresent
    ) { search, near, from, to, after in
        RunQuery(search: search?.text, near: near, from: from, to: to, after: after)
    }
}

/// Which results somebody asks for.
public struct RunResultsQuery: Sendable {
    public let run: Name
    /// How many of them to leave out at the beginning.
    public let after: Int
    /// Whether how everybody came along as well.
    public let withSplits: Bool

    static let form = Form(
        Form("run", .name),
        Form("after", .integer(0...Int(Run.mostParticipants)), "`next` of the page before").or(0),
        Form(
            "splits", .boolean, "whether each has `splits`: `[[seconds,metres],…]` since the start"
        ).or(false)
    ) { RunResultsQuery(run: $0, after: $1, withSplits: $2) }
}
