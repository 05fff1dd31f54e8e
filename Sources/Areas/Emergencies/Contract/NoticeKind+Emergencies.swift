internal import JSON
internal import Languages
public import Tracking

extension NoticeKind {
    static let callOver = NoticeKind(
        "call-over", urgent: .usual, pace: .unlimited, says: .text(.callOver))
    static let nobodyLeft = NoticeKind(
        "nobody-left", [.flag("but")], urgent: .usual, pace: .rare, latest: .ofPerson,
        says: .text { $0["but"] == nil ? .nobodyLeft : .oneLeft })
    static let helperComing = helper("helper-coming", says: .helperComing)
    static let helperNotComing = helper("helper-not-coming", says: .helperNotComing)
    static let helperCalled = helper("helper-called", says: .helperCalled)

    private static func helper(_ name: String, says text: ServerText) -> NoticeKind {
        NoticeKind(
            name, [.uuid("alert")], urgent: .usual, pace: .unlimited, latest: .of("alert"),
            says: .text(text))
    }
}

extension Notice {
    /// The response of a member who was called.
    public enum HelperNews: Hashable, Sendable, CaseIterable {
        case coming, notComing
        /// They have called the emergency number.
        case called
    }
}

extension Notice.News {
    /// A call for help made before the user ended the SOS arrived after that.
    public static let callOver = Notice.News(.callOver)

    /// The user's groups have no other member left, so that a call for help would reach no one.
    ///
    /// - Parameter but: whether the person who removed the others, and is named, is still a member.
    public static func nobodyLeft(but isRemoverThere: Bool) -> Notice.News {
        .init(.nobodyLeft, ["but": .flag(isRemoverThere)])
    }

    /// A member has answered the user's call for help.
    public static func helper(_ news: Notice.HelperNews, alert: UUIDv7) -> Notice.News {
        let kind: NoticeKind =
            switch news {
            case .coming: .helperComing
            case .notComing: .helperNotComing
            case .called: .helperCalled
            }
        return .init(kind, ["alert": .string(alert.description)])
    }
}
