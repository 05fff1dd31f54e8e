internal import Glibc
internal import Tracking

/// Invented streets around a place: slightly crooked blocks, the same for everybody who goes
/// there.
struct StreetGrid {
    /// A crossing, counted in blocks.
    struct Corner: Hashable {
        var column: Int
        var row: Int

        static func + (left: Corner, right: Corner) -> Corner {
            Corner(column: left.column + right.column, row: left.row + right.row)
        }
    }

    /// Metres from corner to corner.
    static let block = 110.0
    /// How far a corner may lie from where a ruler would put it, in metres.
    private static let crookedness = 16.0
    /// How far a street bends to the side between two corners, as a share of its length.
    private static let bend = 0.05
    /// The town's plan does not point north.
    private static let turn = 0.42

    let plane: LocalPlane

    /// One plan for the whole region, some 50 km wide.
    init(around place: Coordinate) {
        func rounded(_ e7: Int32) -> Int64 { Int64((Double(e7) / 5e6).rounded()) * 5_000_000 }
        let origin = Coordinate(
            latitudeE7: rounded(place.latitudeE7), longitudeE7: rounded(place.longitudeE7))
        plane = LocalPlane(origin: origin ?? place)
    }

    func corner(nearest place: Vector) -> Corner {
        let straight = place.rotated(by: -StreetGrid.turn) * (1 / StreetGrid.block)
        return Corner(column: Int(straight.east.rounded()), row: Int(straight.north.rounded()))
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

    /// Along the streets without ever turning back.
    ///
    /// - Parameter run: how many blocks to go straight on, if the way lets you.
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

    /// What chance has laid down for a street or, with two equal corners, for a corner.
    private static func random(_ from: Corner, _ to: Corner) -> SplitMix64 {
        var mixed: UInt64 = 0
        for number in [from.column, from.row, to.column, to.row] {
            var mixer = SplitMix64(seed: mixed ^ UInt64(bitPattern: Int64(number)))
            mixed = mixer.next()
        }
        return SplitMix64(seed: mixed)
    }
}
