internal import Tracking

extension Area {
    /// Journeys, and the paths that they leave.
    static let journeys = Area(
        "Journeys",
        methods: [
            Method(
                "journey.start", .changes, [], against: [.alerts, .answers],
                JourneyCommand.departure, gives: "`{journey}`"),
            Method(
                "journey.stop", .changes, [], against: [],
                Form(Form("groups", .selection, "default: all that follow it").ifPresent) {
                    JourneyCommand.stop($0)
                },
                gives: "`{}`: it ends for these groups, which then see me as before; "
                    + "`not-on-a-journey` if one of them does not follow it"),
            Method(
                "path.get", .reads, .demo, JourneyCommand.PathRequest.form,
                gives: "`{path,next}`: at most 400 points; `next` is the `cursor` of the next "
                    + "page; a `cursor` whose path has ended is `invalid`: start again without it"),
        ],
        topics: [
            TopicRow(
                .path, "{root}/groups/{group}/members/{user}/path/{n}", from: [.bridge],
                to: [.members, .bridge], retained: .compared,
                "path segment, from 1: the newest 16")
        ])
}
