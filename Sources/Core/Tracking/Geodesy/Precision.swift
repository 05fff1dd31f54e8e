internal import Numbers
internal import RealModule

/// The precision with which a person's position is shown.
///
/// A coarse position is the middle of the cell of a fixed grid in which the person is: the same
/// cell gives the same position, so collecting many reveals no more.
public enum Precision: String, Hashable, Sendable, CaseIterable {
    case exact, street, district, city

    /// The side of a cell in metres; nil: no grid.
    public var side: Double? {
        switch self {
        case .exact: nil
        case .street: 200
        case .district: 2_000
        case .city: 20_000
        }
    }
}

extension Fix {
    /// Returns the fix as shown: for a coarse precision, only the time and the middle of its cell,
    /// with an accuracy that reaches the cell's corners.
    public func shown(_ precision: Precision) -> Fix {
        guard let side = precision.side else { return self }
        return Fix(
            coordinate: coordinate.middleOfCell(side), takenAt: takenAt, receivedAt: receivedAt,
            accuracy: max(accuracy ?? 0, (side * 0.5.squareRoot()).rounded(.up)))
    }
}

extension Coordinate {
    /// - Parameter side: in metres, from north to south and, in the middle, from east to west.
    func middleOfCell(_ side: Double) -> Coordinate {
        let height = (side / Coordinate.metresPerDegree * 1e7).rounded()
        let latitude = Coordinate.middle(Double(latitudeE7), height, 900_000_000)
        // Each row of cells has as many as fit around it.
        let around = 3.6e9 * max(Double.cos(latitude / 1e7 * .pi / 180), 0)
        let cells = max((around / height).rounded(.down), 1)
        let longitude = Coordinate.middle(Double(longitudeE7), 3.6e9 / cells, 1_800_000_000)
        return Coordinate(
            latitudeE7: Int64(clamping: latitude), longitudeE7: Int64(clamping: longitude)) ?? self
    }

    private static func middle(_ value: Double, _ size: Double, _ limit: Double) -> Double {
        let middle = ((value / size).rounded(.down) + 0.5) * size
        return min(max(middle.rounded(), -limit), limit)
    }

    /// Along a meridian, to a thousandth.
    private static let metresPerDegree = 111_195.0
}
