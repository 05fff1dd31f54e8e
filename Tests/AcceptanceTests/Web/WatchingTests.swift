import Foundation
import Glibc
import TestBroker
import TestSupport
import Testing

/// What monitors see of an installation: `/metrics` and `/healthz`.
@Suite(.timeLimit(.minutes(4)))
struct WatchingTests {
    /// The arguments for `curl`.
    private func token(_ name: String, _ installation: Installation) throws -> [String] {
        let path = "\(installation.directory)/tokens/\(name)"
        let secret = try String(contentsOfFile: path, encoding: .utf8).trimmed
        return ["-H", "Authorization: Bearer \(secret)"]
    }

    /// Each of the lines that the text has, without the help.
    private func lines(_ answer: Site.Answer) -> Set<String> {
        Set(answer.body.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") })
    }

    /// Waits until `/metrics` reports all that, and returns its last answer.
    @discardableResult
    private func sees(_ wanted: Set<String>, _ site: Site, _ caller: [String]) async throws
        -> Site.Answer
    {
        try await eventually("\(wanted) in the metrics") { () -> Site.Answer? in
            let answer = try await timed("/metrics", site, caller)
            #expect(answer.status == 200)
            return lines(answer).isSuperset(of: wanted) ? answer : nil
        }
    }

    /// Even on a busy machine an answer arrives before a monitor gives up (Prometheus: 10 s).
    private func timed(_ path: String, _ site: Site, _ arguments: [String] = []) async throws
        -> Site.Answer
    {
        let start = ContinuousClock.now
        let answer = try await site.curl(path, arguments)
        let time = ContinuousClock.now - start
        #expect(time < .seconds(10), "\(path) took \(time)")
        return answer
    }

    private func isHealthy(_ expected: String?, _ site: Site) async throws {
        _ = try await eventually("\(expected ?? "ok") from /healthz") { () -> Bool? in
            let answer = try await timed("/healthz", site)
            return answer.json["reason"].text == expected
                && answer.status == (expected == nil ? 200 : 503) ? true : nil
        }
    }

    private static let well: Set = ["kith_up 1", "kith_broker_up 1", "kith_bridge_up 1"]
    private static let noBridge: Set = ["kith_up 0", "kith_broker_up 1", "kith_bridge_up 0"]
    private static let noBroker: Set = ["kith_up 0", "kith_broker_up 0", "kith_bridge_up 0"]

    @Test func `A stopped bridge or broker is reported within seconds, without old numbers`()
        async throws
    {
        try await withSite { installation, site in
            let watcher = try token("metrics", installation)
            try await isHealthy(nil, site)
            let first = try await sees(
                WatchingTests.well.union(["kith_fixes_total 0", "kith_gate_paused 0"]), site,
                watcher)
            #expect(first.body.contains("kith_build_info{commit=\""))
            #expect(first.body.contains(#"kith_turn_seconds_bucket{le="+Inf"}"#))

            let bridge = try #require(await installation.processIdentifier)
            kill(bridge, SIGSTOP)
            try await isHealthy("bridge-not-answering", site)
            let silent = try await sees(
                WatchingTests.noBridge.union(["kith_gate_paused 0"]), site, watcher)
            #expect(!silent.body.contains("kith_fixes_total"))
            #expect(silent.body.contains("kith_web_connections"))
            kill(bridge, SIGCONT)
            try await isHealthy(nil, site)
            try await sees(WatchingTests.well.union(["kith_fixes_total 0"]), site, watcher)

            let broker = try #require(await installation.broker.processIdentifier)
            kill(broker, SIGSTOP)
            try await isHealthy("broker-unreachable", site)
            let alone = try await sees(WatchingTests.noBroker, site, watcher)
            #expect(!alone.body.contains("kith_fixes_total"))
            #expect(!alone.body.contains("kith_gate_"))
            #expect(alone.body.contains("kith_web_connections"))
            kill(broker, SIGCONT)
            try await isHealthy(nil, site)

            await installation.broker.kill()
            try await isHealthy("broker-unreachable", site)
            let known = try await sees(WatchingTests.noBroker, site, watcher)
            #expect(known.body.contains("kith_web_connections"))
            // The page cannot check this token now: it reports what /healthz reports.
            let forged = "kith:metrics.\(String(repeating: "A", count: 43))"
            let stranger = try await timed(
                "/metrics", site, ["-H", "Authorization: Bearer \(forged)"])
            #expect(stranger.status == 200)
            #expect(lines(stranger).isSuperset(of: WatchingTests.noBroker))
            #expect(!stranger.body.contains("kith_web_"))
            try await installation.startBroker()
            try await isHealthy(nil, site)
            try await sees(WatchingTests.well.union(["kith_fixes_total 0"]), site, watcher)
        }
    }

    @Test func `The metrics token reads only the metrics and the status`() async throws {
        try await withSite { installation, site in
            try await installation.kith("user", "add", "wilma")
            let watcher = try token("metrics", installation)
            let metrics = try await sees(["kith_up 1", "kith_fixes_total 0"], site, watcher)
            #expect(!metrics.body.contains("wilma"))
            let status = try await installation.listen(as: .metrics, to: "kith/system/#")
            try await status.hears("the status", on: "kith/system/status") {
                $0["status"] == "online"
            }
            #expect(try await site.curl("/api/group.list", watcher + ["-d", "{}"]).status == 403)
            #expect(try await site.curl("/api/export.zip", watcher).status >= 400)
            let topics = ["kith/users/wilma/groups", "kith/%23", "kith/dispatch/%23"]
            for topic in topics {
                #expect(try await site.curl("/api/events?topic=\(topic)", watcher).status == 403)
            }
            for name in ["bridge", "dispatch"] {
                #expect(
                    try await site.curl("/metrics", try token(name, installation)).status == 403)
            }
            let path = "\(installation.directory)/tokens/metrics"
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
            #expect(mode as? Int == 0o600)
        }
    }

