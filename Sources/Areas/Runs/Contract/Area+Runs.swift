internal import Tracking

extension Area {
    /// Runs: who organises them, and who takes part.
    static let runs = Area(
        "Runs",
        methods: [
            Method(
                "run.organise", .changes, [], against: [.changes, .answers],
                Form(
                    "`{name,acceptTerms}`",
                    gives: "`{}`: from now on I can organise runs, as `name`")
            ) { fields, _ in RunCommand.organise(&fields) },
            Method(
                "run.create", .makes, [], against: [.changes, .answers],
                Form(
                    "`{name,place,course,startsAt,enrolmentClosesAt,endsAt?,maxParticipants?,laps?,"
                        + "checkpoints?,rankedBy?}`",
                    gives: "`{run}`: a Run; `place`: `{name,latitude,longitude}`; `course`: a "
                        + "LineString of GeoJSON with 2 to 2,000 positions, at most 50,000 in all "
                        + "`laps` together; with `laps` it ends within 50 m of its start; "
                        + "`checkpoints`: metres from the start of each lap where everybody has to "
                        + "come by: a closed course without any has three in each lap; `rankedBy`: "
                        + "`own` or `gun`")
            ) { fields, circumstances in RunCommand.create(&fields, at: circumstances.now) },
            Method(
                "run.edit", .changes, [], against: [.changes, .answers],
                Form(
                    "`{run,…}`: the fields of `run.create` that change",
                    gives: "`{run}`: a Run. An `endsAt` that is not said moves with `startsAt`. "
                        + "Those who take part are told, and if it begins within a day, it stays "
                        + "near to what it was. Once it has begun only `course`, `laps` and "
                        + "`checkpoints` can be changed, until a day after its end: ranks and "
                        + "distances are made anew")
            ) { fields, _ in RunCommand.edit(&fields) },
            Method(
                "run.end", .changes, [], against: [],
                Form("`{run}`", gives: "`{}`: my run, which is on, is over")
            ) { fields, _ in fields.name("run").map { RunCommand.end($0) } },
            Method(
                "run.cancel", .changes, [], against: [],
                Form(
                    "`{run}`", gives: "`{}`: my run will not take place; all who take part are told"
                )
            ) { fields, _ in fields.name("run").map { RunCommand.cancel($0) } },
            Method(
                "run.list", .reads, .demo,
                Form(
                    "`{search?,near?,from?,to?,after?}`",
                    gives: "`{runs,next}`: runs that are not over, the next one first, without "
                        + "`course`; `search`: a part of the name, or the identifier; `near`: "
                        + "`{latitude,longitude,radius}`, in metres; `from`, `to`: when they start. "
                        + "A page ends early, also empty, where much was looked through in vain",
                    looksAt: "6000 runs a page"),
                guest: { fields in RunQuery(&fields).map { GuestCommand.runs($0) } },
                user: { fields, _ in RunQuery(&fields).map { RunCommand.list($0) } }),
            Method(
                "run.get", .reads, .demo,
                Form("`{run}`", gives: "`{run,bib?}`: a Run, and my bib if I take part"),
                guest: { fields in fields.name("run").map { GuestCommand.run($0) } },
                user: { fields, _ in fields.name("run").map { RunCommand.get($0) } }),
            Method(
                "run.results", .reads, .demo,
                Form(
                    "`{run,after?,splits?}`",
                    gives: "`{results,next}`: RunnerStates with `rank`, in their order, of a run "
                        + "that is over; with `splits`: `[[seconds,metres],…]` since the start, "
                        + "of each"),
                guest: { fields in RunResultsQuery(&fields).map { GuestCommand.runResults($0) } },
                user: { fields, _ in RunResultsQuery(&fields).map { RunCommand.results($0) } }),
            Method(
                "run.enrol", .changes, [], against: [.changes, .answers],
                Form(
                    "`{run,name?,showHeartRate?}`",
                    gives:
                        "`{bib}`: I take part. `name`: as which everybody sees me, besides the bib; "
                        + "`showHeartRate`: everybody sees it while I run. Refused with "
                        + "`run-full`, `enrolment-closed`, `run-started`, `run-finished`, "
                        + "`run-cancelled` or `unknown-run`")
            ) { fields, _ in RunCommand.enrol(&fields) },
            Method(
                "run.withdraw", .changes, [], against: [],
                Form("`{run}`", gives: "`{}`: I do not take part any more, and am not shown")
            ) { fields, _ in fields.name("run").map { RunCommand.withdraw($0) } },
        ],
        topics: [
            TopicRow(
                .run, "{root}/runs/{run}", from: [.bridge], to: [.anyone, .bridge],
                retained: .compared, "Run"),
            TopicRow(
                .runner, "{root}/runs/{run}/runners/{bib}", from: [.bridge],
                to: [.anyone, .bridge], retained: .compared, "RunnerState, while the run is on"),
            TopicRow(
                .standings, "{root}/runs/{run}/standings", from: [.bridge],
                to: [.anyone, .bridge], retained: .compared,
                "RunnerStates with `rank`, in their order"),
            TopicRow(
                .standingsPage, "{root}/runs/{run}/standings/{page}", from: [.bridge],
                to: [.anyone, .bridge], retained: .compared,
                "the same, from where one message is full, from 2"),
        ],
        exports: [
            ExportList("organiser", "that you organise runs"),
            ExportList("run", "runs that you organise"),
            ExportList("run-entry", "runs in which you take part"),
            ExportList("run-result", "how you came along in them"),
        ])
}

extension Topic {
    public static func run(_ run: Name) -> Topic { .listed(.run, .init(run: run)) }
    public static func runner(_ bib: Int, in run: Name) -> Topic {
        .listed(.runner, .init(run: run, bib: bib))
    }
    /// - Parameter page: from 1.
    public static func standings(_ run: Name, page: Int) -> Topic {
        page == 1
            ? .listed(.standings, .init(run: run))
            : .listed(.standingsPage, .init(run: run, page: page))
    }
}

extension Topic.ListedKind {
    public static let run = Topic.ListedKind("run")
    public static let runner = Topic.ListedKind("runner")
    public static let standings = Topic.ListedKind("standings")
    public static let standingsPage = Topic.ListedKind("standingsPage")
}
