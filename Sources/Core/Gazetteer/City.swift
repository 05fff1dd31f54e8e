public import Tracking

/// A city or town.
public struct City: Hashable, Sendable {
    public let name: String
    public let coordinate: Coordinate
    /// In thousands, at least 1.
    public let population: Int

    public init(_ name: String, _ coordinate: Coordinate, population: Int) {
        self.name = name
        self.coordinate = coordinate
        self.population = max(1, population)
    }

    /// A line of `pages/world/cities`: name, country, latitude and longitude in thousandths of a
    /// degree, population in thousands, and more for the map, with tabs between them.
    init?(line: Substring) {
        let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard parts.count >= 5, !parts[0].isEmpty, let latitude = Int64(parts[2]),
            let longitude = Int64(parts[3]), let population = Int(parts[4]),
            (-90_000...90_000).contains(latitude), (-180_000...180_000).contains(longitude),
            let place = Coordinate(latitudeE7: latitude * 10_000, longitudeE7: longitude * 10_000)
        else { return nil }
        self.init(String(parts[0]), place, population: population)
    }

    /// How far a city of this size reaches, in kilometres, at 2,500 people on a square kilometre.
    var radius: Double {
        min(25, (Double(population) * 1000 / (2500 * Double.pi)).squareRoot())
    }
}
