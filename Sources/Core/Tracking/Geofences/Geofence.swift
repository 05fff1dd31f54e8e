/// A circle on the map that people arrive at and leave.
public struct Geofence: Hashable, Sendable {
    public let centre: Coordinate
    /// Metres.
    public let radius: Double

    public init(centre: Coordinate, radius: Double) {
        (self.centre, self.radius) = (centre, radius)
    }

    public enum Side: String, Hashable, Sendable {
        case inside, outside
    }

    /// The side of the circle on which a fix places its device; nil if it is unclear.
    ///
    /// Leaving requires being clearly outside: beyond the edge by more than the fix's accuracy plus
    /// ``GeofencePresence/margin``. A fix whose accuracy is much larger than the circle is never
    /// inside.
    public func side(of fix: Fix, _ rules: Rules) -> Side? {
        guard fix.isUsable(rules) else { return nil }
        let accuracy = fix.accuracy ?? 0
        let distance = centre.distance(to: fix.coordinate)
        if distance <= radius {
            return accuracy <= radius + GeofencePresence.tolerance ? .inside : nil
        }
        return distance - accuracy > radius + GeofencePresence.margin ? .outside : nil
    }

    /// Whether a single fix shows that its device is inside: by more than its accuracy, and not in
    /// passing. A missing accuracy counts as ``Rules/visitTolerance``.
    func isClearlyInside(_ fix: Fix, _ rules: Rules) -> Bool {
        let accuracy = fix.accuracy ?? rules.visitTolerance
        return fix.isUsable(rules) && centre.distance(to: fix.coordinate) + accuracy <= radius
            && (fix.speed ?? 0) <= rules.passingSpeed
    }
}
