public import ArgumentParser
internal import Contract
public import FakeGPS
internal import Numbers
internal import Tracking

/// A user's or device's name.
struct NameArgument: ExpressibleByArgument {
    let name: Name

    init?(argument: String) {
        guard let name = Name(argument) else { return nil }
        self.name = name
    }
}

/// Users, separated by commas, without duplicates.
struct NamesArgument: ExpressibleByArgument {
    let names: [Name]

    init?(argument: String) {
        let words = argument.split(separator: ",", omittingEmptySubsequences: false)
        names = words.compactMap { Name($0) }
        guard names.count == words.count, Set(names).count == names.count else { return nil }
    }
}

/// `all`, or identifiers of groups, separated by commas.
struct GroupsArgument: ExpressibleByArgument {
    let groups: GroupSelection

    init?(argument: String) {
        guard argument != "all" else {
            groups = .all
            return
        }
        let words = argument.split(separator: ",", omittingEmptySubsequences: false)
        let keys = words.compactMap { GroupKey($0) }
        guard keys.count == words.count else { return nil }
        groups = .some(keys)
    }
}

/// `START:LENGTH`, in seconds.
struct SpanArgument: ExpressibleByArgument {
    let range: Range<Duration>

    init?(argument: String) {
        let numbers = argument.split(separator: ":", omittingEmptySubsequences: false).map {
            Double($0)
        }
        guard numbers.count == 2, let start = numbers[0], let length = numbers[1],
            secondsRange.contains(start), secondsRange.contains(length), length > 0
        else { return nil }
        range = .seconds(clamping: start) ..< .seconds(clamping: start + length)
    }
}

/// `LAT,LON[,NAME][@MINUTES]` or `end[@MINUTES]`.
struct JourneyArgument: ExpressibleByArgument {
    /// Nil for the end of the track.
    var destination: Coordinate?
    var name: String?
    /// The time until the ETA, in real time; nil for the time that the track takes.
    var limit: Duration?

    init?(argument: String) {
        let parts = argument.split(separator: "@", omittingEmptySubsequences: false)
        if parts.count == 2 {
            guard let minutes = Double(parts[1]), secondsRange.contains(minutes * 60), minutes > 0
            else { return nil }
            limit = .seconds(clamping: minutes * 60)
        }
        guard (1...2).contains(parts.count) else { return nil }
        if parts[0] == "end" { return }
        let words = parts[0].split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count >= 2, let latitude = Double(words[0]), let longitude = Double(words[1]),
            let place = Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        destination = place
        if words.count == 3 { name = String(words[2]) }
    }
}

extension Landmark: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

extension Phone.Format: ExpressibleByArgument {}

/// The valid range of a duration on the command line: up to some thirty years.
let secondsRange = 0.0...1e9
