internal import Contract
internal import Tracking

/// A log of NMEA 0183: positions from RMC (with date, speed and course) and GGA (with altitude and
/// dilution); those with the same time of day are merged. Lines with a wrong checksum and sentences
/// without a fix are skipped.
struct NMEA {
    private struct Epoch {
        /// Milliseconds since midnight.
        var timeOfDay: Int64
        var coordinate: Coordinate
        /// Midnight of the day, if a sentence gave the date.
        var date: Timestamp?
        var altitude: Double?
        var dilution: Double?
        var speed: Double?
        var heading: Double?
    }

    private var epochs: [Epoch] = []

    private static let day = Duration.seconds(86_400)
    private static let metersPerSecondPerKnot = 1852.0 / 3600

    init(_ bytes: [UInt8]) throws(TrackError) {
        var line = 0
        for text in bytes.split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        {
            line += 1
            guard let sentence = NMEASentence(text) else { continue }
            do throws(TrackError) {
                switch sentence.kind {
                case "RMC" where sentence.text(1) == "A": try readRMC(sentence)
                case "GGA" where !["", "0"].contains(sentence.text(5)): try readGGA(sentence)
                default: continue
                }
            } catch {
                throw TrackError(error.reason, line: line)
            }
        }
    }

    /// Fields: time, status, latitude, N/S, longitude, E/W, knots, course, ddmmyy.
    private mutating func readRMC(_ sentence: NMEASentence) throws(TrackError) {
        var epoch = try epoch(sentence, latitude: 2)
        epoch.speed = sentence.number(6).map { $0 * NMEA.metersPerSecondPerKnot }
        epoch.heading = sentence.number(7)
        epoch.date = try NMEA.date(sentence.text(8))
        add(epoch)
    }

    /// Fields: time, latitude, N/S, longitude, E/W, quality, satellites, dilution, altitude.
    private mutating func readGGA(_ sentence: NMEASentence) throws(TrackError) {
        var epoch = try epoch(sentence, latitude: 1)
        epoch.dilution = sentence.number(7)
        epoch.altitude = sentence.number(8)
        add(epoch)
    }

    private func epoch(_ sentence: NMEASentence, latitude: Int) throws(TrackError) -> Epoch {
        guard let timeOfDay = sentence.timeOfDay(0),
            let north = sentence.angle(latitude), let east = sentence.angle(latitude + 2),
            let place = Coordinate(latitude: north, longitude: east)
        else { throw TrackError(.malformed("a time or a position cannot be read")) }
        return Epoch(timeOfDay: timeOfDay, coordinate: place)
    }

    private mutating func add(_ epoch: Epoch) {
        guard var last = epochs.last, last.timeOfDay == epoch.timeOfDay else {
            epochs.append(epoch)
            return
        }
        last.date = last.date ?? epoch.date
        last.altitude = last.altitude ?? epoch.altitude
        last.dilution = last.dilution ?? epoch.dilution
        last.speed = last.speed ?? epoch.speed
        last.heading = last.heading ?? epoch.heading
        epochs[epochs.count - 1] = last
    }

    /// The year has two digits, which is unambiguous as GPS began in 1980.
    private static func date(_ text: Substring) throws(TrackError) -> Timestamp? {
        guard !text.isEmpty else { return nil }
        let digits = Array(text)
        if digits.count == 6, let year = Int(String(digits[4...])) {
            let century = year < 80 ? "20" : "19"
            let date = "\(century)\(String(digits[4...]))-\(String(digits[2..<4]))"
            if let day = Timestamp(rfc3339: "\(date)-\(String(digits[..<2]))T00:00:00Z") {
                return day
            }
        }
        throw TrackError(.malformed("a date cannot be read"))
    }

    /// The date is the last one given. Before the first one, and after midnight until the next one,
    /// it is inferred from the time of day. If none is ever given, the log begins in 1970.
    var readings: [Reading] {
        let named = epochs.firstIndex { $0.date != nil }
        var day = named.flatMap { epochs[$0].date } ?? Timestamp(milliseconds: 0)
        for index in (0..<(named ?? 0)).reversed()
        where NMEA.isPastMidnight(from: epochs[index], to: epochs[index + 1]) {
            day = day - NMEA.day
        }
        var previous: Epoch?
        return epochs.map { epoch in
            if let date = epoch.date {
                day = date
            } else if let previous, NMEA.isPastMidnight(from: previous, to: epoch) {
                day = day + NMEA.day
            }
            previous = epoch
            return Reading(
                epoch.coordinate, at: day + .milliseconds(epoch.timeOfDay),
                altitude: epoch.altitude, dilution: epoch.dilution, speed: epoch.speed,
                heading: epoch.heading)
        }
    }

    /// Whether the time of day has gone back by more than half a day.
    private static func isPastMidnight(from earlier: Epoch, to later: Epoch) -> Bool {
        earlier.timeOfDay - later.timeOfDay > day.milliseconds / 2
    }
}
