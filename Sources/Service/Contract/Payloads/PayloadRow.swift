internal import Tracking

/// The schema of a payload that the reference names. Its members are those of a ``Payload``, or
/// declared beside a writer or reader by hand.
public struct PayloadRow: Sendable {
    public let name: String
    /// In the order in which they are written.
    public let members: [Schema.Member]
    /// Whether other members follow, which the reference lists.
    let isOpen: Bool
    /// What the members alone do not state, as part of a sentence.
    public let words: String?
    /// Another form that is accepted in its place.
    let other: Schema?

    init(
        _ name: String, _ members: [Schema.Member], isOpen: Bool = false, _ words: String? = nil,
        or other: Schema? = nil
    ) {
        (self.name, self.members, self.isOpen) = (name, members, isOpen)
        (self.words, self.other) = (words, other)
    }

    public var schema: Schema { other.map { .either([.object(members), $0]) } ?? .object(members) }

    /// The members as the reference lists them: `{id,at,text?,from:{user,name}}`.
    public var notation: String {
        Schema.notation(members, isOpen: isOpen, withWords: false)
    }

    /// All of them: those of devices and answers, then the areas'.
    public static let all =
        [Fix.row, Rejection.payload.row, Problem.payload.row] + Area.all.flatMap(\.payloads)

    public static let names = Set(all.map(\.name))
}