    // MARK: promtool

    private static let isThere =
        ProcessInfo.processInfo.environment["KITH_WITHOUT_PROMTOOL"] == nil

    /// Runs `promtool` in the project's directory.
    private func promtool(_ arguments: String, reading file: String = "/dev/null") async throws
        -> Ending
    {
        try await Program.run(
            "bash",
            ["-c", "cd \(Document.project) && \"$(tools/promtool)\" \(arguments) < \(file)"])
    }

    @Test(.enabled(if: isThere, "tools/test could not fetch promtool"))
    func `promtool finds no fault with the metrics`() async throws {
        try await withSite { installation, site in
            let group = try await installation.family("ann", "ben")
            let ann = try await installation.token("ann")
            _ = try await site.ask(ann, "sos.trigger")
            _ = try await site.ask(ann, "members.get", #"{"group":"\#(group)"}"#)
            _ = try await site.ask(ann, "chat.send", "{}")
            let answer = try await sees(
                [
                    "kith_calls_total 1", "kith_call_confirmed_seconds_count 1",
                    #"kith_alerts_total{kind="sos"} 1"#,
                ], site, try token("metrics", installation))
            let file = installation.directory + "/metrics"
            // `curl` has lost the last end of a line.
            try (answer.body + "\n").write(toFile: file, atomically: true, encoding: .utf8)
            let ending = try await promtool("check metrics", reading: file)
            #expect(ending.status == 0 && ending.output + ending.errors == "", "\(ending)")
        }
    }

    @Test(.enabled(if: isThere, "tools/test could not fetch promtool"))
    func `Each alert rule fires for its own fault only`() async throws {
        let ending = try await promtool("test rules monitoring/alerts-test.yaml")
        #expect(ending.status == 0, "\(ending)")
        // Each of them is in an example.
        let rules = try String(
            contentsOfFile: Document.project + "/monitoring/alerts.yaml", encoding: .utf8)
        let examples = try String(
            contentsOfFile: Document.project + "/monitoring/alerts-test.yaml", encoding: .utf8)
        let alerts = rules.matches(of: /- alert: (\w+)/)
        #expect(!alerts.isEmpty)
        for match in alerts {
            #expect(examples.contains(#"alertname="\#(match.1)""#), "\(match.1)")
        }
    }

    @Test(.enabled(if: isThere, "tools/test could not fetch promtool"))
    func `Prometheus can use the configuration that the page on monitoring shows`() async throws {
        try await withTemporaryDirectory { directory in
            let block = try #require(
                try Document("docs/monitoring.md").blocks.first {
                    $0.text.contains("scrape_configs:")
                })
            let rules = "\(Document.project)/monitoring/alerts.yaml"
            try "token".write(
                toFile: directory + "/token", atomically: true, encoding: .utf8)
            let text = block.text
                .replacing("/etc/prometheus/kith-alerts.yaml", with: rules)
                .replacing("/etc/prometheus/kith-token", with: directory + "/token")
            #expect(text.contains(rules) && text.contains(directory))
            try text.write(
                toFile: directory + "/prometheus.yml", atomically: true, encoding: .utf8)
            let ending = try await promtool("check config \(directory)/prometheus.yml")
            #expect(ending.status == 0, "\(ending)")
            #expect(ending.output.contains("rules found"), "\(ending)")
        }
    }
}
