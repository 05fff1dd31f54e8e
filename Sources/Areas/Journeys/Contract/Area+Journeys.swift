internal import Tracking

extension Area {
    /// Journeys, and the paths that they leave.
    static let journeys = Area(
        "Journeys",
        methods: [
            Method(
                "journey.start", .changes, [], against: [.alerts, .answers],
                Form(
                    "`{groups,destination?:{latitude,longitude,name?,radius?},eta}`",
                    gives: "`{journey}`"),
                Form("`{extend:true,eta}`", gives: "`{journey}`")
            ) { fields, circumstances in JourneyCommand.start(&fields, at: circumstances.now) },
            Method(
                "journey.stop", .changes, [], against: [],
                Form(
                    "`{groups?}`",
                    gives: "`{}`: it is over for these groups, which see you as before, or for "
                        + "all; `not-on-a-journey` if one of them does not follow it")
            ) { fields, _ in JourneyCommand.stop(&fields) },
            Method(
                "path.get", .reads, .demo,
                Form(
                    #"`{group,user,format?:"geojson"\|"gpx",cursor?}`"#,
                    gives:
                        "`{path,next}`: at most 400 points; `next` is the cursor of the next page; "
                        + "`invalid` if its path has ended: start again without it")
            ) { fields, _ in JourneyCommand.path(&fields) },
        ],
        topics: [
            TopicRow(
                .path, "{root}/groups/{group}/members/{user}/path/{n}", from: [.bridge],
                to: [.members, .bridge], retained: .compared,
                "path segment, from 1: the newest 16")
        ])
}
