public import Tracking

/// A cell of the presence grid, ``Precision/district``: two kilometres.
public struct CohortCell {
    /// The cell's centre.
    public let coordinate: Coordinate

    public init(_ coordinate: Coordinate) {
        let fix = Fix(
            coordinate: coordinate, takenAt: Timestamp(milliseconds: 0),
            receivedAt: Timestamp(milliseconds: 0))
        self.coordinate = fix.shown(.district).coordinate
    }

    /// - Returns: nil if no cell has this number.
    public init?(number: Int64) {
        let longitude = Int32(truncatingIfNeeded: number)
        guard
            let coordinate = Coordinate(
                latitudeE7: number >> 32, longitudeE7: Int64(longitude))
        else { return nil }
        self.coordinate = coordinate
    }

    public var number: Int64 {
        Int64(coordinate.latitudeE7) << 32
            | Int64(UInt32(bitPattern: Int32(coordinate.longitudeE7)))
    }
}
