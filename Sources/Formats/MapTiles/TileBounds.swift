/// A part of the world in degrees, as MBTiles files write it: `west,south,east,north`.
public struct TileBounds: Hashable, Sendable {
    public let west: Double
    public let south: Double
    public let east: Double
    public let north: Double

    /// Nil if the text is not a part of the world.
    init?(metadata text: String) {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { Double($0.filter { $0 != " " }) }
        guard numbers.count == 4, let west = numbers[0], let south = numbers[1],
            let east = numbers[2], let north = numbers[3],
            (-180...180).contains(west), (-180...180).contains(east), west < east,
            (-90...90).contains(south), (-90...90).contains(north), south < north
        else { return nil }
        (self.west, self.south, self.east, self.north) = (west, south, east, north)
    }
}
