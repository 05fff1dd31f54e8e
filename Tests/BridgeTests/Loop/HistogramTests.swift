import Testing

@testable import Bridge

struct HistogramTests {
    private func text(_ histogram: Histogram) -> String {
        histogram.metrics("x").map { "\($0.name) \($0.value)" }.joined(separator: "\n")
    }

    @Test func `A bucket counts every value up to its bound`() {
        var histogram = Histogram(bounds: [0, 1, 2.5])
        for value in [0, 0.5, 1, 1.001, 2.5, 2.6, 1000] { histogram.note(value) }
        #expect(
            text(histogram) == """
                x-le-0 1
                x-le-1 3
                x-le-2.5 5
                x-le-inf 7
                x-count 7
                x-sum 1007.601
                """)
    }

    @Test func `An empty histogram reports zeros`() {
        #expect(text(Histogram(bounds: [1])) == "x-le-1 0\nx-le-inf 0\nx-count 0\nx-sum 0")
    }

    @Test func `Equal values are recorded in one call`() {
        var (one, many) = (Histogram(bounds: [1, 2]), Histogram(bounds: [1, 2]))
        for _ in 1...5 { one.note(1.5) }
        many.note(1.5, times: 5)
        #expect(text(one) == text(many))
    }

    @Test func `Durations are reported in seconds, negative ones as zero`() {
        var histogram = Histogram.seconds
        histogram.note(.milliseconds(5))
        histogram.note(.microseconds(5001))
        histogram.note(.seconds(-3))
        let metrics = Dictionary(uniqueKeysWithValues: histogram.metrics("x").map { $0 })
        #expect(metrics["x-le-0.001"] == "1")
        #expect(metrics["x-le-0.005"] == "2")
        #expect(metrics["x-le-0.01"] == "3")
        #expect(metrics["x-sum"] == "0.010001")
    }
}
