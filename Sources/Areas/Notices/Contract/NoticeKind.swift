internal import JSON
public import Languages
internal import Tracking

/// A kind of notice, declared once by its area: its content besides people, its urgency, the limit
/// it shares, the notices it replaces, and its texts.
public final class NoticeKind: Sendable, CustomStringConvertible {
    /// The name in payloads: `friend-added`.
    public let name: String
    /// The name under which it is stored and counted.
    public let filed: String
    let members: [Member]
    public let share: Notice.News.Share
    let urgency: Urgency
    let pace: Pace
    let latest: Latest
    /// The filed names of the kinds it replaces.
    public let replaced: [String]
    public let isToldToDoer: Bool
    /// Whether the person whom it is about is named only by user name.
    let isTerse: Bool
    let words: Words

    /// - Parameters:
    ///   - latest: the unseen notices of this kind by one person that it replaces.
    ///   - isToldToDoer: whether the person who caused it is also notified: it may have been done
    ///     with a stolen phone, and its owner has to learn what remains when that phone is logged
    ///     out.
    init(
        _ name: String, filed: String? = nil, _ members: [Member] = [],
        share: Notice.News.Share = .others, urgent urgency: Urgency = .never,
        pace: Pace = .others, latest: Latest = .each, replaces: [String]? = nil,
        isToldToDoer: Bool = false, isTerse: Bool = false, says words: Words
    ) {
        (self.name, self.filed, self.members) = (name, filed ?? name, members)
        (self.share, self.urgency, self.pace, self.latest) = (share, urgency, pace, latest)
        replaced = replaces ?? [filed ?? name]
        (self.isToldToDoer, self.isTerse, self.words) = (isToldToDoer, isTerse, words)
        let named: [String?] = [pace.member, latest.member] + urgency.members
        precondition(
            named.compactMap(\.self).allSatisfy { name in members.contains { $0.name == name } },
            "\(name) names a member that it does not have")
    }

    public var description: String { filed }

    /// All kinds, in the order of the areas.
    public static let all = Area.all.flatMap(\.notices)

    static let byShare = Dictionary(grouping: all, by: \.share)

    static let byFiledName = Dictionary(all.map { ($0.filed, $0) }) { first, _ in first }

    /// Whether the member `name` is a group's name.
    var namesGroup: Bool { members.contains { $0.placeholder == "group" } }

    /// The time until which it is sent on all channels, at any time.
    enum Urgency: Sendable {
        /// It is not urgent.
        case never
        case usual
        /// Until the time in that member.
        case until(String)
        /// While the flag is set: until the time in the member, or the default if that is later.
        case from(String, if: String)

        fileprivate var members: [String] {
            switch self {
            case .never, .usual: []
            case .until(let member): [member]
            case .from(let member, let flag): [member, flag]
            }
        }
    }

    /// The limit that defers what one person causes to be sent to another: ``Notice/News/Pace``.
    enum Pace: Sendable {
        case unlimited, kind, rare, others
        /// By the thing in that member.
        case latest(String)

        fileprivate var member: String? {
            if case .latest(let member) = self { member } else { nil }
        }
    }

    /// The thing, besides people, that a notice is about, if it may happen repeatedly.
    enum Latest: Sendable {
        /// Each notice is kept.
        case each
        /// The newest by one person.
        case ofPerson
        /// The newest by one person about the thing in that member.
        case of(String)

        fileprivate var member: String? { if case .of(let member) = self { member } else { nil } }
    }
}

// MARK: Members

extension NoticeKind {
    /// A member of a notice, and its placeholder in the texts.
    struct Member: Sendable {
        let name: String
        let placeholder: String?
        /// Whether it is stored, but not sent.
        private(set) var isHidden = false
        /// Returns the value to keep; nil if it is damaged, an inner nil if it is absent.
        let read: @Sendable (JSONValue?) -> JSONValue??
        let phrase: @Sendable (JSONValue) -> Phrase.Value?

        init(
            _ name: String, _ placeholder: String? = nil,
            phrase: @escaping @Sendable (JSONValue) -> Phrase.Value? = { _ in nil },
            read: @escaping @Sendable (JSONValue?) -> JSONValue??
        ) {
            (self.name, self.placeholder, self.phrase, self.read) = (
                name, placeholder, phrase, read
            )
        }

