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
                        + "checkpoints?}`",
                    gives: "`{run}`: a Run; `place`: `{name,latitude,longitude}`; `course`: a "
                        + "LineString of GeoJSON with 2 to 2,000 positions; `checkpoints`: metres "
                        + "from the start of each lap where everybody has to come by")
            ) { fields, circumstances in RunCommand.create(&fields, at: circumstances.now) },
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
                        + "`{latitude,longitude,radius}`, in metres; `from`, `to`: when they start"),
                guest: { fields in RunQuery(&fields).map { GuestCommand.runs($0) } },
                user: { fields, _ in RunQuery(&fields).map { RunCommand.list($0) } }),
            Method(
                "run.get", .reads, .demo,
                Form("`{run}`", gives: "`{run,bib?}`: a Run, and my bib if I take part"),
                guest: { fields in fields.name("run").map { GuestCommand.run($0) } },
                user: { fields, _ in fields.name("run").map { RunCommand.get($0) } }),
            Method(
                "run.enrol", .changes, [], against: [.changes, .answers],
                Form(
                    "`{run,name?,showHeartRate?}`",
                    gives: "`{bib}`: I take part. `name`: as which everybody sees me; refused with "
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
                retained: .compared, "Run")
        ],
        exports: [
            ExportList("organiser", "that you organise runs"),
            ExportList("run", "runs that you organise"),
            ExportList("run-entry", "runs in which you take part"),
        ])
}

extension Topic {
    public static func run(_ run: Name) -> Topic { .listed(.run, .init(run: run)) }
}

extension Topic.ListedKind {
    public static let run = Topic.ListedKind("run")
}
