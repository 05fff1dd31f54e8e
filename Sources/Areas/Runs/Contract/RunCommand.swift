internal import JSON
internal import Racing
public import Tracking

/// Users' requests about runs.
public enum RunCommand: AreaCommand {
    /// - Parameter name: the organiser's public name.
    case organise(name: DisplayName)
    case create(RunDetails)
    case edit(Name, RunDetails)
    case cancel(Name)
    case end(Name)
    case list(RunQuery)
    case get(Name)
    case results(RunResultsQuery)
    /// - Parameter name: the participant's public name; nil to show only the bib.
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
        Form("name", .displayName, "the name everyone sees, besides the bib").ifPresent,
        Form("showHeartRate", .boolean, "whether everyone sees it while I run").or(false)
    ) { RunCommand.enrol($0, name: $1, showsHeartRate: $2) }
}

/// The criteria of a search.
public struct RunQuery: Sendable {
    /// A part of the name, or the complete identifier.
    public let search: String?
    public let near: Near?
    /// The range of the starts.
    public let from: Timestamp?
    public let to: Timestamp?
    /// `next` of the previous page.
    public let after: String?

    public struct Near: Sendable {
        public let coordinate: Coordinate
        /// Metres.
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
        Form("after", .text, "`next` of the previous page").ifPresent
    ) { search, near, from, to, after in
        RunQuery(search: search?.text, near: near, from: from, to: to, after: after)
    }
}

/// A request for a page of results.
public struct RunResultsQuery: Sendable {
    public let run: Name
    /// The number of results to skip.
    public let after: Int
    /// Whether to include the splits.
    public let withSplits: Bool

    static let form = Form(
        Form("run", .name),
        Form("after", .integer(0...Int(Run.mostParticipants)), "`next` of the previous page").or(0),
        Form(
            "splits", .boolean, "whether each has `splits`: `[[seconds,metres],…]` since the start"
        ).or(false)
    ) { RunResultsQuery(run: $0, after: $1, withSplits: $2) }
}

/// The requests about runs from clients that are not logged in.
public enum RunGuestCommand: AreaGuestCommand {
    case list(RunQuery)
    case get(Name)
    case results(RunResultsQuery)
}
