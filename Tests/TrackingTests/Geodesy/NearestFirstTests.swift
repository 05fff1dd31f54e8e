import Testing
import Tracking

struct NearestFirstTests {
    /// Scattered over a town, over the earth, and some of them at the same place.
    private static func coordinates(_ count: Int, _ width: Double) -> [Coordinate] {
        var random = SystemRandomNumberGenerator()
        return (0..<count).compactMap { number in
            number % 10 == 0
                ? Coordinate(latitude: 46, longitude: 14.5)
                : Coordinate(
                    latitude: .random(in: -width / 2...width / 2, using: &random)
                        .advanced(by: width > 10 ? 0 : 46),
                    longitude: .random(in: -width...width, using: &random)
                        .advanced(by: width > 10 ? 0 : 14.5))
        }
    }

    @Test(arguments: [0.001, 0.1, 179.9])
    func `Results are in the order of exact distances`(_ width: Double) throws {
        let place = try #require(Coordinate(latitude: 46.0001, longitude: 14.5002))
        let all = NearestFirstTests.coordinates(500, width)
        let exact = all.indices.map { index in
            (Int64(place.distance(to: all[index]) * 1_000), index)
        }.sorted { $0 < $1 }
        let found = Array(
            NearestFirst(to: place, all.map { .init($0) }) { all[$0] })
        #expect(found.map(\.index) == exact.map(\.1))
        #expect(found.map(\.millimetres) == exact.map(\.0))
        let (from, to) = (exact[100].0, Double(exact[300].0) / 1_000)
        let part = NearestFirst(to: place, all.map { .init($0) }, from: from, atMost: to) {
            all[$0]
        }.filter { $0.millimetres >= from }
        #expect(part.allSatisfy { $0.distance <= to })
        #expect(
            part.map(\.index)
                == exact.filter { $0.0 >= from && place.distance(to: all[$0.1]) <= to }.map(\.1))
    }

    @Test func `The exact distance is computed only for results that are reached`() throws {
        let all = NearestFirstTests.coordinates(1_000, 0.1)
        var worked = 0
        var nearest = NearestFirst(to: all[1], all.map { .init($0) }) {
            worked += 1
            return all[$0]
        }
        for _ in 0..<20 { #expect(nearest.next() != nil) }
        #expect(worked < 200)
    }
}
