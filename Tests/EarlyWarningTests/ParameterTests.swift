import EarlyWarning
import Testing

/// Every edge of every band of the chart (Royal College of Physicians, 2017), a step below, on and
/// above it.
struct ParameterTests {
    private typealias Band = (values: ClosedRange<Double>, points: Int)

    /// As the chart prints them.
    private static let chart: [(Parameter, step: Double, bands: [(ClosedRange<Double>, Int)])] = [
        (.respiration, 1, [(0...8, 3), (9...11, 1), (12...20, 0), (21...24, 2), (25...150, 3)]),
        (.oxygenSaturation, 1, [(1...91, 3), (92...93, 2), (94...95, 1), (96...100, 0)]),
        (
            .systolicPressure, 1,
            [(1...90, 3), (91...100, 2), (101...110, 1), (111...219, 0), (220...400, 3)]
        ),
        (
            .pulse, 1,
            [
                (1...40, 3), (41...50, 1), (51...90, 0), (91...110, 1), (111...130, 2),
                (131...500, 3),
            ]
        ),
        (.consciousness, 1, [(0...0, 0), (1...1, 3)]),
        (
            .temperature, 0.1,
            [
                (10...35.0, 3), (35.1...36.0, 1), (36.1...38.0, 0), (38.1...39.0, 1),
                (39.1...50, 2),
            ]
        ),
    ]

    @Test(arguments: chart.map(\.0))
    func `Each edge has the points of its band`(_ parameter: Parameter) throws {
        let row = try #require(ParameterTests.chart.first { $0.0 == parameter })
        for (index, band) in row.bands.enumerated() {
            for value in [band.0.lowerBound, band.0.upperBound] {
                #expect(parameter.points(of: value) == band.1, "\(value)")
                // Between two steps the nearer one counts.
                #expect(parameter.points(of: value + row.step * 0.4) == band.1, "\(value) and more")
                #expect(parameter.points(of: value - row.step * 0.4) == band.1, "\(value) and less")
            }
            guard index > 0 else { continue }
            let below = row.bands[index - 1]
            #expect(parameter.points(of: band.0.lowerBound - row.step) == below.1)
            #expect(parameter.points(of: below.0.upperBound + row.step) == band.1)
            #expect(abs(band.0.lowerBound - below.0.upperBound - row.step) < 1e-9)
        }
    }

    @Test func `NaN and infinity have no points`() {
        for parameter in Parameter.allCases {
            #expect(parameter.points(of: .nan) == 0 && parameter.points(of: .infinity) == 0)
        }
    }
}
