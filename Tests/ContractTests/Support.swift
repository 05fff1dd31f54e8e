import Contract
import Tracking

extension String {
    var bytes: [UInt8] { Array(utf8) }
}

extension [UInt8] {
    var text: String { String(decoding: self, as: UTF8.self) }
}

/// The refusal as one text: the kind, then the fields with their reasons; "accepted" if there is
/// none.
func refusal(_ body: () throws(Problem) -> Void) -> String {
    do {
        try body()
        return "accepted"
    } catch {
        return error.words
    }
}

extension Problem {
    /// The kind, and the fields with their reasons.
    var words: String {
        let fields = errors.map { "\($0.field) \($0.reason)" }.joined(separator: "; ")
        return fields.isEmpty ? kind.rawValue : "\(kind.rawValue): \(fields)"
    }
}

extension Name {
    static let ann = named("ann")
    static let bob = named("bob")
    static let phone = named("phone")

    static func named(_ text: String) -> Name {
        guard let name = Name(text) else { preconditionFailure("\(text) is no name") }
        return name
    }
}

extension GroupKey {
    static let family = keyed("FamilyFamilyFamily_-09")
    static let work = keyed("WorkWorkWorkWorkWork00")

    static func keyed(_ text: String) -> GroupKey {
        guard let key = GroupKey(text) else { preconditionFailure("\(text) is no key") }
        return key
    }
}

extension Timestamp {
    /// 2026-05-01T10:00:00.000Z, when most of these tests take place.
    static let now = Timestamp(milliseconds: 1_777_629_600_000)
}

/// A hundred different seeds, and the same every time: a failure names its own.
let seeds = (0..<100).map { UInt64(20_260_501 + $0 * 7919) }

/// The error for text that is not a valid user or device name.
let notAName =
    "must be 2 to 32 lower-case letters, digits, - or _, beginning with a letter or digit"
