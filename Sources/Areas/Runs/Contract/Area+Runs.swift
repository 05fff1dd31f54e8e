internal import Tracking

extension Area {
    /// Runs: their organisers and participants.
    static let runs = Area(
        "Runs",
        methods: [
            Method(
                "run.organise", .changes, [], against: [.changes, .answers],
                Form(
                    Form("name", .displayName, "how others see me"), Form.isTrue("acceptTerms")
                ) { name, _ in RunCommand.organise(name: name) },
                gives: "`{}`: from now on I can organise runs"),
            Method(
                "run.create", .makes, [], against: [.changes, .answers], RunCommand.creation,
                result: RunResult.organised.schema),
            Method(
                "run.edit", .changes, [], against: [.changes, .answers],
                Form(Form("run", .name), RunDetails.part) { RunCommand.edit($0, $1) },
                result: RunResult.organised.schema,
                gives: "omitted members stay, but `endsAt` moves with "
                    + "`startsAt`. All participants are notified, and if it begins within a day, "
                    + "it stays near what the participants agreed to. Once it has begun only "
                    + "`course`, `laps` and `checkpoints` can be changed, until a day after its "
                    + "end: ranks and distances are computed again"),
            Method(
                "run.end", .changes, [], against: [],
                Form(Form("run", .name)) { RunCommand.end($0) },
                gives: "`{}`: my current run ends"),
            Method(
                "run.cancel", .changes, [], against: [],
                Form(Form("run", .name)) { RunCommand.cancel($0) },
                gives: "`{}`: my run is cancelled; all participants are notified"),
            Method(
                "run.list", .reads, .demo, RunQuery.form.map { RunCommand.list($0) },
                guest: RunQuery.form.map { RunGuestCommand.list($0) },
                result: RunResult.list.schema,
                gives: "those that are not over, the next one first, without `course`. A page "
                    + "ends early, even empty, after a long search without results",
                looksAt: "6000 runs a page"),
            Method(
                "run.get", .reads, .demo, Form(Form("run", .name)) { RunCommand.get($0) },
                guest: Form(Form("run", .name)) { RunGuestCommand.get($0) },
                result: RunResult.shown.schema,
                gives: "my `bib` if I take part; `mine` if I organise it"),
            Method(
                "run.results", .reads, .demo,
                RunResultsQuery.form.map { RunCommand.results($0) },
                guest: RunResultsQuery.form.map { RunGuestCommand.results($0) },
                gives: "`{results:[RunnerState],next}`: with `rank`, in their order, of a run that "
                    + "is over"),
            Method(
                "run.enrol", .changes, [], against: [.changes, .answers], RunCommand.enrolment,
                result: RunResult.enrolled.schema,
                gives: "I take part. Rejected with `run-full`, `enrolment-closed`, "
                    + "`run-started`, `run-finished`, `run-cancelled` or `unknown-run`"),
            Method(
                "run.withdraw", .changes, [], against: [],
                Form(Form("run", .name)) { RunCommand.withdraw($0) },
                gives: "`{}`: I no longer take part and am no longer shown"),
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
                "the rest, where one message cannot hold it; pages from 2"),
        ],
        notices: [.runCancelled, .runChanged, .runStarting],
        exports: [
            ExportList("organiser", "your registration as a run organiser"),
            ExportList("run", "runs that you organise"),
            ExportList("run-entry", "runs in which you take part"),
            ExportList("run-result", "your progress in them"),
        ],
        payloads: [Run.payload.row, RunnerState.payload.row])
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
