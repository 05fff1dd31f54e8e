/// The key that was probably meant by one that does not exist.
enum KeySuggestion {
    /// - Returns: nil if nothing is near.
    static func of(_ key: String, in known: Set<String>) -> String? {
        let wanted = Array(key.lowercased())
        let last = Array(name(key).lowercased())
        let candidates = known.sorted().map { candidate in
            let whole = distance(wanted, Array(candidate.lowercased()))
            // Under another heading, or under no heading.
            let own = distance(last, Array(name(candidate).lowercased())) + 1
            return (key: candidate, distance: min(whole, own))
        }
        guard let nearest = candidates.min(by: { $0.distance < $1.distance }),
            nearest.distance <= max(1, min(3, last.count / 3))
        else { return nil }
        return nearest.key
    }

    private static func name(_ key: String) -> Substring {
        key.split(separator: ".").last ?? ""
    }

    /// Returns the number of letters to insert, remove, replace, or exchange with the next one
    /// (Damerau and Levenshtein, restricted: optimal string alignment).
    static func distance(_ one: [Character], _ other: [Character]) -> Int {
        var earlier: [Int] = []
        var previous = Array(0...other.count)
        for (row, letter) in one.enumerated() {
            var current = [row + 1]
            for (column, otherLetter) in other.enumerated() {
                var best = min(
                    previous[column] + (letter == otherLetter ? 0 : 1),
                    min(previous[column + 1], current[column]) + 1)
                if row > 0, column > 0, letter == other[column - 1], one[row - 1] == otherLetter {
                    best = min(best, earlier[column - 1] + 1)
                }
                current.append(best)
            }
            (earlier, previous) = (previous, current)
        }
        return previous.last ?? 0
    }
}
