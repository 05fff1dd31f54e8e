internal import JSON
public import Tracking

extension ExportItem {
    public static func organiser(name: String, terms: String, at: Timestamp) -> ExportItem {
        ExportItem("organiser") { json in
            json.member("name", name)
            json.member("terms", terms)
            json.member("at", at)
        }
    }

    public static func run(_ run: Run, _ status: Run.Status, createdAt: Timestamp) -> ExportItem {
        ExportItem("run") { json in
            json.member("run", run.id.text)
            json.member("name", run.name)
            json.member("place", run.place.name)
            json.member("startsAt", run.startsAt)
            json.member("createdAt", createdAt)
            json.member("status", status.rawValue)
        }
    }

    public static func runEntry(
        in run: Name, bib: Int, name: String?, showsHeartRate: Bool, at: Timestamp
    ) -> ExportItem {
        ExportItem("run-entry") { json in
            json.member("run", run.text)
            json.member("bib", bib)
            if let name { json.member("name", name) }
            json.key("showHeartRate")
            json.bool(showsHeartRate)
            json.member("at", at)
        }
    }

    public static func runResult(_ state: RunnerState, in run: Name) -> ExportItem {
        ExportItem("run-result") { json in
            json.member("run", run.text)
            json.members(RunnerState.payload, state.shown(rank: nil))
        }
    }
}
