import Contract
import Foundation
import Testing

/// The metric table, and the documents and files that depend on it.
struct MetricTableTests {
    private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        .dropLast(4).joined(separator: "/")

    private func file(_ path: String) throws -> String {
        try String(contentsOfFile: "\(MetricTableTests.root)/\(path)", encoding: .utf8)
    }

    @Test func `Each metric has a unique name and a help text`() {
        let rows = MetricRow.all
        #expect(Set(rows.map(\.name)).count == rows.count)
        #expect(Set(rows.map(\.prometheus)).count == rows.count)
        for row in rows {
            #expect(
                row.prometheus.wholeMatch(of: /(kith|process)(_[a-z]+)+/) != nil,
                "\(row.prometheus)")
            #expect(row.prometheus.hasSuffix("_total") == (row.kind == .counter))
            #expect(row.help.first?.isUppercase == true || row.help.hasPrefix("1"), "\(row.help)")
            #expect(!row.help.hasSuffix(".") && !row.help.contains("|"), "\(row.help)")
            // Not the name of a part of a histogram, nor a unit other than seconds and bytes.
            for word in ["count", "sum", "bucket", "hours", "milliseconds", "days", "minutes"] {
                let words = row.prometheus.split(separator: "_")
                #expect(!words.contains(Substring(word)), "\(row.prometheus)")
            }
        }
    }

    @Test(arguments: [
        ("fixes", "kith_fixes_total"), ("rejected", "kith_rejected_total"),
        ("rejected-too-old", "kith_rejections_total type=too-old"),
        ("alerts-journey-arrived", "kith_alerts_total kind=journey-arrived"),
        ("uptime-seconds", "kith_uptime_seconds"),
        ("gate-pauses-seconds", "kith_gate_pauses_seconds_total"),
        ("cohort-hours", "kith_cohort_evaluations_total"),
    ])
    func `A metric's topic name has a Prometheus name`(_ name: String, _ expected: String) throws {
        let (_, place) = try #require(MetricRow.find(name))
        let label = place.label.map { " \($0.name)=\($0.value)" } ?? ""
        #expect("\(place.name)\(label)" == expected)
        #expect(place.part == .value)
    }

    @Test func `Histogram parts belong to one metric`() throws {
        let parts: [(String, MetricRow.Place.Part)] = [
            ("turn-messages-le-1000", .bucket(1000)), ("turn-messages-le-0.5", .bucket(0.5)),
            ("turn-messages-le-inf", .bucket(nil)), ("turn-messages-sum", .sum),
            ("turn-messages-count", .count),
        ]
        for (name, part) in parts {
            let place = try #require(MetricRow.find(name)?.place)
            #expect(place.name == "kith_turn_messages" && place.part == part, "\(name)")
        }
        for name in ["turn-messages", "turn-messages-le-", "turn-messages-le-x", "fixes-le-1", ""] {
            #expect(MetricRow.find(name) == nil, "\(name)")
        }
    }

    @Test func `The monitoring page has the table`() throws {
        #expect(
            try file("docs/monitoring.md").contains("\n\(MetricRow.markdown)\n"),
            "Put what `kith-dev contract-tables metrics` prints into docs/monitoring.md.")
    }

    @Test(arguments: ["grafana-dashboard.json", "alerts.yaml", "alerts-test.yaml"])
    func `Dashboard and rules name only existing metrics`(_ name: String) throws {
        let text = try file("monitoring/\(name)")
        var found = Set<String>()
        for match in text.matches(of: /\bkith_[a-z_]+/) { found.insert(String(match.0)) }
        #expect(found.count > 15)
        let unknown = found.subtracting(MetricRow.expositionNames)
        #expect(unknown == [], "\(name)")
    }

    @Test func `Dashboard and rules group by existing labels`() throws {
        let labels = Set(MetricRow.all.flatMap(\.labels)).union(["job", "instance", "le"])
        // The rules may have none.
        #expect(try file("monitoring/grafana-dashboard.json").contains(/by \([a-z, ]+\)/))
        for name in ["grafana-dashboard.json", "alerts.yaml"] {
            for match in try file("monitoring/\(name)").matches(of: /by \(([a-z, ]+)\)/) {
                for label in match.1.split(separator: ", ") {
                    #expect(labels.contains(String(label)), "\(name): \(label)")
                }
            }
        }
    }

    @Test func `The dashboard can be imported with any data source`() throws {
        let data = Data(try file("monitoring/grafana-dashboard.json").utf8)
        let dashboard = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let panels = try #require(dashboard["panels"] as? [[String: Any]])
        #expect(Set(panels.compactMap { $0["id"] as? Int }).count == panels.count)
        var shown = 0
        for panel in panels where panel["type"] as? String != "row" {
            let targets = try #require(panel["targets"] as? [[String: Any]])
            #expect(!targets.isEmpty)
            for target in targets {
                let source = target["datasource"] as? [String: String]
                #expect(source?["uid"] == "${datasource}")
                shown += 1
            }
        }
        #expect(shown > 40)
    }
}
