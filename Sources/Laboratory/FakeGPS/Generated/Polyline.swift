internal import Glibc

/// A line to travel along.
struct Polyline {
    /// A point at which to slow down, and perhaps stop.
    struct Crossing {
        /// Metres from the start.
        var distance: Double
        /// Whether the way turns into another street here.
        var isTurn: Bool
    }

    private(set) var points: [Vector]
    /// The distance of each point from the start, in metres.
    private(set) var distances: [Double] = [0]
    private(set) var crossings: [Crossing] = []

    var length: Double { distances[distances.count - 1] }
    var end: Vector { points[points.count - 1] }

    /// From the door to the street, along the streets, and from the street to the door.
    ///
    /// - Parameter corners: at least one.
    init(
        from start: Vector, along corners: [StreetGrid.Corner], to end: Vector, in grid: StreetGrid
    ) {
        points = [start]
        go(to: grid.position(of: corners[0]))
        for index in corners.indices.dropFirst() {
            let isTurn =
                index >= 2
                && corners[index].column != corners[index - 2].column
                && corners[index].row != corners[index - 2].row
            crossings.append(Crossing(distance: length, isTurn: isTurn || index == 1))
            for point in grid.street(from: corners[index - 1], to: corners[index]) { go(to: point) }
        }
        crossings.append(Crossing(distance: length, isTurn: true))
        go(to: end)
    }

    /// - Parameters:
    ///   - points: at least one.
    ///   - angle: the change of direction from which on a bend is a crossing, in radians.
    init(through points: [Vector], turningBy angle: Double) {
        self.points = [points[0]]
        for (point, next) in zip(points.dropFirst(), points.dropFirst(2)) {
            let before = end
            go(to: point)
            let (arriving, leaving) = (point - before, next - point)
            let turn = abs(
                atan2(
                    arriving.east * leaving.north - arriving.north * leaving.east,
                    arriving.east * leaving.east + arriving.north * leaving.north))
            if turn >= angle { crossings.append(Crossing(distance: length, isTurn: true)) }
        }
        go(to: points[points.count - 1])
    }

    private mutating func go(to point: Vector) {
        let step = (point - self.end).length
        guard step > 0 else { return }
        points.append(point)
        distances.append(length + step)
    }

    /// - Parameter segment: the segment from which to search; updated to the one found.
    func place(
        at distance: Double, from segment: inout Int
    ) -> (position: Vector, heading: Double) {
        while segment + 2 < points.count, distances[segment + 1] < distance { segment += 1 }
        guard segment + 1 < points.count else { return (end, 0) }
        let (from, to) = (points[segment], points[segment + 1])
        let length = distances[segment + 1] - distances[segment]
        let share = min(1, max(0, (distance - distances[segment]) / length))
        return (from + (to - from) * share, (to - from).heading)
    }
}
