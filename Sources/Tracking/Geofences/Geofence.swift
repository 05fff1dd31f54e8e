/// A circle on the map which people arrive at and leave.
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

    /// On which side a fix says that its device is; nil where it does not say.
    ///
    /// Whoever is inside has to be clearly outside to have left: beyond the edge by more than the fix may
    /// be off, and by ``GeofencePresence/margin`` besides. A fix that may be off by much more than the
    /// circle is large says nothing about being inside.
    public func side(of fix: Fix, _ rules: Rules) -> Side? {
        guard fix.isUsable(rules) else { return nil }
        let accuracy = fix.accuracy ?? 0
        let distance = centre.distance(to: fix.coordinate)
        if distance <= radius {
            return accuracy <= radius + GeofencePresence.tolerance ? .inside : nil
        }
        return distance - accuracy > radius + GeofencePresence.margin ? .outside : nil
    }

    /// Whether one fix shows that its device is inside: by more than it may be off, and not in passing. One
    /// that does not say how accurate it is may be off by ``Rules/visitTolerance``.
    func isClearlyInside(_ fix: Fix, _ rules: Rules) -> Bool {
        let accuracy = fix.accuracy ?? rules.visitTolerance
        return fix.isUsable(rules) && centre.distance(to: fix.coordinate) + accuracy <= radius
            && (fix.speed ?? 0) <= rules.passingSpeed
    }
}
