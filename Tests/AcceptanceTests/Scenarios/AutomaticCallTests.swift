import Foundation
import GRDB
import TestBroker
import TestSupport
import Testing

/// A user's watch measures dangerous values, and help is called, with stock clients (scenario S7,
/// use case "user in need": anomalous data, the call, its exceptions, and what comes after).
@Suite(.timeLimit(.minutes(3)))
struct AutomaticCallTests {
    private static let incidents = "kith/dispatch/incidents"

    /// Ann lives with Ben, and her vital signs are monitored.
    private func begin(_ installation: Installation) async throws -> (
        group: String, centre: Listener
    ) {
        let group = try await installation.family("ann", "ben")
        try await installation.start()
        try await installation.done("ann", "sharing.start", #"{"groups":"all"}"#)
        try await installation.publish(Topic.fix("ann"), fix(at: 100))
        try await installation.done("ann", "vitals.consent")
        let watched = try await installation.done(
            "ann", "emergency.subscribe", #"{"phone":"+386 1 234"}"#)
        #expect(watched["missing"].elements.count == 6)
        return (group, try await installation.listen(as: .dispatch, to: "kith/dispatch/#"))
    }

    private func measure(_ installation: Installation, _ values: String) async throws {
        let now = Int(Date.now.timeIntervalSince1970 * 1000)
        try await installation.publish(
            "kith/users/ann/devices/watch/vitals", #"{"timestamp":\#(now),\#(values)}"#)
    }

    private func answer(_ installation: Installation, _ topic: String, _ payload: String)
        async throws
    {
        try await installation.publish("\(topic)/answer", payload, as: .dispatch)
    }

    private static let collapse = #""heartRate":33,"oxygenSaturation":82,"respiratoryRate":7"#

    @Test func `Help is called until answered, and again once monitoring is reactivated`()
        async throws
    {
        try await withInstallation { installation in
            let (group, centre) = try await begin(installation)
            let ben = try await installation.listen(as: .device("ben"), to: Topic.alerts(group))
            try await measure(installation, AutomaticCallTests.collapse)
            let call = try await centre.hears("the call", under: AutomaticCallTests.incidents) {
                $0["status"] == "calling"
            }
            #expect(call.json["user"]["name"] == "Ann" && call.json["callback"] == "+386 1 234")
            #expect(call.json["fix"]["accuracy"] != .null)
            #expect(call.json["cap"].text?.contains("<msgType>Alert</msgType>") == true)
            try await ben.hears("the alert", on: Topic.alerts(group)) { $0["kind"] == "in-need" }
            // No one answers, and then a desk refuses: help is called again.
            try await centre.hears("the second call", under: AutomaticCallTests.incidents) {
                $0["attempts"] == JSON(parsing: "2")
            }
            try await answer(installation, call.topic, #"{"status":"refused","by":"Desk 7"}"#)
            try await centre.hears("the third call", under: AutomaticCallTests.incidents) {
                $0["attempts"] == JSON(parsing: "3")
            }
            try await answer(installation, call.topic, #"{"status":"acknowledged","by":"Desk 8"}"#)
            try await ben.hears("who helps", on: Topic.alerts(group)) { $0["kind"] == "assisted" }
            // While she is helped, measurements are stored, and no one is called.
            try await measure(installation, AutomaticCallTests.collapse)
            try await installation.publish("\(call.topic)/vitals/request", "{}", as: .dispatch)
            let vitals = try await centre.hears("her vital signs", on: "\(call.topic)/vitals") {
                $0["vitals"].elements.count == 2
            }
            #expect(vitals.json["vitals"].elements.first?["heartRate"] == JSON(parsing: "33"))
            try await answer(installation, call.topic, #"{"status":"closed"}"#)
            try await centre.hears("the end", under: AutomaticCallTests.incidents) {
                $0["status"] == "closed"
            }
            #expect(try await installation.done("ann", "emergency.get")["state"] == "assisted")
            try await installation.done("ann", "emergency.reactivate")
            try await ben.hears("that it is over", on: Topic.alerts(group)) {
                $0["kind"] == "sos-stopped"
            }
            try await measure(installation, AutomaticCallTests.collapse)
            let next = try await centre.hears("a new call", under: AutomaticCallTests.incidents) {
                $0["status"] == "calling" && $0["id"] != call.json["id"]
            }
            #expect(next.json["attempts"] == JSON(parsing: "1"))
            let listed = try await installation.done("ann", "incident.list")
            #expect(listed["incidents"].elements.count == 2)
        }
    }

    @Test func `A bridge or broker killed at the worst moment still calls, about one incident`()
        async throws
    {
        try await withInstallation { installation in
            let (_, centre) = try await begin(installation)
            var moments = Moments()
            var known: Set<String> = []
            for round in 1...3 {
                try await measure(installation, AutomaticCallTests.collapse)
                try await Task.sleep(for: moments.instant(within: 40))
                if round == 2 {
                    try await installation.crashBroker()
                    try await centre.ready()
                } else {
                    await installation.crash()
                    try await installation.start()
                }
                let call = try await centre.hears(
                    "call \(round)", under: AutomaticCallTests.incidents
                ) { $0["status"] == "calling" && !known.contains($0["id"].text ?? "") }
                known.insert(call.json["id"].text ?? "")
                let open = try await installation.database().read {
                    try Int.fetchOne(
                        $0, sql: "SELECT COUNT(*) FROM incidents WHERE closed_at_ms IS NULL")
                }
                #expect(open == 1, "seed \(moments.seed)")
                try await answer(installation, call.topic, #"{"status":"closed"}"#)
                try await centre.hears("the end", under: AutomaticCallTests.incidents) {
                    $0["status"] == "closed" && $0["id"] == call.json["id"]
                }
                try await installation.done("ann", "emergency.reactivate")
            }
        }
    }

    @Test func `Only dispatch sees and answers a call, and an invalid answer gets a reason`()
        async throws
    {
        try await withInstallation { installation in
            let (_, centre) = try await begin(installation)
            try await measure(installation, AutomaticCallTests.collapse)
            let call = try await centre.hears("the call", under: AutomaticCallTests.incidents) {
                $0["status"] == "calling"
            }
            for client in [Client.device("ben"), .device("ann"), .operator] {
                for filter in ["kith/dispatch/#", call.topic, "\(call.topic)/answer"] {
                    let refused = try await Program.run(
                        "mosquitto_sub",
                        try await installation.credentials(client) + [
                            "-V", "5", "-t", filter, "-W", "25",
                        ])
                    #expect("\(refused)".contains("denied"), "\(client) \(filter)")
                }
                try? await installation.publish(
                    "\(call.topic)/answer", #"{"status":"closed"}"#, as: client)
            }
            try await answer(installation, call.topic, #"{"status":"maybe"}"#)
            try await centre.hears("the reason", on: "kith/dispatch/rejected") {
                $0["problem"]["type"] == "urn:kith:problem:invalid"
            }
            #expect(
                try await installation.done("ann", "incident.list")["incidents"].elements.first?[
                    "status"]
                    == "calling")
        }
    }
}
