/// A position in relation to a city.
public enum PlaceDescription: Hashable, Sendable {
    case inside(String)
    /// The distance in kilometres, and the direction as seen from the city.
    case near(String, kilometres: Int, Direction)

    /// One of eight.
    public enum Direction: String, CaseIterable, Sendable {
        case north
        case northeast
        case east
        case southeast
        case south
        case southwest
        case west
        case northwest
    }

    /// In English: `Salzburg`, or `3 km north of Salzburg`.
    public var text: String {
        switch self {
        case .inside(let city): city
        case .near(let city, let kilometres, let direction):
            "\(kilometres) km \(direction.rawValue) of \(city)"
        }
    }
}
