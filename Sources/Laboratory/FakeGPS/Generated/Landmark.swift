internal import Contract
public import Tracking

/// A well-known place in town; simulated people move between such places.
public struct Landmark: Hashable, Sendable {
    public let name: String
    public let coordinate: Coordinate

    /// Public places of Milan.
    public static let known: [Landmark] = [
        Landmark("bocconi", 454_503_000, 91_897_000),
        Landmark("castello", 454_705_000, 91_793_000),
        Landmark("centrale", 454_861_000, 92_045_000),
        Landmark("citylife", 454_780_000, 91_557_000),
        Landmark("darsena", 454_528_000, 91_773_000),
        Landmark("duomo", 454_642_000, 91_900_000),
        Landmark("gae-aulenti", 454_836_000, 91_903_000),
        Landmark("lambrate", 454_849_000, 92_366_000),
        Landmark("linate", 454_491_000, 92_790_000),
        Landmark("monumentale", 454_849_000, 91_790_000),
        Landmark("politecnico", 454_785_000, 92_270_000),
        Landmark("porta-romana", 454_518_000, 92_023_000),
        Landmark("porta-venezia", 454_744_000, 92_050_000),
        Landmark("portello", 454_893_000, 91_500_000),
        Landmark("san-siro", 454_781_000, 91_240_000),
    ]

    private init(_ name: String, _ latitudeE7: Int64, _ longitudeE7: Int64) {
        guard let place = Coordinate(latitudeE7: latitudeE7, longitudeE7: longitudeE7) else {
            preconditionFailure("\(name) is not on the map")
        }
        self.name = name
        coordinate = place
    }

    /// - Parameter text: the name of a known place, or `latitude,longitude` in degrees; the result
    ///   is nil for anything else.
    public init?(_ text: String) {
        if let place = Landmark.known.first(where: { $0.name == text }) {
            self = place
            return
        }
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
            Double($0)
        }
        guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1],
            let place = Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        name = text
        coordinate = place
    }
}
