internal import Tracking

extension Area {
    /// Journeys, and the paths that they leave.
    static let journeys = Area(
        "Journeys",
        methods: [
            Method(
                "journey.start", .changes, .demo, against: [.alerts, .answers],
                Form(
                    "`{groups,destination?:{latitude,longitude,name?,radius?},eta}`",
                    gives: "`{journey}`"),
                Form("`{extend:true,eta}`", gives: "`{journey}`")
            ) { fields, circumstances in JourneyCommand.start(&fields, at: circumstances.now) },
            Method("journey.stop", .changes, .demo, against: [], Form("", gives: "`{}`")) { _, _ in
                JourneyCommand.stop
            },
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