        /// The member, omitted if absent or damaged.
        var optional: Member {
            let read = read
            return Member(name, placeholder, phrase: phrase) { .some(read($0) ?? nil) }
        }

        var hidden: Member {
            var member = self
            member.isHidden = true
            return member
        }

        static func text(
            _ name: String, as placeholder: String? = nil,
            _ isMeant: @escaping @Sendable (String) -> Bool = { _ in true }
        ) -> Member {
            Member(name, placeholder, phrase: { $0.text.map { .text($0) } }) { value in
                guard let text = value?.text, isMeant(text) else { return nil }
                return .string(text)
            }
        }

        static func uuid(_ name: String) -> Member { text(name) { UUIDv7($0) != nil } }
        static func name(_ name: String, as placeholder: String? = nil) -> Member {
            text(name, as: placeholder) { Name($0) != nil }
        }
        static func group(_ name: String) -> Member { text(name) { GroupKey($0) != nil } }

        /// - Parameter says: the value in the texts.
        static func time(
            _ name: String, as placeholder: String? = nil,
            _ says: @escaping @Sendable (Timestamp) -> Phrase.Value = { .clock($0, near: $0) }
        ) -> Member {
            Member(name, placeholder, phrase: { $0.time.map(says) }) { value in
                value?.time.map { .string($0.rfc3339) }
            }
        }

        static func number(_ name: String, as placeholder: String? = nil) -> Member {
            Member(
                name, placeholder, phrase: { $0.integer.map { .number(Int(clamping: $0)) } }
            ) { value in value?.integer.map { .number(Double($0)) } }
        }

        /// `true`, or absent.
        static func flag(_ name: String) -> Member {
            Member(name) { .some($0 == .bool(true) ? .bool(true) : nil) }
        }

        /// `true` or `false`.
        static func bool(_ name: String) -> Member { Member(name) { .bool($0 == .bool(true)) } }

        static func texts(
            _ name: String, _ isMeant: @escaping @Sendable (String) -> Bool = { _ in true }
        ) -> Member {
            Member(name) { value in
                guard case .array(let elements)? = value else { return nil }
                return .array(elements.filter { $0.text.map(isMeant) ?? false })
            }
        }
    }
}

extension JSONValue {
    static func time(_ time: Timestamp) -> JSONValue { .string(time.rfc3339) }
    var time: Timestamp? { text.flatMap { Timestamp(rfc3339: $0) } }

    /// Returns `true`; nil for false.
    static func flag(_ isSo: Bool) -> JSONValue? { isSo ? .bool(true) : nil }
    static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}

// MARK: Texts

extension NoticeKind {
    /// The texts of a notice where they are not made by a page.
    struct Words: Sendable {
        let phrases: @Sendable (_ notice: Notice, _ reader: Name) -> [Phrase]

        static func text(_ text: ServerText) -> Words {
            Words { notice, _ in [notice.phrase(text)] }
        }

        /// A text chosen by the notice's content.
        static func text(_ choose: @escaping @Sendable (Notice.News) -> ServerText) -> Words {
            Words { notice, _ in [notice.phrase(choose(notice.news))] }
        }

        /// A text that depends on whether the person who caused it is known.
        static func doneBy(
            _ nobody: ServerText, _ somebody: ServerText, _ reader: ServerText
        ) -> Words {
            Words { notice, name in
                [
                    notice.phrase(
                        notice.by.map { $0 == name ? reader : somebody } ?? nobody, by: name)
                ]
            }
        }
    }
}

extension Notice {
    /// Returns the text for its reader where it is not made by a page.
    ///
    /// - Parameter reader: the reader's user name.
    public func phrases(for reader: Name) -> [Phrase] { news.kind.words.phrases(self, reader) }

    /// Returns a text with the notice's members and the person whom it is about.
    ///
    /// - Parameter reader: the reader's user name, if the text may name the person who caused it.
    func phrase(
        _ text: ServerText, by reader: Name? = nil, _ more: [String: Phrase.Value] = [:]
    ) -> Phrase {
        var values = more
        values["name"] = about.map { .text($0.name) } ?? .phrase(Phrase(.somebody))
        for member in news.kind.members {
            guard let placeholder = member.placeholder, let value = news[member.name]
            else { continue }
            values[placeholder] = member.phrase(value)
        }
        if let reader, let by, by != reader { values["by"] = .text(by.text) }
        return Phrase(text, values)
    }
}
