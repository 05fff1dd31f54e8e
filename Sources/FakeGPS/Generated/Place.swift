internal import Contract
public import Tracking

/// A well-known place in town; invented people move between such places.
public struct Place: Hashable, Sendable {
    public let name: String
    public let coordinate: Coordinate

    /// Public places of Milan.
    public static let known: [Place] = [
        Place("bocconi", 454_503_000, 91_897_000),
        Place("castello", 454_705_000, 91_793_000),
        Place("centrale", 454_861_000, 92_045_000),
        Place("citylife", 454_780_000, 91_557_000),
        Place("darsena", 454_528_000, 91_773_000),
        Place("duomo", 454_642_000, 91_900_000),
        Place("gae-aulenti", 454_836_000, 91_903_000),
        Place("lambrate", 454_849_000, 92_366_000),
        Place("linate", 454_491_000, 92_790_000),
        Place("monumentale", 454_849_000, 91_790_000),
        Place("politecnico", 454_785_000, 92_270_000),
        Place("porta-romana", 454_518_000, 92_023_000),
        Place("porta-venezia", 454_744_000, 92_050_000),
        Place("portello", 454_893_000, 91_500_000),
        Place("san-siro", 454_781_000, 91_240_000),
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
        if let place = Place.known.first(where: { $0.name == text }) {
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
