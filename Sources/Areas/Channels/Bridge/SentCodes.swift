import Contract
import Limits
import Tracking

/// How many codes are sent to addresses that nobody has proved to be theirs, in the long run. A code
/// that is typed in does not count. Kept in memory: after a start the counts begin at zero.
struct SentCodes {
    private var buckets = Bound.allCases.map { TokenBuckets<Key>($0.allowance) }

    /// What codes are counted by.
    enum Bound: Int, CaseIterable {
        case address, person, domain, installation

        var allowance: Allowance {
            let perDay: Double =
                switch self {
                case .address: 3
                case .person: 10
                case .domain: 500
                case .installation: 2_000
                }
            return Allowance(burst: perDay, perSecond: perDay / 86_400)
        }
    }

    private enum Key: Hashable {
        case text(String)
        case person(UserID)
        case everybody
    }

    private static func key(_ bound: Bound, _ address: String, _ person: UserID) -> Key {
        switch bound {
        case .address: .text(address)
        case .person: .person(person)
        case .domain: .text(String(address.split(separator: "@").last ?? ""))
        case .installation: .everybody
        }
    }

    /// - Parameter address: folded.
    /// - Returns: the bound that is reached, if one is.
    mutating func take(_ address: String, by person: UserID, at now: Timestamp) -> Bound? {
        let time = Duration.milliseconds(now.milliseconds)
        // A code that is not sent uses up nothing, least of all the address of somebody else.
        if let reached = Bound.allCases.first(where: {
            !buckets[$0.rawValue].has(SentCodes.key($0, address, person), at: time)
        }) {
            return reached
        }
        for bound in Bound.allCases {
            _ = buckets[bound.rawValue].take(SentCodes.key(bound, address, person), at: time)
        }
        return nil
    }

    /// The code has arrived with the person who asked for it.
    mutating func giveBack(_ address: String, by person: UserID, at now: Timestamp) {
        let time = Duration.milliseconds(now.milliseconds)
        for bound in Bound.allCases {
            _ = buckets[bound.rawValue].take(SentCodes.key(bound, address, person), -1, at: time)
        }
    }
}

extension SentCodes.Bound {
    var reason: String {
        switch self {
        case .address: "Too many codes were sent to that address. Try again tomorrow."
        case .person: "You have asked for too many codes. Try again tomorrow."
        case .domain: "Too many codes were sent to addresses there. Try again tomorrow."
        case .installation: "Too many codes were sent from here. Try again tomorrow."
        }
    }
}
