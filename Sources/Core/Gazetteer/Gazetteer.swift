internal import Glibc
internal import Numbers
public import Tracking

/// Describes a position in words, by the cities around it. `pages/js/gazetteer.js` has the same
/// rule, and both are tested with `Tests/Stored/place-names.tsv`.
///
/// Distances are weighted by the size of the city: ten kilometres from a large one is nearer to it
/// than five from a village.
public struct Gazetteer: Sendable {
    /// In kilometres; a city farther away does not describe a position.
    private static let reach = 100.0
    private static let kilometresOfDegree = 111.195

    /// By whole degrees, southwest corner first.
    private var cells: [Cell: [City]] = [:]

    private struct Cell: Hashable {
        let latitude: Int
        let longitude: Int
    }

    public init(_ cities: some Sequence<City>) {
        for city in cities {
            let place = city.coordinate
            let cell = Cell(
                latitude: Int(clamping: place.latitude.rounded(.down)),
                longitude: Gazetteer.wrapped(Int(clamping: place.longitude.rounded(.down))))
            cells[cell, default: []].append(city)
        }
    }

    /// Lines that do not describe a city are skipped.
    public init(lines text: String) {
        self.init(text.split(separator: "\n").lazy.compactMap { City(line: $0) })
    }

    /// Returns nil if no city is near.
    public func describe(_ place: Coordinate) -> PlaceDescription? {
        var best: (city: City, north: Double, east: Double, share: Double)?
        let scale = max(0.02, cos(place.latitude * .pi / 180))
        let south = Int(clamping: (place.latitude - 0.9).rounded(.down))
        let north = Int(clamping: (place.latitude + 0.9).rounded(.down))
        let width = min(179, 0.95 / scale)
        let west = Int(clamping: (place.longitude - width).rounded(.down))
        let east = Int(clamping: (place.longitude + width).rounded(.down))
        for latitude in south...north {
            for longitude in west...east {
                let cell = Cell(latitude: latitude, longitude: Gazetteer.wrapped(longitude))
                for city in cells[cell] ?? [] {
                    let offset = Gazetteer.offset(from: city.coordinate, to: place)
                    let distance = (offset.north * offset.north + offset.east * offset.east)
                        .squareRoot()
                    let share = distance / city.radius
                    guard distance <= Gazetteer.reach, share < best?.share ?? .infinity else {
                        continue
                    }
                    best = (city, offset.north, offset.east, share)
                }
            }
        }
        guard let best else { return nil }
        if best.share <= 1 { return .inside(best.city.name) }
        let distance = (best.north * best.north + best.east * best.east).squareRoot()
        let turn = (atan2(best.east, best.north) / (.pi / 4)).rounded()
        let directions = PlaceDescription.Direction.allCases
        return .near(
            best.city.name, kilometres: Gazetteer.rounded(distance),
            directions[(Int(clamping: turn) + 8) % 8])
    }

    /// Rounds to whole kilometres, and from 30 on to every fifth.
    private static func rounded(_ distance: Double) -> Int {
        distance < 30
            ? max(1, Int(clamping: (distance + 0.5).rounded(.down)))
            : Int(clamping: (distance / 5 + 0.5).rounded(.down)) * 5
    }

    /// In kilometres; at such distances the earth counts as flat.
    private static func offset(from city: Coordinate, to place: Coordinate)
        -> (north: Double, east: Double)
    {
        let middle = (city.latitude + place.latitude) / 2
        var turn = place.longitude - city.longitude
        if turn > 180 { turn -= 360 }
        if turn < -180 { turn += 360 }
        return (
            (place.latitude - city.latitude) * kilometresOfDegree,
            turn * cos(middle * .pi / 180) * kilometresOfDegree
        )
    }

    private static func wrapped(_ longitude: Int) -> Int {
        ((longitude + 180) % 360 + 360) % 360 - 180
    }
}
