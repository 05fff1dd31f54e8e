import TestBroker
import TestSupport
import Testing

/// Calls for help while the database cannot store them.
@Suite(.timeLimit(.minutes(2)))
struct UnstoredCallTests {
    @Test(.onPostgreSQL)
    func `An SOS reaches its group while the server hangs, and is answered once it is stored`()
        async throws
    {
        let database = try TestDatabase()
        try await withInstallation(on: database) { installation in
            let group = try await installation.family("ann", "ben")
            try await installation.start()
            let watcher = try await installation.listen(as: .device("ben"), to: Topic.alerts(group))
            let replies = Topic.device("ann") + "/replies"
            let caller = try await installation.listen(as: .device("ann"), to: replies)
            for round in 1...3 {
                let known = Set(watcher.heard.map(\.json["id"]))
                let thaw = try database.freezeAlerts()
                defer { thaw() }
                try await installation.publish(
                    Topic.device("ann") + "/requests/sos.trigger", #"{"id":"sos \#(round)"}"#)
                let early = try await watcher.hears("the SOS", on: Topic.alerts(group)) {
                    $0["kind"] == "sos" && !known.contains($0["id"])
                }
                let answer = "sos \(round)"
                #expect(!caller.heard.contains { $0.json["id"].text == answer }, "it is not stored")
                thaw()
                try await caller.hears("the answer", on: replies) { $0["id"].text == answer }
                try await installation.done("ann", "sos.stop", #"{"id":"end \#(round)"}"#)
                let end = try await watcher.hears("its end", on: Topic.alerts(group)) {
                    $0["kind"] == "sos-stopped" && !known.contains($0["id"])
                }
                let new = Set(watcher.heard.map(\.json["id"])).subtracting(known)
                #expect(new == [early.json["id"], end.json["id"]])
            }
            let stored = try await installation.done("ben", "alert.list", #"{"group":"\#(group)"}"#)
            let ids = Set(stored["alerts"].elements.map(\.["id"]))
            #expect(ids == Set(watcher.heard.map(\.json["id"])))
        }
    }
}
