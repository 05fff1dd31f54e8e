import Testing

@testable import Web

struct PrometheusTextTests {
    @Test func `Metrics are called as Prometheus calls them`() {
        var text = PrometheusText()
        text.add("fixes", 3)
        text.add("rejected", 2)
        text.add("rejected-too-old", 2)
        text.add("alerts-sos", 1)
        text.add("turn-seconds-le-0.005", 7)
        text.add("turn-seconds-le-inf", 9)
        text.add("turn-seconds-sum", 0.25)
        text.add("web-answers", 4, ["status": "200"])
        #expect(
            text.text == """
                kith_fixes 3.0
                kith_rejected 2.0
                kith_rejections{kind="too-old"} 2.0
                kith_alerts{kind="sos"} 1.0
                kith_turn_seconds_bucket{le="0.005"} 7.0
                kith_turn_seconds_bucket{le="+Inf"} 9.0
                kith_turn_seconds_sum 0.25
                kith_web_answers{status="200"} 4.0

                """)
    }
}
