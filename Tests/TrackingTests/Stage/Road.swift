import Foundation
import Tracking

/// The places of the scenarios: metres along a straight road that leads north from 46° N,
/// 14.5° E. A place is at most 1.1 cm short of its number, never beyond it.
enum Road {
    static let start = place(0)

    static func place(_ meters: Double) -> Coordinate {
        let e7 = Int64(meters / metersPerE7)
        guard let place = Coordinate(latitudeE7: 460_000_000 + e7, longitudeE7: 145_000_000) else {
            preconditionFailure("the road ends at the pole")
        }
        return place
    }

    static func meters(to place: Coordinate) -> Int {
        Int(start.distance(to: place).rounded())
    }

    /// The meridian's radius of curvature at 46° (NIMA TR8350.2), as metres for 10⁻⁷ degrees.
    private static let metersPerE7: Double = {
        let flattening = 1 / 298.257223563
        let e2 = flattening * (2 - flattening)
        let sine = sin(46 * Double.pi / 180)
        return 6_378_137 * (1 - e2) / pow(1 - e2 * sine * sine, 1.5) * Double.pi / 180 / 1e7
    }()
}
