internal import Glibc
internal import Numbers
internal import Tracking

/// Generated streets around a place, in slightly crooked blocks; the same place always has the same
/// streets.
struct StreetGrid {
    /// A crossing, with coordinates in blocks.
    struct Corner: Hashable {
        var column: Int
        var row: Int

        static func + (left: Corner, right: Corner) -> Corner {
            Corner(column: left.column + right.column, row: left.row + right.row)
        }
    }

    /// Metres from corner to corner.
    static let block = 110.0
    /// The largest offset of a corner from its place in a regular grid, in metres.
    private static let crookedness = 16.0
    /// The largest sideways bend of a street between two corners, as a fraction of its length.
    private static let bend = 0.05
    /// The angle by which the town's plan is turned away from north, in radians.
    private static let turn = 0.42

    let plane: LocalPlane

    /// All places in a region some 50 km wide share one plan.
    init(around place: Coordinate) {
        func rounded(_ e7: Int32) -> Int64 {
            Int64(clamping: (Double(e7) / 5e6).rounded()) * 5_000_000
        }
        let origin = Coordinate(
            latitudeE7: rounded(place.latitudeE7), longitudeE7: rounded(place.longitudeE7))
        plane = LocalPlane(origin: origin ?? place)
    }

    func corner(nearest place: Vector) -> Corner {
        let straight = place.rotated(by: -StreetGrid.turn) * (1 / StreetGrid.block)
        return Corner(
            column: Int(clamping: straight.east.rounded()),
            row: Int(clamping: straight.north.rounded()))
    }

    func position(of corner: Corner) -> Vector {
        var random = StreetGrid.random(corner, corner)
        let offset = Vector(
            east: random.next(in: -1...1) * StreetGrid.crookedness,
            north: random.next(in: -1...1) * StreetGrid.crookedness)
        let straight =
            Vector(
                east: Double(corner.column) * StreetGrid.block,
                north: Double(corner.row) * StreetGrid.block) + offset
        return straight.rotated(by: StreetGrid.turn)
    }

    /// Finds a way along the streets without ever turning back.
    ///
    /// - Parameter run: how many blocks to go straight on, if possible.
    /// - Returns: the crossings, from the first to the last.
    func way(
        from start: Corner, to end: Corner, run: ClosedRange<Int>, using random: inout SplitMix64
    ) -> [Corner] {
        var corners = [start]
        var here = start
        var goesEast = random.nextUnit() < 0.5
        while here != end {
            let (columns, rows) = (end.column - here.column, end.row - here.row)
            if (goesEast ? columns : rows) == 0 { goesEast.toggle() }
            let left = goesEast ? columns : rows
            for _ in 0..<min(abs(left), random.next(in: run)) {
                if goesEast { here.column += left.signum() } else { here.row += left.signum() }
                corners.append(here)
            }
            goesEast.toggle()
        }
        return corners
    }

    /// The points of the street from one corner to the next, without the first.
    func street(from start: Corner, to end: Corner) -> [Vector] {
        let (from, to) = (position(of: start), position(of: end))
        let along = to - from
        let isForward = (start.column, start.row) < (end.column, end.row)
        var random = isForward ? StreetGrid.random(start, end) : StreetGrid.random(end, start)
        let bend = random.next(in: -1...1) * StreetGrid.bend * (isForward ? 1 : -1)
        let side = Vector(east: -along.north, north: along.east) * bend
        return [0.25, 0.5, 0.75, 1].map { share in
            from + along * share + side * (4 * share * (1 - share))
        }
    }

    /// The random numbers for a street or, if both corners are equal, for a corner; always the
    /// same.
    private static func random(_ from: Corner, _ to: Corner) -> SplitMix64 {
        var mixed: UInt64 = 0
        for number in [from.column, from.row, to.column, to.row] {
            var mixer = SplitMix64(seed: mixed ^ UInt64(bitPattern: Int64(number)))
            mixed = mixer.next()
        }
        return SplitMix64(seed: mixed)
    }
}
