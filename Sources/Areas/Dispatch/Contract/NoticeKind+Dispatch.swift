internal import JSON
internal import Languages

extension NoticeKind {
    static let helpCalled = NoticeKind(
        "help-called", share: .monitoring, urgent: .usual, pace: .unlimited,
        says: .text(.helpCalled))
    static let helpAcknowledged = help("acknowledged", says: .helpAcknowledged)
    static let helpClosed = help("closed", says: .helpClosed)
    static let helpUnanswered = help("unanswered", says: .helpUnanswered)
    static let helpCalledOff = help("called-off", urgent: .never, says: .helpCalledOff)

    private static func help(_ name: String, urgent: Urgency = .usual, says text: ServerText)
        -> NoticeKind
    {
        NoticeKind(
            "help-\(name)", [.text("dispatcher").optional], share: .monitoring, urgent: urgent,
            pace: .unlimited, says: .text(text))
    }
}

extension Notice {
    public enum HelpNews: Hashable, Sendable {
        case acknowledged, closed
        /// No way to dispatch has led to an answer.
        case unanswered
        /// The user has said that they no longer need help; on a stolen phone, it may have been
        /// someone else.
        case calledOff
    }
}

extension Notice.News {
    /// Help is called for the user.
    public static let helpCalled = Notice.News(.helpCalled)

    /// Dispatch's response.
    ///
    /// - Parameter dispatcher: the person who responded.
    public static func help(_ news: Notice.HelpNews, by dispatcher: String?) -> Notice.News {
        let kind: NoticeKind =
            switch news {
            case .acknowledged: .helpAcknowledged
            case .closed: .helpClosed
            case .unanswered: .helpUnanswered
            case .calledOff: .helpCalledOff
            }
        return .init(kind, ["dispatcher": dispatcher.map { .string($0) }])
    }
}
