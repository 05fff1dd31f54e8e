import Contract
import Limits
import Tracking

/// Limits the codes sent to unproved addresses in the long run. A code that is entered does not
/// count. The counts are kept in memory: they restart at zero.
struct SentCodes {
    private var buckets = Bound.allCases.map { TokenBuckets<Key>($0.allowance) }

    /// The keys by which codes are counted.
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
    /// - Returns: the limit reached, if any.
    mutating func take(_ address: String, by person: UserID, at now: Timestamp) -> Bound? {
        let time = Duration.milliseconds(now.milliseconds)
        // A code that is not sent uses up nothing, least of all another person's address.
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

    /// Uncounts a code that reached the person who requested it.
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
        case .person: "You have requested too many codes. Try again tomorrow."
        case .domain: "Too many codes were sent to addresses there. Try again tomorrow."
        case .installation: "Too many codes were sent from here. Try again tomorrow."
        }
    }
}
