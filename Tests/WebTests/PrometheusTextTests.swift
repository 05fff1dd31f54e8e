import Testing

@testable import Web

/// The text that Prometheus reads.
struct PrometheusTextTests {
    private var text = PrometheusText()

    @Test mutating func `Counters, gauges and labels are named as in Prometheus`() {
        text.add("fixes", 3)
        text.add("rejected", 2)
        text.add("rejected-too-old", 2)
        text.add("rejected-invalid", 1)
        text.add("gate-connections", 4.5)
        text.add("web-answers", 4, ["status": "200"])
        #expect(
            text.text == """
                # HELP kith_fixes_total New fixes.
                # TYPE kith_fixes_total counter
                kith_fixes_total 3
                # HELP kith_gate_connections Connections, including guests and the bridge.
                # TYPE kith_gate_connections gauge
                kith_gate_connections 4.5
                # HELP kith_rejected_total Rejected messages and requests.
                # TYPE kith_rejected_total counter
                kith_rejected_total 2
                # HELP kith_rejections_total The same, by problem type.
                # TYPE kith_rejections_total counter
                kith_rejections_total{type="invalid"} 1
                kith_rejections_total{type="too-old"} 2
                # HELP kith_web_answers_total HTTP answers.
                # TYPE kith_web_answers_total counter
                kith_web_answers_total{status="200"} 4

                """)
    }

    private mutating func addTurns(_ counts: [(String, Double)], sum: Double? = 0.25) {
        for (bound, count) in counts { text.add("turn-seconds-le-\(bound)", count) }
        if let sum { text.add("turn-seconds-sum", sum) }
    }

    @Test mutating func `A histogram's buckets are in order, with sum and count`() {
        addTurns([("inf", 9), ("10", 9), ("0.005", 7), ("2.5", 8)])
        text.add("turn-seconds-count", 9)
        #expect(
            text.text == """
                # HELP kith_turn_seconds A turn, from reading to storage on disk.
                # TYPE kith_turn_seconds histogram
                kith_turn_seconds_bucket{le="0.005"} 7
                kith_turn_seconds_bucket{le="2.5"} 8
                kith_turn_seconds_bucket{le="10"} 9
                kith_turn_seconds_bucket{le="+Inf"} 9
                kith_turn_seconds_sum 0.25
                kith_turn_seconds_count 9

                """)
    }

    @Test mutating func `No bucket has less than an earlier one, although they arrive one by one`()
    {
        addTurns([("0.005", 8), ("2.5", 7), ("inf", 6)])
        for line in [#"{le="2.5"} 8"#, #"{le="+Inf"} 8"#, "_count 8"] {
            #expect(text.text.contains(line), "\(line)")
        }
    }

    @Test(arguments: [[("0.005", 8.0)], []])
    mutating func `A histogram without its last bucket is omitted`(_ counts: [(String, Double)]) {
        addTurns(counts)
        #expect(text.text == "")
        text.add("turn-seconds-le-inf", 9)
        #expect(text.text.contains("kith_turn_seconds_count 9"))
    }

    @Test mutating func `A metric missing from the table breaks nothing`() {
        text.add("fixes", 3)
        text.add("new-thing.of \"tomorrow\"\n", 1)
        // Would be another metric's name, or its line twice.
        text.add("fixes-total", 5)
        text.add("turn-seconds-bucket", 5)
        text.add("new_thing_of__tomorrow__", 2)
        text.add("turn-seconds-le-nonsense", 5)
        #expect(
            text.text == """
                # HELP kith_fixes_total New fixes.
                # TYPE kith_fixes_total counter
                kith_fixes_total 3
                # HELP kith_new_thing_of__tomorrow__ Unknown to this version of the page.
                # TYPE kith_new_thing_of__tomorrow__ untyped
                kith_new_thing_of__tomorrow__ 1
                # HELP kith_turn_seconds_le_nonsense Unknown to this version of the page.
                # TYPE kith_turn_seconds_le_nonsense untyped
                kith_turn_seconds_le_nonsense 5

                """)
    }

    @Test mutating func `Label values are escaped, and special numbers have names`() {
        text.add("build-info", 1, ["version": "1\"2", "commit": "a\\b\nc"])
        #expect(text.text.contains(#"{commit="a\\b\nc",version="1\"2"} 1"#), "\(text.text)")
        text.add("gate-connections", .infinity)
        text.add("gate-paused", .nan)
        #expect(text.text.contains("kith_gate_connections +Inf\n"))
        #expect(text.text.contains("kith_gate_paused NaN\n"))
    }

    @Test mutating func `No label ends before its value does`() {
        text.add("bridge-degraded", 1, ["reason": "a\"\u{301}b\r\nc\\\u{301}"])
        let label = "{reason=\"a\\\"\u{301}b\r\\nc\\\\\u{301}\"} 1\n"
        // Byte by byte, as Prometheus reads it.
        #expect(text.text.utf8.reversed().starts(with: label.utf8.reversed()), "\(text.text)")
    }
}
