/// A day of the week. Its number is that of ISO 8601, less one.
public enum Weekday: Int, Hashable, CaseIterable, Sendable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// Reads the two letters of RFC 5545 and of OpenStreetMap, in either case: `MO`, `Mo`.
    init?(_ letters: some StringProtocol) {
        guard let number = Weekday.codes.firstIndex(of: letters.uppercased()) else { return nil }
        self.init(rawValue: number)
    }

    /// As RFC 5545 writes it: `MO`.
    var code: String { Weekday.codes[rawValue] }

    private static let codes = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

    /// Returns how many days after the other one this weekday is next: 0...6.
    func days(since other: Weekday) -> Int { (rawValue - other.rawValue + 7) % 7 }
}
