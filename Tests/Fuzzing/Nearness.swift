import Tracking

/// Positions in the order of their distances from the first, on the whole earth.
///
/// Each has eight bytes, the highest first: its latitude and its longitude.
enum Nearness {
    static func order(_ bytes: [UInt8]) throws {
        let all = coordinates(bytes)
        guard let place = all.first else { return }
        let exact = all.indices.map { index in
            (millimetres: Int64(place.distance(to: all[index]) * 1_000), index: index)
        }.sorted { $0 < $1 }
        let directions = all.map { NearestFirst.Direction($0) }
        let found = Array(NearestFirst(to: place, directions) { all[$0] })
        try expect(found.map(\.index) == exact.map(\.index), "the nearest comes first")
        try expect(
            found.map(\.millimetres) == exact.map(\.millimetres), "it is as far away as it is")
        // The next page of a list.
        let (from, to) = (exact[exact.count / 3].0, exact[exact.count * 2 / 3].0)
        let part = NearestFirst(to: place, directions, from: from, atMost: Double(to) / 1_000) {
            all[$0]
        }.filter { $0.millimetres >= from }
        try expect(
            part.map(\.index)
                == exact.filter {
                    $0.millimetres >= from
                        && place.distance(to: all[$0.index]) <= Double(to) / 1_000
                }.map(\.index), "a part of them is the same")
    }

    private static func coordinates(_ bytes: [UInt8]) -> [Coordinate] {
        stride(from: 0, to: bytes.count - bytes.count % 8, by: 8).compactMap { start in
            let number = bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
            return Coordinate(
                latitudeE7: Int64(number >> 32) % 1_800_000_001 - 900_000_000,
                longitudeE7: Int64(number & 0xFFFF_FFFF) % 3_600_000_001 - 1_800_000_000)
        }
    }
}
